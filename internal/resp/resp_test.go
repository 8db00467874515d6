package resp

import (
	"math"
	"testing"
)

func TestClassIsTheCapitalWord(t *testing.T) {
	for text, want := range map[string]string{
		"WRONGTYPE Operation against a key": "WRONGTYPE",
		"NOSCRIPT No matching script":       "NOSCRIPT",
		"ERR value is not an integer":       "ERR",
		"value is not an integer":           "ERR",
		"":                                  "ERR",
		"EXECABORT Transaction discarded":   "EXECABORT",
	} {
		if got := Fault(text).Class(); got != want {
			t.Errorf("class of %q = %q, want %q", text, got, want)
		}
	}
	if got := Text("ERR").Class(); got != "" {
		t.Errorf("a string reply has class %q", got)
	}
}

func TestWireSizeIsTheProtocolLength(t *testing.T) {
	cmds := map[string]Cmd{
		"*1\r\n$4\r\nPING\r\n":                             {"PING"},
		"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$0\r\n\r\n":         {"SET", "k", ""},
		"*2\r\n$3\r\nGET\r\n$12\r\nabcdefghijkl\r\n":       {"GET", "abcdefghijkl"},
		"*3\r\n$6\r\nINCRBY\r\n$1\r\nk\r\n$2\r\n-1\r\n":    {"INCRBY", "k", "-1"},
		"*2\r\n$5\r\nWATCH\r\n$13\r\nrmwbench:{11}\r\n":    {"WATCH", "rmwbench:{11}"},
		"*2\r\n$4\r\nECHO\r\n$10\r\n0123456789\r\n":        {"ECHO", "0123456789"},
		"*2\r\n$4\r\nECHO\r\n$9\r\n012345678\r\n":          {"ECHO", "012345678"},
		"*2\r\n$6\r\nUNLINK\r\n$9\r\nrmwbench:\r\n":        {"UNLINK", "rmwbench:"},
		"*3\r\n$6\r\nEXPIRE\r\n$1\r\nk\r\n$5\r\n86400\r\n": {"EXPIRE", "k", "86400"},
	}
	for wire, cmd := range cmds {
		if got := cmd.WireSize(); got != len(wire) {
			t.Errorf("%v: %d bytes, the protocol has %d", cmd, got, len(wire))
		}
	}
	replies := map[string]Reply{
		"$-1\r\n":                            {},
		":0\r\n":                             Integer(0),
		":-1234\r\n":                         Integer(-1234),
		":-9223372036854775808\r\n":          Integer(math.MinInt64),
		"+OK\r\n":                            Text("OK"),
		"+QUEUED\r\n":                        Text("QUEUED"),
		"$2\r\n42\r\n":                       Text("42"),
		"-ERR no\r\n":                        Fault("ERR no"),
		"*2\r\n+OK\r\n:1\r\n":                List(Text("OK"), Integer(1)),
		"*0\r\n":                             List(),
		"*1\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n": List(List(Text("a"), Text("b"))),
	}
	for wire, reply := range replies {
		if got := reply.WireSize(); got != len(wire) {
			t.Errorf("%v: %d bytes, the protocol has %d", reply, got, len(wire))
		}
	}
}

func TestStringsReadLikeRedisCLI(t *testing.T) {
	if got, want := (Cmd{"SET", "k", "a b"}).String(), `SET k "a b"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got := List(Text("OK"), Integer(7), Reply{}, Fault("ERR x")).String()
	if want := `[OK, (integer) 7, (nil), (error) ERR x]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
