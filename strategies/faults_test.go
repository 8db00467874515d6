package strategies

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

// scriptedSession answers every exchange as a server with one empty key would,
// unless told otherwise, and breaks at the exchange with the number failAt.
type scriptedSession struct {
	log    [][]resp.Cmd
	failAt int // from 1; 0: never
	exec   resp.Reply
	reads  resp.Reply
	held   time.Duration
	queued int // commands since MULTI
	heldAt int // exchanges before the last Hold
}

var errBroken = errors.New("connection reset")

func (s *scriptedSession) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	s.log = append(s.log, cmds)
	if len(s.log) == s.failAt {
		return nil, errBroken
	}
	var replies []resp.Reply
	inMulti := s.open()
	for _, c := range cmds {
		switch c[0] {
		case "GET":
			if c[1] == "k" {
				replies = append(replies, s.reads)
			} else {
				replies = append(replies, resp.Reply{}) // no token yet
			}
		case "EXEC":
			all := s.exec
			for all.Kind == resp.Array && len(all.Elems) < s.queued {
				all.Elems = append(all.Elems, resp.Text("OK"))
			}
			replies = append(replies, all)
			inMulti, s.queued = false, 0
		case "EVALSHA", "EVAL", "FCALL":
			replies = append(replies, resp.List(resp.Integer(1), resp.Text("1")))
		case "INCRBY", "DEL":
			replies = append(replies, resp.Integer(1))
		case "SET":
			if inMulti {
				s.queued++
				replies = append(replies, resp.Text("QUEUED"))
				continue
			}
			replies = append(replies, resp.Text("OK"))
		default:
			inMulti = inMulti || c[0] == "MULTI"
			replies = append(replies, resp.Text("OK"))
		}
	}
	return replies, nil
}

// open reports whether an exchange before this one left a MULTI open.
func (s *scriptedSession) open() bool {
	multi := false
	for _, cmds := range s.log[:len(s.log)-1] {
		for _, c := range cmds {
			multi = c[0] == "MULTI" || multi && c[0] != "EXEC"
		}
	}
	return multi
}

func (s *scriptedSession) Hold(d time.Duration) { s.held, s.heldAt = s.held+d, len(s.log) }

// counting lists the strategies that can count: all but the one for sequences.
func counting() []string {
	return slices.DeleteFunc(All.Names(), func(name string) bool { return name == "steps" })
}

func counterOp() (workloads.Workload, workloads.Op) {
	w, err := workloads.All.Get("counter")
	if err != nil {
		panic(err)
	}
	return w, workloads.Op{Keys: []string{"k"}, Args: []string{"1"}, Decision: time.Millisecond}
}

func committing() *scriptedSession {
	return &scriptedSession{exec: resp.List(), reads: resp.Text("0")}
}

// carriesEffect reports whether an exchange can change the state stored in k.
func carriesEffect(cmds []resp.Cmd, inMulti bool) bool {
	for _, c := range cmds {
		switch c[0] {
		case "EXEC":
			return true
		case "EVALSHA", "EVAL", "FCALL", "INCRBY":
			if slices.Contains(c, "k") {
				return true
			}
		case "SET":
			if c[1] == "k" && !inMulti && !slices.ContainsFunc(cmds, func(c resp.Cmd) bool { return c[0] == "MULTI" }) {
				return true
			}
		}
	}
	return false
}

// A connection lost before the exchange with the effect leaves nothing behind;
// one lost on it leaves the client without knowing; one lost after it changes
// nothing any more.
func TestLostConnectionAtEveryExchange(t *testing.T) {
	for _, name := range counting() {
		kind, _ := All.Get(name)
		w, op := counterOp()
		whole := committing()
		if out := kind.Strategy.Attempt(whole, w, op); out.Verdict != Committed {
			t.Fatalf("%s: an undisturbed attempt ends as %v %s", name, out.Verdict, out.Error)
		}
		inMulti, answered := false, false
		for i, cmds := range whole.log {
			s := committing()
			s.failAt = i + 1
			out := kind.Strategy.Attempt(s, w, op)
			want, class := Outcome{Verdict: Failed, Effect: workloads.EffectNone}, "CONNECTION"
			switch {
			case carriesEffect(cmds, inMulti):
				want = Outcome{Verdict: Unknown, Effect: workloads.EffectMaybe}
				answered = true
			case answered:
				want, class = Outcome{Verdict: Committed, Effect: workloads.EffectAll}, ""
			}
			if out.Verdict != want.Verdict || out.Effect != want.Effect || out.Class() != class {
				t.Errorf("%s, connection lost at exchange %d (%v): %v, effect %d, class %q; want %v, effect %d, class %q",
					name, i+1, cmds, out.Verdict, out.Effect, out.Class(), want.Verdict, want.Effect, class)
			}
			inMulti = inMulti || slices.ContainsFunc(cmds, func(c resp.Cmd) bool { return c[0] == "MULTI" })
		}
	}
}

// The decision lies between the last read and the write. A strategy whose
// decision the server takes spends none.
func TestDecisionTimeIsSpentBetweenReadAndWrite(t *testing.T) {
	for _, name := range counting() {
		kind, _ := All.Get(name)
		w, op := counterOp()
		s := committing()
		kind.Strategy.Attempt(s, w, op)
		reads := slices.ContainsFunc(s.log, func(cmds []resp.Cmd) bool {
			return slices.ContainsFunc(cmds, func(c resp.Cmd) bool { return c[0] == "GET" })
		})
		switch {
		case !reads && s.held != 0:
			t.Errorf("%s reads nothing and decides for %v", name, s.held)
		case reads && s.held != op.Decision:
			t.Errorf("%s decides for %v, want %v", name, s.held, op.Decision)
		case reads && (s.heldAt == 0 || s.heldAt == len(s.log)):
			t.Errorf("%s decides after %d of %d exchanges", name, s.heldAt, len(s.log))
		}
	}
}

func TestEveryElementOfExecIsLookedAt(t *testing.T) {
	wrongType := resp.Fault("WRONGTYPE Operation against a key holding the wrong kind of value")
	queued, ok := resp.Text("QUEUED"), resp.Text("OK")
	for _, c := range []struct {
		what    string
		replies []resp.Reply
		want    Outcome
	}{
		{"all applied", []resp.Reply{ok, queued, queued, resp.List(ok, ok)},
			Outcome{Verdict: Committed, Effect: workloads.EffectAll}},
		{"aborted", []resp.Reply{ok, queued, {}}, Outcome{Verdict: Conflict}},
		{"an element failed", []resp.Reply{ok, queued, queued, resp.List(ok, wrongType)},
			Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: wrongType.Str}},
		{"refused while queueing: the first error is named, not EXECABORT",
			[]resp.Reply{ok, resp.Fault("BUSY Redis is busy"), resp.Fault("EXECABORT Transaction discarded because of: BUSY")},
			Outcome{Verdict: Failed, Error: "BUSY Redis is busy"}},
		{"EXEC itself failed", []resp.Reply{ok, queued, resp.Fault("NOPERM no")}, Outcome{Verdict: Failed, Error: "NOPERM no"}},
		{"MULTI was refused and the write ran at once",
			[]resp.Reply{resp.Fault("NOPERM no multi"), ok, resp.Fault("ERR EXEC without MULTI")},
			Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: "NOPERM no multi"}},
		{"a server that runs what is left after an error while queueing",
			[]resp.Reply{ok, resp.Fault("ERR unknown command"), resp.List()},
			Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: "ERR unknown command"}},
	} {
		got := finish(workloads.Step{}, c.replies)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

// An attempt that ends before EXEC must not leave its watch to a later
// transaction of the same connection.
func TestNoWatchIsLeftBehind(t *testing.T) {
	for _, name := range counting() {
		kind, _ := All.Get(name)
		for what, read := range map[string]resp.Reply{
			"an error reply to the read":       resp.Fault("WRONGTYPE no"),
			"a value that nobody can count on": resp.Text("many"),
		} {
			w, op := counterOp()
			s := committing()
			s.reads = read
			out := kind.Strategy.Attempt(s, w, op)
			watching := false
			for _, cmds := range s.log {
				for _, c := range cmds {
					switch c[0] {
					case "WATCH":
						watching = true
					case "EXEC", "UNWATCH":
						watching = false
					}
				}
			}
			if watching {
				t.Errorf("%s leaves its watch behind after %s: %v", name, what, s.log)
			}
			reads := name != "atomic" && !kind.Scripts
			if reads && (out.Verdict != Failed || out.Effect != workloads.EffectNone) {
				t.Errorf("%s, %s: %v with effect %d, want failed without", name, what, out.Verdict, out.Effect)
			}
		}
	}
}

// What a call was missing is loaded and the call made again; after any other
// reply it is not. Where loading is refused, nothing ran and the refusal is
// named.
func TestLoadsWhatIsMissingAndOnlyThat(t *testing.T) {
	w, op := counterOp()
	missing := map[string]resp.Reply{
		"lua":      resp.Fault("NOSCRIPT No matching script"),
		"function": resp.Fault("ERR Function not found"),
	}
	for name, unknown := range missing {
		refused := resp.Fault("ERR Function rmwbench_debit already exists")
		done := resp.List(resp.Integer(1), resp.Text("1"))
		for _, c := range []struct {
			replies [][]resp.Reply
			notes   int
			want    Outcome
		}{
			{[][]resp.Reply{{unknown}, {resp.Text("loaded"), done}}, 1, Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: "1"}},
			{[][]resp.Reply{{unknown}, {refused, unknown}}, 1, Outcome{Verdict: Failed, Error: refused.Str}},
			{[][]resp.Reply{{unknown}, {refused, done}}, 1, Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: "1"}}, // another was faster
			{[][]resp.Reply{{unknown}, {resp.Text("loaded"), unknown}}, 1, Outcome{Verdict: Failed, Error: unknown.Str}},           // and flushed at once
			{[][]resp.Reply{{resp.Fault("BUSY Redis is busy running a script")}}, 0,
				Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: "BUSY Redis is busy running a script"}},
			{[][]resp.Reply{{resp.List(resp.Integer(0), resp.Text("3"))}}, 0, Outcome{Verdict: Rejected, Answer: "3"}},
			{[][]resp.Reply{{resp.Integer(1)}}, 0, // not the convention
				Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: "the script answered (integer) 1"}},
		} {
			s := &told{replies: c.replies}
			kind, _ := All.Get(name)
			out := kind.Strategy.Attempt(s, w, op)
			notes := len(out.Notes)
			out.Notes = nil
			if fmt.Sprint(out) != fmt.Sprint(c.want) || len(s.replies) > 0 || notes != c.notes {
				t.Errorf("%s, told %v: %+v with %d notes, want %+v with %d", name, c.replies, out, notes, c.want, c.notes)
			}
		}
	}
}

// told answers each exchange with the next of its replies.
type told struct {
	replies [][]resp.Reply
	log     [][]resp.Cmd
}

func (s *told) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	s.log = append(s.log, cmds)
	if len(s.replies) == 0 {
		return nil, errBroken
	}
	next := s.replies[0]
	s.replies = s.replies[1:]
	return next, nil
}

func (*told) Hold(time.Duration) {}

func TestSelectResolvesNamesAndGroups(t *testing.T) {
	bugs, err := Select("bugs")
	if err != nil || len(bugs) < 3 {
		t.Fatalf("bugs = %v, %v", bugs, err)
	}
	for _, name := range bugs {
		if k, _ := All.Get(name); !k.Control {
			t.Errorf("%s is among the bugs and no control", name)
		}
	}
	if one, err := Select("watch"); err != nil || !slices.Equal(one, []string{"watch"}) {
		t.Errorf("watch = %v, %v", one, err)
	}
	if _, err := Select("nope"); err == nil {
		t.Error("an unknown name is accepted")
	}
}

// What a server cannot do is not offered on it.
func TestWatchOfAShrinkingHashIsNotOfferedOnTheEmbeddedServer(t *testing.T) {
	w, err := workloads.All.Get("hsetnx")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range All.Names() {
		kind, _ := All.Get(name)
		if !kind.Watches || name == "unwatched-key" { // which needs ops of two keys
			continue
		}
		if kind.NotApplicable(w, Facts{Embedded: true}) == "" {
			t.Errorf("%s is offered on the embedded server", name)
		}
		if reason := kind.NotApplicable(w, Facts{}); reason != "" {
			t.Errorf("%s: %q", name, reason)
		}
	}
}
