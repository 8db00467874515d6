package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/scripts"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// flushes are the commands that make a server forget.
var flushes = []resp.Cmd{{"SCRIPT", "FLUSH"}, {"FUNCTION", "FLUSH"}}

// forget has the server forget what it can: the embedded one has no functions.
func (w world) forget(t *testing.T, side strategies.Session) {
	t.Helper()
	for _, flush := range flushes {
		if reply := do(t, side, flush)[0]; reply.Kind == resp.Error && !w.embedded {
			t.Error(reply)
		}
	}
}

// loading are the strategies that load what the server has forgotten, by the
// note that they make of it.
var loading = map[string]strategies.Note{
	"lua": strategies.NoteNoScript, "cas-lua": strategies.NoteNoScript, "lock": strategies.NoteNoScript,
	"function": strategies.NoteNoFunction,
}

// What the server has forgotten is loaded again: no failed op, one more
// exchange, one note.
func TestForgotten(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		side := w.dial(t, 0)
		workload, _ := workloads.All.Get("counter")
		for name, note := range loading {
			kind, _ := strategies.All.Get(name)
			if kind.NotApplicable(workload, w.facts) != "" {
				continue
			}
			key := "conformance:forgotten:" + name
			session := &counting{Session: w.dial(t, 1)}
			for range 3 {
				w.forget(t, side)
				session.exchanges = 0
				out := kind.Strategy.Attempt(session, workload, workloads.Op{Keys: []string{key}, Args: []string{"1"}})
				promised := kind.Exchanges(strategies.Shape{ReadSteps: 1, Reads: 1, Writes: 1}, strategies.Committed)
				if out.Verdict != strategies.Committed || session.exchanges != promised+1 || !slices.Equal(out.Notes, []strategies.Note{note}) {
					t.Errorf("%s: %v after %d exchanges with notes %v (%s)", name, out.Verdict, session.exchanges, out.Notes, out.Error)
				}
			}
			if got := do(t, side, resp.Cmd{"GET", key})[0].Str; got != "3" {
				t.Errorf("%s: stored %s after 3 ops", name, got)
			}
		}
	})
}

// A server that forgets under load costs some exchanges and no op, and the
// witness agrees but for the flushes themselves. Who does not load again fails
// from then on. Scripts that keep the server busy are no others.
func TestForgottenUnderLoad(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		side := w.dial(t, 0)
		for _, name := range []string{"lua", "eval", "cas-lua", "lock", "function", "evalsha-bare"} {
			p := plan(name)
			p.Workloads, p.Clients, p.Ops = []string{"counter"}, []int{4}, 600
			p.ScriptTimes = []time.Duration{0, 100 * time.Microsecond}
			cells, na := p.Grid(w.facts)
			if len(na) > 0 {
				continue
			}
			for _, cell := range cells {
				w.forgottenUnderLoad(t, side, p, cell)
			}
		}
		leftovers(t, w)
	})
}

// forgottenUnderLoad runs a cell on a server that forgets in the midst of it.
func (w world) forgottenUnderLoad(t *testing.T, side strategies.Session, p *engine.Plan, cell results.Cell) {
	t.Helper()
	runs, err := executeIn(afterExchanges(w, 500, func() { w.forget(t, side) }), p, []results.Cell{cell}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &runs[0]
	name := fmt.Sprintf("%s of %v", r.Strategy, time.Duration(r.ScriptTimeNS))
	if r.Audit.Verdict != results.AuditExact {
		t.Errorf("%s: audit %s", name, r.Audit)
	}
	if r.Strategy == "evalsha-bare" {
		if r.Failed["NOSCRIPT"] == 0 || r.Committed+r.Failed["NOSCRIPT"] != p.Ops {
			t.Errorf("%s: %d of %d ops committed, failed %v", name, r.Committed, p.Ops, r.Failed)
		}
		return
	}
	if r.Committed != p.Ops {
		t.Errorf("%s: %d of %d ops committed, failed %v", name, r.Committed, p.Ops, r.Failed)
	}
	if note, loads := loading[r.Strategy]; loads && r.Notes[string(note)] == 0 {
		t.Errorf("%s: notes %v, want %s", name, r.Notes, note)
	}
	for _, what := range r.Disagreements() {
		if !strings.Contains(what, "flush: 0 sent, 1 served") {
			t.Errorf("%s: %s", name, what)
		}
	}
}

// Another library that owns one of our functions is not replaced: the op fails
// without effect, with the server's words. One that is ours, of another
// version, is.
func TestForeignLibrary(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		const theirs = "#!lua name=theirs\nredis.register_function('%', function() return 'theirs' end)"
		const older = "#!lua name=" + scripts.LibraryName + "\nredis.register_function('older', function() return 1 end)"
		side := w.dial(t, 0)
		debit := scripts.MustGet("debit").Function
		do(t, side, resp.Cmd{"FUNCTION", "FLUSH"})
		kind, _ := strategies.All.Get("function")
		workload, _ := workloads.All.Get("counter")
		op := workloads.Op{Keys: []string{"conformance:foreign"}, Args: []string{"1"}}

		load := do(t, side, resp.Cmd{"FUNCTION", "LOAD", strings.Replace(theirs, "%", debit, 1)})[0]
		if load.Str != "theirs" {
			t.Fatal(load)
		}
		out := kind.Strategy.Attempt(side, workload, op)
		if out.Verdict != strategies.Failed || out.Effect != workloads.EffectNone || out.Error != "ERR Function "+debit+" already exists" {
			t.Errorf("%v, effect %d, %q", out.Verdict, out.Effect, out.Error)
		}
		if again := do(t, side, resp.Cmd{"FUNCTION", "LOAD", strings.Replace(theirs, "%", debit, 1)})[0]; again.Str != "ERR Library 'theirs' already exists" {
			t.Errorf("loading theirs again answers %v: it was not kept", again)
		}
		do(t, side, resp.Cmd{"FUNCTION", "FLUSH"}, resp.Cmd{"FUNCTION", "LOAD", older})
		if out := kind.Strategy.Attempt(side, workload, op); out.Verdict != strategies.Committed || len(out.Notes) != 1 {
			t.Errorf("%v with notes %v (%s)", out.Verdict, out.Notes, out.Error)
		}
		if gone := do(t, side, resp.Cmd{"FCALL", "older", "0"})[0]; gone.Str != "ERR Function not found" {
			t.Errorf("the older version's function answers %v", gone)
		}
	})
}
