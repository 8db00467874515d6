package conformance

import (
	"errors"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/results"
	"rmwbench/strategies"
)

// shared is a plan on one connection for all clients.
func shared(names ...string) *engine.Plan {
	p := plan(names...)
	p.Conns = []string{results.ConnShared}
	return p
}

// On a shared connection, whoever does not watch keeps every promise; whoever
// does is not offered, with the reason.
func TestSharedConnection(t *testing.T) {
	servedWorlds(t, func(t *testing.T, w world) {
		p := shared(safe()...)
		p.Ops = 80 // in many runs
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		cells, na := p.Grid(w.facts)
		offered := map[string]bool{}
		for _, c := range cells {
			offered[c.Strategy] = true
		}
		for _, name := range safe() {
			kind, _ := strategies.All.Get(name)
			if kind.Watches && offered[name] {
				t.Errorf("%s is offered on a shared connection", name)
			}
		}
		for _, name := range []string{"lua", "eval", "atomic", "cas-lua", "lock"} {
			if !offered[name] {
				t.Errorf("%s is not offered on a shared connection: %v", name, na)
			}
		}
		runs, err := executeIn(w.countingWorld, p, cells, nil)
		if err != nil {
			t.Fatal(err)
		}
		shapes := map[string]opShapes{}
		for _, name := range p.Workloads {
			shapes[name] = shapesOf(t, w, name)
		}
		for i := range runs {
			r := &runs[i]
			if r.Partial || r.Audit.Verdict != results.AuditExact || r.Committed+r.Rejected != p.Ops {
				t.Errorf("%s: partial %v, audit %s, %d answered", name(r), r.Partial, r.Audit, r.Committed+r.Rejected)
			}
			checkIdentities(t, r)
			checkExchanges(t, r, shapes[r.Workload])
			if !w.embedded && (!r.Witnessed() || len(r.Disagreements()) > 0) {
				t.Errorf("%s: witnessed %v, the server disagrees on %v", name(r), r.Witnessed(), r.Disagreements())
			}
		}
		leftovers(t, w)
	})
}

// Wrong loops are wrong on a shared connection too.
func TestUnsafeOnASharedConnection(t *testing.T) {
	servedWorlds(t, func(t *testing.T, w world) {
		p := shared("unsafe")
		p.Workloads, p.Clients, p.Decisions = []string{"counter"}, []int{8}, []time.Duration{time.Millisecond}
		cells, _ := p.Grid(w.facts)
		runs, err := executeIn(w.countingWorld, p, cells, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkLost(t, &runs[0])
	})
}

// A shared connection that is killed under load costs all its clients what is
// in flight, which may or may not be stored, and nothing is sent again. The
// embedded server has no CLIENT KILL and is left out.
func TestSharedConnectionIsKilledUnderLoad(t *testing.T) {
	realWorld(t, func(t *testing.T, w world) {
		p := shared("lua", "atomic", "cas-lua")
		p.Workloads, p.Clients, p.Ops, p.RTTs = []string{"counter"}, []int{8}, 4000, []time.Duration{200 * time.Microsecond}
		cells, _ := p.Grid(w.facts)
		done, killed := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(killed)
			for {
				select {
				case <-done:
					return
				case <-time.After(100 * time.Millisecond): // longer than opening it anew takes
					redistest.Command(t, w.server, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
				}
			}
		}()
		runs, err := executeIn(w.countingWorld, p, cells, nil)
		close(done)
		<-killed
		if err != nil {
			t.Fatal(err)
		}
		var unknown int64
		for i := range runs {
			r := &runs[i]
			if r.Audit.Void() {
				t.Errorf("%s: audit %s", name(r), r.Audit)
			}
			if all := r.Committed + r.FailedOps() + r.Unknown; all != p.Ops {
				t.Errorf("%s: %d of %d ops accounted for", name(r), all, p.Ops)
			}
			unknown += r.Unknown
		}
		if unknown == 0 {
			t.Error("no reply was lost")
		}
		leftovers(t, w)
	})
}

// sharedAfter is the world of a server whose shared connection does something
// once, in the midst of the load.
type sharedAfter struct {
	countingWorld
	n int64
	f func()
}

func (s sharedAfter) Shared() engine.World {
	inner := s.countingWorld.(engine.Sharer).Shared()
	return afterExchanges(struct {
		engine.World
		engine.Witness
		engine.Spinner
	}{inner, s.countingWorld, s.countingWorld}, s.n, s.f)
}

// A server that dies ends the run, and a stop keeps what was measured.
func TestTroubleOnASharedConnection(t *testing.T) {
	servedWorlds(t, func(t *testing.T, w world) {
		p := shared("lua")
		p.Workloads, p.Ops, p.Duration = []string{"counter"}, 0, time.Hour
		cells, _ := p.Grid(w.facts)

		stop := make(chan struct{})
		runs, err := executeIn(sharedAfter{w.countingWorld, 100, func() { close(stop) }}, p, cells, stop)
		if !errors.Is(err, engine.ErrInterrupted) || len(runs) != 1 || !runs[0].Partial || runs[0].Audit.Verdict != results.AuditExact {
			t.Errorf("a stop: %v with %d runs: %+v", err, len(runs), runs)
		}
		leftovers(t, w)

		runs, err = executeIn(sharedAfter{w.countingWorld, 100, func() {
			if err := w.server.Kill(); err != nil {
				t.Error(err)
			}
		}}, p, cells, nil)
		if !errors.Is(err, engine.ErrServerLost) || len(runs) != 1 || !runs[0].Partial || runs[0].Audit != nil {
			t.Errorf("a dead server: %v with %d runs: %+v", err, len(runs), runs)
		}
	})
}
