package conformance

import (
	"slices"
	"strings"
	"testing"

	"rmwbench/internal/engine"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/strategies"
)

// One op of everything that goes together can be tried out, as often as asked,
// and leaves nothing.
func TestWireLog(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := plan(strategies.All.Names()...)
		cells, _ := p.Grid(w.facts)
		for range 2 {
			logs, refused, err := engine.WireLog(w, p.Prefix, cells)
			if err != nil || len(refused) > 0 {
				t.Fatalf("refused %v, error %v", refused, err)
			}
			for _, log := range logs {
				if len(log.Exchanges) == 0 {
					t.Errorf("%s, %s: nothing was sent", log.Strategy, log.Workload)
				}
			}
		}
		leftovers(t, w)
	})
}

// Who must not load scripts or functions is told so, in the server's words, and
// the others go on; lua among them, since EVAL has left its script behind.
func TestLoadingIsRefused(t *testing.T) {
	realWorld(t, func(t *testing.T, w world) {
		redistest.Command(t, w.server, "ACL", "SETUSER", "default", "-script", "-function")
		p := plan("watch", "eval", "lua", "function", "cas-lua", "lock", "evalsha-bare")
		p.Workloads = []string{"counter"}
		cells, _ := p.Grid(w.facts)
		logs, refused, err := engine.WireLog(w, p.Prefix, cells)
		if err != nil || len(logs) != 3 {
			t.Errorf("%d logs, error %v", len(logs), err)
		}
		var names []string
		for _, r := range refused {
			names = append(names, r.Strategy)
			if !strings.Contains(r.Reason, "NOPERM") {
				t.Errorf("%s: %s", r.Strategy, r.Reason)
			}
		}
		if !slices.Equal(names, []string{"function", "cas-lua", "lock", "evalsha-bare"}) {
			t.Errorf("refused: %v", names)
		}
		leftovers(t, w)
	})
}
