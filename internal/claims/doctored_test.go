package claims

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rmwbench/internal/resp"
)

// exchange is one round trip.
type exchange func(cmds ...resp.Cmd) ([]resp.Reply, error)

// doctor stands between a check and the server: it may change what is sent,
// what is answered, or wait.
type doctor func(cmds []resp.Cmd, next exchange) ([]resp.Reply, error)

// doctored is a config in which every server answers through the doctor.
func doctored(cfg Config, d doctor) Config {
	cfg.Server = doctoredServer{cfg.Server, d}
	if cfg.Lab != nil {
		cfg.Lab = doctoredLab{cfg.Lab, d}
	}
	return cfg
}

type doctoredServer struct {
	Server
	doctor doctor
}

func (s doctoredServer) Dial() (Conn, error) {
	conn, err := s.Server.Dial()
	return doctoredConn{conn, s.doctor}, err
}

type doctoredConn struct {
	Conn
	doctor doctor
}

func (c doctoredConn) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	return c.doctor(cmds, c.Conn.Exchange)
}

type doctoredLab struct {
	Lab
	doctor doctor
}

func (l doctoredLab) Start(settings ...string) (Throwaway, error) {
	t, err := l.Lab.Start(settings...)
	return doctoredThrowaway{t, l.doctor}, err
}

type doctoredThrowaway struct {
	Throwaway
	doctor doctor
}

func (t doctoredThrowaway) Dial() (Conn, error) {
	return doctoredServer{t.Throwaway, t.doctor}.Dial()
}

// replying changes the reply to commands that begin with the words, from their
// nth on.
func replying(nth int, words string, change func(resp.Reply) resp.Reply) doctor {
	var mu sync.Mutex
	seen := 0
	return func(cmds []resp.Cmd, next exchange) ([]resp.Reply, error) {
		replies, err := next(cmds...)
		mu.Lock()
		defer mu.Unlock()
		for i := range replies {
			if !strings.HasPrefix(cmds[i].String()+" ", words+" ") {
				continue
			}
			if seen++; seen >= nth {
				replies[i] = change(replies[i])
			}
		}
		return replies, err
	}
}

func always(r resp.Reply) func(resp.Reply) resp.Reply {
	return func(resp.Reply) resp.Reply { return r }
}

// sending changes commands by name before they are sent.
func sending(name string, change func(resp.Cmd) resp.Cmd) doctor {
	return func(cmds []resp.Cmd, next exchange) ([]resp.Reply, error) {
		changed := make([]resp.Cmd, len(cmds))
		for i, cmd := range cmds {
			if changed[i] = cmd; cmd[0] == name {
				changed[i] = change(cmd)
			}
		}
		return next(changed...)
	}
}

// cure is a doctored server and the verdict that it deserves.
type cure struct {
	doctor doctor
	want   Verdict
}

// cures are servers that answer otherwise: a check must not say of them what
// it says of Redis. A claim that servers differ on has one for each answer.
// Doctors count, so they are new each time.
func cures() map[string][]cure {
	ok := resp.Text("OK")
	noFunction := resp.Fault("ERR Function not found")
	applies := replying(1, "EXEC", always(resp.List(ok)))
	aborts := replying(1, "EXEC", always(resp.Reply{}))
	return map[string][]cure{
		"cluster-two-slots":              {{replying(1, "MSET", always(ok)), Differs}},
		"cluster-undeclared-key":         {{replying(1, "EVAL", always(resp.Fault("ERR undeclared key"))), Holds}, {replying(1, "EVAL", always(ok)), Differs}},
		"compare-and-set-missing":        {{setIfEqual, Differs}, {withoutIFEQ, Holds}},
		"exec-applies-rest":              {{replying(1, "GET", always(resp.Reply{})), Differs}},
		"exec-noscript-applies-rest":     {{replying(1, "EXEC", always(resp.Fault("NOSCRIPT"))), Differs}},
		"exec-refused-after-queue-error": {{applies, Differs}},
		"function-load-twice":            {{replying(2, "FUNCTION LOAD", always(ok)), Differs}},
		"function-survives-flushall":     {{replying(2, "FCALL_RO", always(noFunction)), Differs}},
		"function-survives-restart":      {{replying(2, "FCALL_RO", always(noFunction)), Differs}},
		"replica-holds-functions":        {{replying(2, "FCALL_RO", always(noFunction)), Differs}},
		"replica-lacks-scripts":          {{replying(2, "EVALSHA", always(ok)), Differs}},
		"script-5ms-caps-instance":       {{readsAfterScripts(), Holds}},
		"script-blocks-everyone":         {{scriptsInTheBackground, Differs}},
		"script-error-keeps-writes":      {{replying(1, "GET", always(resp.Reply{})), Differs}},
		"script-flush-forgets":           {{replying(2, "EVALSHA", always(ok)), Differs}},
		"script-kill-reading":            {{replying(1, "SCRIPT KILL", unlessNotBusy(resp.Fault("UNKILLABLE"))), Differs}},
		"script-kill-refused":            {{sending("EVAL", withoutWrite), Differs}},
		"script-numbers-are-doubles":     {{replying(1, "EVAL", always(resp.Text("9007199254740993"))), Differs}},
		"script-outlives-client":         {{replying(1, "GET", always(resp.Text("begun"))), Differs}},
		"script-restart-forgets":         {{replying(2, "EVALSHA", always(ok)), Differs}},
		"script-shutdown-nosave":         {{replying(1, "GET unsaved", always(resp.Text("1"))), Differs}},
		"script-survives-flushall":       {{replying(2, "EVALSHA", always(resp.Fault("NOSCRIPT"))), Differs}},
		"script-time-stands-still":       {{replying(1, "EVAL", stoppedClock), Holds}, {replying(1, "EVAL", runningClock), Differs}},
		"set-clears-ttl":                 {{replying(2, "TTL", always(resp.Integer(1000))), Differs}},
		"watch-exec-ends":                {{aborts, Differs}},
		"watch-expire-command":           {{applies, Differs}},
		"watch-expiry":                   {{applies, Differs}},
		"watch-other-write":              {{applies, Differs}},
		"watch-own-write":                {{applies, Differs}},
		"watch-read-only-key":            {{aborts, Differs}},
		"watch-reconnect":                {{aborts, Differs}},
		"watch-same-value":               {{applies, Differs}},
		"watch-unwatch":                  {{aborts, Differs}},
	}
}

// setIfEqual is a server with SET IFEQ.
func setIfEqual(cmds []resp.Cmd, next exchange) ([]resp.Reply, error) {
	cmd := cmds[0]
	if len(cmd) != 5 || cmd[3] != "IFEQ" {
		return next(cmds...)
	}
	held, err := next(resp.Cmd{"GET", cmd[1]})
	if err != nil || held[0].Str != cmd[4] {
		return []resp.Reply{{}}, err
	}
	return next(cmd[:3])
}

// readsAfterScripts is a server that serves one read for every two scripts.
func readsAfterScripts() doctor {
	const all = scriptClients * scriptsEach
	turns, over := make(chan struct{}, all), make(chan struct{})
	var scripts atomic.Int32
	return func(cmds []resp.Cmd, next exchange) ([]resp.Reply, error) {
		switch cmds[0][0] {
		case "GET":
			select {
			case <-turns:
			case <-over:
				time.Sleep(50 * time.Millisecond) // until the readers have noticed
			}
		case "EVAL":
			n := scripts.Add(1)
			if n%2 == 0 {
				turns <- struct{}{}
			}
			if n == all {
				close(over)
			}
		}
		return next(cmds...)
	}
}

// scriptsInTheBackground is a server on which a script keeps nobody waiting
// but its own client.
func scriptsInTheBackground(cmds []resp.Cmd, next exchange) (replies []resp.Reply, err error) {
	for _, cmd := range cmds {
		if cmd[0] == "EVAL" {
			time.Sleep(100 * time.Millisecond)
			replies = append(replies, resp.Reply{})
			continue
		}
		answer, err := next(cmd)
		if err != nil {
			return nil, err
		}
		replies = append(replies, answer...)
	}
	return replies, nil
}

// withoutIFEQ is a server that knows no SET IFEQ.
func withoutIFEQ(cmds []resp.Cmd, next exchange) ([]resp.Reply, error) {
	if slices.Contains(cmds[0], "IFEQ") {
		return []resp.Reply{resp.Fault("ERR syntax error")}, nil
	}
	return next(cmds...)
}

// stoppedClock has a script see one time.
func stoppedClock(r resp.Reply) resp.Reply {
	return resp.List(elem(r, 0), elem(r, 1), elem(r, 0), elem(r, 1))
}

// runningClock has a script see times that lie a second apart.
func runningClock(r resp.Reply) resp.Reply {
	return resp.List(resp.Text("1"), resp.Text("0"), resp.Text("2"), resp.Text("0"))
}

func unlessNotBusy(r resp.Reply) func(resp.Reply) resp.Reply {
	return func(was resp.Reply) resp.Reply {
		if was.Class() == "NOTBUSY" {
			return was
		}
		return r
	}
}

// withoutWrite takes the write out of a script, so that the server kills it.
func withoutWrite(cmd resp.Cmd) resp.Cmd {
	changed := append(resp.Cmd{}, cmd...)
	changed[1] = strings.ReplaceAll(cmd[1], "redis.call('SET'", "tostring('SET'")
	return changed
}

// Every check can come out otherwise.
func TestDoctoredServers(t *testing.T) {
	for _, name := range All.Names() {
		if _, there := cures()[name]; !there {
			t.Errorf("%s has no doctored server that it would tell from Redis", name)
		}
	}
	for kind, start := range kinds {
		t.Run(kind, func(t *testing.T) {
			server := start(t)
			cfg := ours(t, server)
			for name, undoctored := range expected(t, answersFile(t, server)) {
				if undoctored == NotChecked {
					continue
				}
				t.Run(name, func(t *testing.T) {
					claim, err := All.Get(name)
					if err != nil {
						t.Fatal(err)
					}
					cures := cures()[name]
					i := slices.IndexFunc(cures, func(c cure) bool { return c.want != undoctored })
					if i < 0 {
						t.Fatalf("the doctored server deserves %q, as this one does", undoctored)
					}
					cure := cures[i]
					if claim.Needs == OwnServer {
						t.Parallel()
					}
					r := runner{Config: doctored(cfg, cure.doctor), keys: prefix}
					answer, evidence := r.check(name, claim)
					if answer.Verdict != cure.want || len(r.errs) > 0 {
						t.Errorf("%+v, %v, want %s\n%+v", answer, r.errs, cure.want, evidence)
					}
				})
			}
		})
	}
}
