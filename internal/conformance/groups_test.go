package conformance

import (
	"slices"
	"testing"

	"rmwbench/results"
	"rmwbench/workloads"
)

// Effects and sequences run like any other workload: nothing fails, what is
// audited is exact, and nothing is left, tokens included.
func TestEffectsAndSequences(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		p := plan("atomic", "steps", "watch-token")
		p.Workloads = slices.DeleteFunc(workloads.All.Names(), func(name string) bool {
			w, _ := workloads.All.Get(name)
			return workloads.GroupOf(w) == ""
		})
		p.Clients, p.Ops = []int{4}, 60
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			late := r.Workload == "xadd-id" // ids of clients that are late are refused
			if !late && (r.Committed != p.Ops || r.FailedOps() > 0) {
				t.Errorf("%s: %d of %d ops committed, %v failed: %v", name(r), r.Committed, p.Ops, r.Failed, r.Warnings)
			}
			if v := r.Audit.Verdict; v != results.AuditExact && v != results.AuditNone {
				t.Errorf("%s: audit %s", name(r), r.Audit)
			}
			if !r.Witnessed() || len(r.Disagreements()) > 0 {
				t.Errorf("%s: witnessed %v, the server disagrees on %v", name(r), r.Witnessed(), r.Disagreements())
			}
		}
		leftovers(t, w)
	})
}
