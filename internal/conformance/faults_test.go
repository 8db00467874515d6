package conformance

import (
	"testing"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/results"
	"rmwbench/strategies"
)

// Ops that are sent again after a fault are done once by ways that keep a token
// with the work, and more than once by the others; a token that is claimed where
// nothing can branch on it helps nothing.
func TestTokensMakeRetriesSafe(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		for _, name := range []string{"watch-token", "lua-token", "claim-in-multi", "watch-pipelined", "lua", "atomic"} {
			kind, err := strategies.All.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			p := plan(name)
			p.Workloads, p.Clients = []string{"counter", "debit", "transfer"}, []int{8}
			p.Faults = []contention.FaultShares{{RequestLost: 0.05, RequestCut: 0.05, ReplyLost: 0.1}}
			p.OnUnknowns, p.OnFaileds = []string{engine.PolicyRetry}, []string{engine.PolicyRetry}
			runs, err := execute(t, w, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			safe := kind.Tokens && !kind.Control
			for i := range runs {
				r := &runs[i]
				if r.Committed+r.Rejected != p.Ops {
					t.Errorf("%s: %d committed, %d rejected of %d", name, r.Committed, r.Rejected, p.Ops)
				}
				if r.Notes["fault_reply-lost"] == 0 || r.Notes["fault_request-lost"] == 0 {
					t.Errorf("%s: no faults were met: %v", name, r.Notes)
				}
				switch r.Audit.Verdict {
				case results.AuditExact:
					if !safe {
						t.Errorf("%s %s: exact although every lost reply was sent again", name, r.Workload)
					}
				case results.AuditExtra:
					if safe {
						t.Errorf("%s %s: %s", name, r.Workload, r.Audit)
					}
				default:
					t.Errorf("%s %s: %s (%s)", name, r.Workload, r.Audit.Verdict, r.Audit)
				}
			}
		}
		leftovers(t, w)
	})
}
