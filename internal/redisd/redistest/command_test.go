package redistest

import (
	"bufio"
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	s := Start(t)
	steps := []struct {
		words []string
		want  string
	}{
		{[]string{"SET", "k", "a b\r\nc"}, "OK"},
		{[]string{"GET", "k"}, "a b\r\nc"},
		{[]string{"SET", "empty", ""}, "OK"},
		{[]string{"GET", "empty"}, ""},
		{[]string{"GET", "absent"}, "(nil)"},
		{[]string{"DECR", "n"}, "-1"},
		{[]string{"MGET", "n", "absent", "empty"}, "-1\n(nil)\n"},
		{[]string{"LRANGE", "absent", "0", "-1"}, ""},
		{[]string{"EVAL", "return {1, {2, 'x'}, {err = 'OOPS no'}}", "0"}, "1\n2\nx\n-OOPS no"},
		{[]string{"BLPOP", "absent", "0.001"}, "(nil)"},
		{[]string{"INCR", "k"}, "-ERR value is not an integer or out of range"},
		{[]string{"LPUSH", "k", "x"}, "-WRONGTYPE Operation against a key holding the wrong kind of value"},
	}
	for _, step := range steps {
		if got := Command(t, s, step.words...); got != step.want {
			t.Errorf("%q answered %q, want %q", step.words, got, step.want)
		}
	}
}

func TestReadReplyRefuses(t *testing.T) {
	for _, input := range []string{"", "\r\n", "+OK", "$5\r\nab\r\n", "$x\r\n", "*2\r\n:1\r\n", "*x\r\n", "%1\r\n"} {
		if got, err := readReply(bufio.NewReader(strings.NewReader(input))); err == nil {
			t.Errorf("%q read as %q, want an error", input, got)
		}
	}
}
