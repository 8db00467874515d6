package conformance

import (
	"sync/atomic"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
)

// A server that restarts with its data, and all whose connections are killed
// again and again, leaves no half op and no double one: every op is accounted
// for, and what is stored lies within what clients know.
func TestServerRestartsUnderLoad(t *testing.T) {
	server, err := redisd.Start(redistest.Path(t), "--appendonly", "yes", "--appendfsync", "no")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop() }) // the one of the last restart
	w, err := live.Open(live.Target{Network: server.Network, Address: server.Address, Started: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	facts, err := w.Facts()
	if err != nil {
		t.Fatal(err)
	}
	known, err := w.Known(facts)
	if err != nil {
		t.Fatal(err)
	}
	for _, strategy := range []string{"watch", "lua", "function"} {
		p := plan(strategy)
		p.Workloads, p.Clients, p.Ops = []string{"transfer"}, []int{8}, 3000
		p.OnFaileds = []string{engine.PolicyRetry}
		p.Decisions = []time.Duration{100 * time.Microsecond}
		cells, _ := p.Grid(known)
		kill := func() { redistest.Command(t, server, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes") }
		restart := func() {
			again, err := server.Restart()
			if err != nil {
				t.Error(err)
				return
			}
			server = again
		}
		at := map[int64]func(){400: kill, 800: restart, 1200: kill, 1600: kill}
		var exchanges atomic.Int64
		runs, err := executeIn(eventful{w, func() {
			if f := at[exchanges.Add(1)]; f != nil {
				f()
			}
		}}, p, cells, nil)
		if err != nil {
			t.Fatalf("%s: %v", strategy, err)
		}
		r := &runs[0]
		if all := r.Committed + r.Rejected + r.FailedOps() + r.Unknown; r.Partial || all != p.Ops {
			t.Errorf("%s: partial %v, %d of %d ops accounted for", strategy, r.Partial, all, p.Ops)
		}
		if r.Audit.Void() {
			t.Errorf("%s: audit %s", strategy, r.Audit)
		}
		if r.Verdicts["failed"]+r.Verdicts["unknown"] == 0 {
			t.Errorf("%s: no connection was hit: %v", strategy, r.Verdicts)
		}
	}
}
