package conformance

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
)

// A stop inside a trial keeps what was measured, marked, and leaves no key.
func TestInterruption(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		stop := make(chan struct{})
		p := plan("watch", "lua")
		p.Workloads, p.Ops, p.Duration, p.Trials = []string{"counter"}, 0, time.Hour, 2
		cells, _ := p.Grid(strategies.Facts{})
		runs, err := executeIn(afterExchanges(w, 100, func() { close(stop) }), p, cells, stop)
		if !errors.Is(err, engine.ErrInterrupted) {
			t.Fatalf("ended with %v", err)
		}
		if len(runs) != 1 || !runs[0].Partial || runs[0].Audit.Verdict != results.AuditExact {
			t.Errorf("%d runs kept: %+v", len(runs), runs)
		}
		leftovers(t, w)
	})
}

// A server that dies in mid-trial ends the run with what was measured.
func TestServerDies(t *testing.T) {
	servedWorlds(t, func(t *testing.T, w world) {
		p := plan("watch", "lua")
		p.Workloads, p.Ops, p.Duration = []string{"counter"}, 0, time.Hour
		cells, _ := p.Grid(strategies.Facts{})
		runs, err := executeIn(afterExchanges(w, 100, func() {
			if err := w.server.Kill(); err != nil {
				t.Error(err)
			}
		}), p, cells, nil)
		if !errors.Is(err, engine.ErrServerLost) {
			t.Fatalf("ended with %v", err)
		}
		if len(runs) != 1 || !runs[0].Partial || runs[0].Audit != nil {
			t.Errorf("%d runs kept: %+v", len(runs), runs)
		}
	})
}

// afterExchanges is a world in which something happens once, in the midst of
// the load: when the clients have done that many exchanges.
func afterExchanges(w countingWorld, n int64, f func()) engine.World {
	left := new(atomic.Int64)
	left.Store(n)
	return eventful{w, func() {
		if left.Add(-1) == 0 {
			f()
		}
	}}
}

type eventful struct {
	countingWorld
	exchanged func()
}

func (e eventful) Dial(client int) (engine.Conn, error) {
	conn, err := e.countingWorld.Dial(client)
	if err != nil || client == engine.Control {
		return conn, err
	}
	return eventfulConn{conn, e.exchanged}, nil
}

type eventfulConn struct {
	engine.Conn
	exchanged func()
}

func (c eventfulConn) Session(key string) (strategies.Session, error) {
	session, err := c.Conn.Session(key)
	return &counting{Session: session, before: func([]resp.Cmd) { c.exchanged() }}, err
}

// Connections that are killed under load cost failed and unknown ops, never an
// update: the stored state lies within the bounds. The embedded server has no
// CLIENT KILL and is left out.
func TestConnectionsAreKilledUnderLoad(t *testing.T) {
	realWorld(t, func(t *testing.T, w world) {
		p := plan("watch", "watch-pipelined", "lua", "atomic")
		p.Workloads, p.Clients, p.Ops = []string{"counter"}, []int{8}, 4000
		p.Decisions = []time.Duration{100 * time.Microsecond}
		done := make(chan struct{})
		killed := make(chan struct{})
		go func() {
			defer close(killed)
			for {
				select {
				case <-done:
					return
				case <-time.After(20 * time.Millisecond):
					redistest.Command(t, w.server, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
				}
			}
		}()
		runs, err := execute(t, w, p, nil)
		close(done)
		<-killed
		if err != nil {
			t.Fatal(err)
		}
		lost := int64(0)
		for i := range runs {
			r := &runs[i]
			if r.Audit.Void() {
				t.Errorf("%s: audit %s", name(r), r.Audit)
			}
			if all := r.Committed + r.FailedOps() + r.Unknown; all != p.Ops {
				t.Errorf("%s: %d of %d ops accounted for", name(r), all, p.Ops)
			}
			lost += r.Unknown + r.FailedOps()
		}
		if lost == 0 {
			t.Error("no connection was hit")
		}
	})
}

// A list where the counter should be (put there after setup) fails every op
// with its class, and is not tried again for ever.
func TestEveryOpFails(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		for _, strategy := range safe() {
			p := plan(strategy)
			p.Workloads, p.Clients, p.Ops = []string{"counter"}, []int{4}, 50
			cells, _ := p.Grid(w.facts)
			if len(cells) == 0 {
				continue
			}
			runs, err := executeIn(spoiling{w, p.Prefix + "{0}"}, p, cells, nil)
			if err != nil {
				t.Fatal(err)
			}
			r := &runs[0]
			summary := results.Summaries(cells, runs)[0]
			if r.FailedOps() != p.Ops || r.Attempts != p.Ops+r.Conflicts || !summary.Dead() {
				t.Errorf("%s: %d of %d ops failed in %d attempts, dead %v", name(r), r.FailedOps(), p.Ops, r.Attempts, summary.Dead())
			}
			if !w.embedded && r.Failed["WRONGTYPE"] != p.Ops {
				t.Errorf("%s: failed by class %v", name(r), r.Failed)
			}
			if !slices.ContainsFunc(r.Warnings, func(s string) bool { return strings.Contains(s, "wrong kind of value") }) {
				t.Errorf("%s: no warning with the error's text: %v", name(r), r.Warnings)
			}
		}
		leftovers(t, w)
	})
}

// spoiling is a world in which somebody else replaces a key by a list once
// setup is done.
type spoiling struct {
	engine.World
	key string
}

func (s spoiling) Dial(client int) (engine.Conn, error) {
	conn, err := s.World.Dial(client)
	if err != nil || client == engine.Control {
		return conn, err
	}
	side, err := s.World.Dial(engine.Control)
	if err != nil {
		return conn, err
	}
	defer side.Close()
	session, err := side.Session(s.key)
	if err == nil {
		_, err = session.Exchange(resp.Cmd{"DEL", s.key}, resp.Cmd{"RPUSH", s.key, "x"})
	}
	return conn, err
}
