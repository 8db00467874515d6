package conformance

import (
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
)

// Beside bystanders every strategy keeps its promises: nothing is lost, the
// counts add up without them, and the server counted our commands and theirs.
func TestRunsBesideBystanders(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		shapes := map[string]opShapes{"counter": shapesOf(t, w, "counter"), "debit": shapesOf(t, w, "debit")}
		for _, b := range []contention.Bystanders{{Clients: 3}, {Clients: 2, Closed: true}} {
			p := plan("watch", "watch-pipelined", "lua", "atomic", "lock")
			p.Workloads, p.Clients, p.Ops, p.Bystanders = []string{"counter", "debit"}, []int{4}, 80, b
			p.Thinks, p.RTTs = []time.Duration{time.Millisecond}, []time.Duration{500 * time.Microsecond}
			runs, err := execute(t, w, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			var reads, sent int64
			for i := range runs {
				r := &runs[i]
				if r.Partial || r.Audit.Verdict != results.AuditExact {
					t.Errorf("%s: partial %v, audit %s (%s)", name(r), r.Partial, r.Audit.Verdict, r.Audit)
				}
				if got := r.Committed + r.Rejected; got != p.Ops || r.Unfinished != 0 {
					t.Errorf("%s: %d ops answered and %d unfinished of %d", name(r), got, r.Unfinished, p.Ops)
				}
				checkIdentities(t, r)
				checkExchanges(t, r, shapes[r.Workload])
				if r.BystanderFailed != 0 || r.BystanderLatency.Count() != r.BystanderReads || r.Bystanders != b.Clients || r.BystandersClosed != b.Closed {
					t.Errorf("%s: %d reads by %d bystanders, %d latencies, %d failed", name(r), r.BystanderReads, r.Bystanders, r.BystanderLatency.Count(), r.BystanderFailed)
				}
				if !w.embedded && (!r.Witnessed() || len(r.Disagreements()) > 0) {
					t.Errorf("%s: witnessed %v, the server disagrees on %v", name(r), r.Witnessed(), r.Disagreements())
				}
				reads += r.BystanderReads
				sent += r.Whole.Commands["get"]
			}
			if reads == 0 || sent < reads {
				t.Errorf("%d reads, %d sent", reads, sent)
			}
		}
		leftovers(t, w)
	})
}
