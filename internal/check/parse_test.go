package check

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rmwbench/internal/resp"
)

func TestWordsAreReadAsRedisCLIReadsThem(t *testing.T) {
	for line, want := range map[string][]string{
		`SET k v`:                  {"SET", "k", "v"},
		"SET\tk  v\t":              {"SET", "k", "v"},
		`SET k "a b"`:              {"SET", "k", "a b"},
		`SET k ""`:                 {"SET", "k", ""},
		`SET k ''`:                 {"SET", "k", ""},
		`SET k 'a "b" \n \'c\''`:   {"SET", "k", `a "b" \n 'c'`},
		`SET k "\x41\x0a\n\t\q"`:   {"SET", "k", "A\n\n\tq"},
		`SET k "\xZZ"`:             {"SET", "k", "xZZ"},
		`SET k "\"\\"`:             {"SET", "k", `"\`},
		`SET k a#b`:                {"SET", "k", "a#b"},
		`SET k pre"in quotes"`:     {"SET", "k", "prein quotes"},
		`SET k {"a":1}`:            nil, // a quote inside a word ends it
		`SET k "open`:              nil,
		`SET k 'open`:              nil,
		`SET k "a"b`:               nil,
		`SET k "ends with a \`:     nil,
		`SET k '{"a": 1, "b": 2}'`: {"SET", "k", `{"a": 1, "b": 2}`},
	} {
		got, err := splitWords(line)
		if (err != nil) != (want == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q %v, want %q", line, got, err, want)
		}
	}
}

func TestExchanges(t *testing.T) {
	text := strings.Join([]string{
		"\ufeff# a file with everything\r",
		"#! start: SET balance 1",
		"",
		"  SET a ${op} NX \r",
		"#! stop-if nil",
		"+ # nothing"[2:],
		"HSET b f 1",
		"+EXPIREAT b 4102444800",
		"\t+ MULTI",
		"INCR c",
		"+ INCR d",
		"exec",
		"multi",
		"#! script s.lua k1 k2 -- ${op} x",
		"EXEC",
		"#! owner: team a:* b",
		"#! ref: feed 42 -> item:42",
		"#! exec: checked",
	}, "\n")
	b, err := Parse("f", text, func(name string) (string, error) { return "return '" + name + "'", nil })
	if err != nil {
		t.Fatal(err)
	}
	var shape []string
	for _, e := range b.Exchanges {
		line := ""
		for _, cmd := range wire(e.Steps) {
			line += cmd.String() + "; "
		}
		shape = append(shape, line)
	}
	want := []string{
		"SET a " + opID + " NX; ",
		"HSET b f 1; EXPIREAT b 4102444800; MULTI; INCR c; INCR d; EXEC; ",
		`MULTI; EVAL "return 's.lua'" 2 k1 k2 ` + opID + " x; EXEC; ",
	}
	if !reflect.DeepEqual(shape, want) {
		t.Errorf("%q, want %q", shape, want)
	}
	if !reflect.DeepEqual(b.Exchanges[0].StopIf, []StopIf{{5, "nil"}}) || b.ExecChecked != 18 || len(b.steps()) != 5 ||
		!reflect.DeepEqual(b.Owners, []Owner{{"team", []string{"a:*", "b"}}}) ||
		!reflect.DeepEqual(b.Refs, []Ref{{17, "feed", "42", "item:42"}}) {
		t.Errorf("%+v", b)
	}
	for i, c := range b.commands() {
		if c.N != i || c.Source == "" || b.exchangeOf(c) != []int{0, 1, 1, 1, 1, 2}[i] || c.Step != []int{0, 1, 2, 3, 3, 4}[i] {
			t.Errorf("command %d: %+v in exchange %d", i, c, b.exchangeOf(c))
		}
	}
	if owner := b.owner("a:x/y"); owner != "team" || b.owner("c") != "" {
		t.Errorf("a:x/y belongs to %q, c to %q", owner, b.owner("c"))
	}
}

// A malformed file is refused with its name, the line and the reason.
func TestMalformedFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "f:1: there is no command",
		"# only\n# comments\n":                 "f:2: there is no command",
		"#! start: SET a 1":                    "f:1: there is no command",
		"SET a 1\nSET b \"1":                   "f:2: a quote is not closed",
		"SET a \"1\"2":                         "f:1: a closing quote is followed by neither",
		`"" a`:                                 "f:1: the name of the command is empty",
		"+SET a 1":                             "f:1: + joins a line to the one before, and there is none",
		"SET a 1\n+":                           "f:2: + joins nothing",
		"SET a 1\n+ # x":                       "f:2: + joins nothing",
		"SET a 1\n+ #! owner: x":               "f:2: + goes before a command",
		"MULTI\nSET a 1":                       "f:1: MULTI without EXEC",
		"MULTI\nSET a 1\nMULTI":                "f:3: MULTI inside the MULTI of line 1",
		"MULTI x":                              "f:1: MULTI takes no arguments",
		"EXEC":                                 "f:1: EXEC without MULTI",
		"MULTI\nEXEC":                          "f:2: nothing between the MULTI of line 1",
		"MULTI\nWATCH a\nEXEC":                 "f:2: WATCH inside the MULTI of line 1",
		"MULTI\nSET a 1\nDISCARD":              "f:3: DISCARD is refused: it takes back",
		"SET a 1\n#! sript x.lua":              "f:2: #! sript is unknown: there are start, script",
		"SET a 1\n#!":                          "f:2: #!  is unknown",
		"SET a ${OP}":                          "f:1: ${OP} is unknown: there is only ${op}",
		"SET a ${op":                           "f:1: ${op is unknown",
		"SET a ${op} ${id}":                    "f:1: ${id} is unknown",
		"SELECT 3":                             "f:1: SELECT is refused: it reaches beyond",
		"set a 1\nflushall":                    "f:2: FLUSHALL is refused: it reaches beyond",
		"COPY a b DB 2":                        "f:1: COPY ... DB is refused",
		"SHUTDOWN NOSAVE":                      "f:1: SHUTDOWN is refused: it is about the server",
		"CONFIG SET save ''":                   "f:1: CONFIG is refused",
		"BLPOP a 0":                            "f:1: BLPOP is refused: it waits for other clients",
		"XREAD BLOCK 0 STREAMS a $":            "f:1: XREAD BLOCK is refused",
		"SUBSCRIBE a":                          "f:1: SUBSCRIBE is refused",
		"EVALSHA abc 0":                        "f:1: EVALSHA is refused: a server started for a check has nothing loaded: use #! script FILE",
		"FCALL f 0":                            "f:1: FCALL is refused",
		"HEXPIRE a 1 FIELDS 1 b":               "f:1: HEXPIRE is refused: it is about deadlines of hash fields",
		`EVAL "redis.call('flushall')" 0`:      "f:1: FLUSHALL in line 1 of the script is refused",
		"#! start:":                            "f:1: #! start: want a command",
		"#! start: MULTI":                      "f:1: #! start: MULTI is refused",
		"#! start: SELECT 1":                   "f:1: SELECT is refused",
		"#! script":                            "f:1: #! script: want FILE keys... -- args...",
		"#! script -- 1":                       "f:1: #! script: want FILE",
		"#! script none.lua":                   "f:1: #! script none.lua: file does not exist",
		"#! script bad.lua k":                  "f:1: #! script bad.lua: SHUTDOWN in line 3 of the script is refused",
		"#! stop-if nil":                       "f:1: #! stop-if is about the reply to the line before, and there is none",
		"SET a 1\n#! stop-if":                  "f:2: #! stop-if: want one reply",
		"SET a 1\n#! stop-if nil\n+SET b 1":    "f:3: + joins a line to one whose reply decides",
		"SET a 1\n#! stop-if nil\n+MULTI":      "f:3: + joins a line to one whose reply decides",
		"MULTI\nSET a 1\n#! stop-if nil\nEXEC": "f:3: #! stop-if inside the MULTI of line 1",
		"SET a 1\n#! owner:":                   "f:2: #! owner: want NAME",
		"SET a 1\n#! owner: x [":               `f:2: #! owner: "[" is no pattern`,
		"SET a 1\n#! ref: a b":                 "f:2: #! ref: want KEY -> KEY",
		"SET a 1\n#! exec: yes":                "f:2: #! exec: want #! exec: checked",
		strings.Repeat("SET a 1\n", 201):       "f:201: more than 200 commands",
	} {
		_, err := Parse("f", text, func(name string) (string, error) {
			if name == "bad.lua" {
				return "-- one\nlocal x = 1\nredis.pcall( \"shutdown\" )\n", nil
			}
			return "", fs.ErrNotExist
		})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", clip(text, 60), err, want)
		}
	}
}

func TestStopIf(t *testing.T) {
	for word, replies := range map[string][2]resp.Reply{ // that match, and that do not
		"nil": {{}, resp.Text("OK")},
		"0":   {resp.Integer(0), resp.Integer(1)},
		"OLD": {resp.Text("OLD"), {}},
	} {
		s := StopIf{Reply: word}
		if !s.matches(replies[0]) || s.matches(replies[1]) || s.matches(resp.Fault("ERR "+word)) || s.matches(resp.List()) {
			t.Errorf("stop-if %s", word)
		}
	}
}

// Whatever the text, the parser answers a batch that can be played or one line
// with file and line.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.redis")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range []string{
		"MULTI\n+SET a 1\r\nEXEC\n+GET a", "\ufeffSET \"\\x00\" '\\''", "#! start: SET a 1\n+", "SET a ${op}${", "#! ref: a -> b\nGET a",
		"#! script x.lua a -- b", "EVAL", "WATCH a\n+MULTI\nGET a\nEXEC\n#! stop-if nil",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := Parse("f", text, func(name string) (string, error) {
			if strings.HasPrefix(name, "x") {
				return "return 1", nil
			}
			return "", errors.New("there is none")
		})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		n := 0
		for _, e := range b.Exchanges {
			if len(e.Steps) == 0 {
				t.Fatal("an exchange of nothing")
			}
			for _, s := range e.Steps {
				if len(s.Commands) == 0 || !s.Multi && len(s.Commands) != 1 {
					t.Fatalf("a step of %d commands, MULTI %v", len(s.Commands), s.Multi)
				}
				for _, c := range s.Commands {
					if c.N != n || len(c.Cmd) == 0 || c.Cmd[0] == "" || refusal(c.Cmd) != "" || c.Line < 1 {
						t.Fatalf("%+v", c)
					}
					n++
				}
			}
		}
		if n == 0 || n > maxCommands {
			t.Fatalf("%d commands", n)
		}
	})
}
