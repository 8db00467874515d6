package claims

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"rmwbench/internal/engine"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
)

// theirs is the config of a server that somebody named.
func theirs(t testing.TB, server *redisd.Server, protocol int) Config {
	return Config{Server: connected(t, server, protocol), Prefix: prefix}
}

// overhear is a doctor that changes nothing and remembers what was sent.
func overhear(sent *[]resp.Cmd) doctor {
	var mu sync.Mutex
	return func(cmds []resp.Cmd, next exchange) ([]resp.Reply, error) {
		mu.Lock()
		*sent = append(*sent, cmds...)
		mu.Unlock()
		return next(cmds...)
	}
}

// harmless are the commands that may be sent to a named server without leave,
// and where their keys begin and end.
var harmless = map[string][2]int{
	"SET": {1, 2}, "GET": {1, 2}, "DEL": {1, 2}, "INCR": {1, 2}, "LPUSH": {1, 2}, "TTL": {1, 2}, "PTTL": {1, 2}, "EXPIRE": {1, 2},
	"WATCH": {1, 2}, "UNWATCH": {}, "MULTI": {}, "EXEC": {}, "PING": {}, "TIME": {}, "EVAL": {3, 4}, "EVALSHA": {},
	"DELIFEQ": {1, 2}, "DELEX": {1, 2}, "CAS": {1, 2}, "CAD": {1, 2},
}

// withLeave are those that leave adds.
var withLeave = []string{"SCRIPT FLUSH", "SCRIPT LOAD", "FUNCTION LOAD", "FUNCTION DELETE"}

// A named server gets harmless commands on keys under the prefix, and what is
// its own stays.
func TestNamedServerIsSpared(t *testing.T) {
	for _, leave := range []bool{false, true} {
		server := redistest.Start(t)
		redistest.Command(t, server, "SET", "precious", "1")
		redistest.Command(t, server, "FUNCTION", "LOAD", "#!lua name=precious\nredis.register_function('precious', function() return 1 end)")
		sum := redistest.Command(t, server, "SCRIPT", "LOAD", "return 'precious'")

		var sent []resp.Cmd
		cfg := theirs(t, server, 0)
		cfg.Leave = leave
		results, err := Run(doctored(cfg, overhear(&sent)))
		if err != nil {
			t.Fatal(err)
		}
		for _, cmd := range sent {
			if leave && slices.Contains(withLeave, nameOf(cmd)) {
				continue
			}
			at, allowed := harmless[cmd[0]]
			if !allowed {
				t.Errorf("leave %v: %s was sent", leave, cmd)
				continue
			}
			for i := at[0]; i < at[1] && i < len(cmd); i++ {
				if !strings.HasPrefix(cmd[i], prefix) && !(cmd[0] == "EVAL" && cmd[2] == "0") {
					t.Errorf("leave %v: %s is not about a key under %s", leave, cmd, prefix)
				}
			}
		}
		if left := redistest.Command(t, server, "KEYS", "*"); left != "precious" {
			t.Errorf("leave %v: keys in the end: %q", leave, left)
		}
		if left := redistest.Command(t, server, "FCALL", "precious", "0"); left != "1" {
			t.Errorf("leave %v: the library that was there answers %q", leave, left)
		}
		if left := redistest.Command(t, server, "FUNCTION", "LIST"); strings.Contains(left, "rmwbench") {
			t.Errorf("leave %v: a library is left: %s", leave, left)
		}
		if there := redistest.Command(t, server, "SCRIPT", "EXISTS", sum); (there == "1") == leave {
			t.Errorf("leave %v: SCRIPT EXISTS answers %s", leave, there)
		}
		want := expected(t, answersFile(t, server))
		for _, r := range results {
			claim, _ := All.Get(r.Name)
			answer := Answer{want[r.Name], r.Seen}
			switch {
			case claim.Needs == OwnServer:
				answer = notChecked(needsServer)
			case claim.Needs == Leave && !leave:
				answer = notChecked(needsLeave)
			}
			if (Answer{r.Verdict, r.Seen}) != answer {
				t.Errorf("leave %v: %s: %s: %s, want %+v", leave, r.Name, r.Verdict, r.Seen, answer)
			}
		}
	}
}

// Answers do not depend on the protocol.
func TestRESP2(t *testing.T) {
	server := redistest.Start(t)
	results, err := Run(theirs(t, server, 2))
	if err != nil {
		t.Fatal(err)
	}
	want := expected(t, answersFile(t, server))
	for _, r := range results {
		if claim, _ := All.Get(r.Name); claim.Needs == OwnKeys && r.Verdict != want[r.Name] {
			t.Errorf("%s: %s (%s), want %s", r.Name, r.Verdict, r.Seen, want[r.Name])
		}
	}
}

// The node of a cluster serves some slots; keys are found that lie there.
func TestNodeOfACluster(t *testing.T) {
	lab := &Local{Program: redistest.Path(t)}
	cfg := Config{Server: connected(t, redistest.Start(t), 0), Lab: lab}
	c := newCase(&cfg, prefix)
	defer c.close()
	theNode := node(c).m
	if !c.going() {
		t.Fatal(c.reason)
	}
	for i := range 8 { // whatever the prefix
		cfg := Config{Server: theNode.server, Prefix: prefix + string(rune('a'+i)) + ":"}
		keys, err := cfg.ownKeys()
		if err != nil {
			t.Fatal(err)
		}
		claim, _ := All.Get("watch-read-only-key") // of two keys
		r := runner{Config: cfg, keys: keys}
		if answer, _ := r.check("", claim); answer.Verdict != Holds || len(r.errs) > 0 {
			t.Errorf("%s: %+v, %v", keys, answer, r.errs)
		}
	}
}

// A server that lets nothing be written ends in one line, before any check.
func TestReadOnlyServer(t *testing.T) {
	server := redistest.Start(t)
	redistest.Command(t, server, "REPLICAOF", "127.0.0.1", "1")
	if _, err := Run(theirs(t, server, 0)); err == nil || !strings.Contains(err.Error(), "READONLY") {
		t.Errorf("a replica: %v", err)
	}
}

// A program that does not come up - an old one that lacks a setting, say - is
// no fault of the checking. The reason stays on one line.
func TestServerDoesNotStart(t *testing.T) {
	cfg := ours(t, redistest.Embedded(t))
	cfg.Lab = &Local{Program: redistest.Path(t)}
	claim := Claim{Check: func(c *Case) Answer {
		c.Start("--no-such-setting", "1").Conn("A").Do("PING")
		return judge(true, "it started")
	}}
	r := runner{Config: cfg, keys: prefix}
	answer, _ := r.check("test", claim)
	if answer.Verdict != NotChecked || len(r.errs) > 0 || strings.Contains(answer.Seen, "\n") ||
		!strings.Contains(answer.Seen, "no-such-setting") {
		t.Errorf("%+v, %v", answer, r.errs)
	}
}

// A server that is lost ends the checks, with a result for every claim.
func TestServerLost(t *testing.T) {
	server := redistest.Embedded(t)
	execs := 0
	results, err := Run(doctored(ours(t, server), func(cmds []resp.Cmd, next exchange) ([]resp.Reply, error) {
		if cmds[0][0] == "EXEC" {
			if execs++; execs == 2 {
				if err := server.Kill(); err != nil {
					t.Error(err)
				}
			}
		}
		return next(cmds...)
	}))
	if err == nil || len(results) != len(All.Names()) {
		t.Fatalf("%d results, %v", len(results), err)
	}
	var lost, checked int
	for _, r := range results {
		switch {
		case strings.Contains(r.Seen, "server was lost"):
			lost++
		case r.Verdict != NotChecked:
			checked++
		}
	}
	if lost < 10 || checked == 0 || execs != 2 {
		t.Errorf("%d lost, %d checked before, %d EXECs", lost, checked, execs)
	}
}

// The end may come early.
func TestInterrupted(t *testing.T) {
	stop := make(chan struct{})
	cfg := ours(t, redistest.Embedded(t))
	cfg.Stop = stop
	cfg.Progress = func(name string, _, _ int) {
		if name == "exec-noscript-applies-rest" {
			close(stop)
		}
	}
	results, err := Run(cfg)
	if !errors.Is(err, engine.ErrInterrupted) {
		t.Errorf("error %v", err)
	}
	for _, r := range results {
		if (r.Name > "exec-applies-rest" && r.Verdict != NotChecked) || (r.Name == "exec-applies-rest" && r.Verdict != Holds) {
			t.Errorf("%s: %s: %s", r.Name, r.Verdict, r.Seen)
		}
	}
}
