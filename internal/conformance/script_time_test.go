package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// spinning is a strategy whose scripts spin before they do the op.
type spinning struct{ strategies.Strategy }

func (s spinning) Attempt(session strategies.Session, w workloads.Workload, op workloads.Op) strategies.Outcome {
	op.Spin = 3
	return s.Strategy.Attempt(session, w, op)
}

// scriptWays are the strategies that run a workload's script.
func scriptWays() (names []string) {
	for _, name := range strategies.All.Names() {
		if kind, _ := strategies.All.Get(name); kind.Scripts {
			names = append(names, name)
		}
	}
	return names
}

// A spinning script answers and leaves what the script does that does not spin,
// in every state and however it is called.
func TestSpinningScripts(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		plain, _ := strategies.All.Get("lua")
		for _, name := range workloads.All.Names() {
			workload, _ := workloads.All.Get(name)
			if _, ok := workload.(workloads.Scripted); !ok {
				continue
			}
			for _, way := range scriptWays() {
				kind, _ := strategies.All.Get(way)
				if kind.NotApplicable(workload, w.facts) != "" {
					continue
				}
				t.Run(name+" "+way, func(t *testing.T) {
					if kind.Prepare != nil {
						do(t, w.dial(t, 1), kind.Prepare(workload)...)
					}
					differential(t, w, 60, workload, spinning{kind.Strategy}, plain.Strategy, never)
				})
			}
		}
	})
}

// scriptTimes is a plan in which scripts keep the server busy.
func scriptTimes(names ...string) *engine.Plan {
	p := plan(names...)
	p.Workloads, p.Clients, p.ScriptTimes = []string{"counter", "debit"}, []int{1, 4}, []time.Duration{300 * time.Microsecond}
	p.Ops = 200
	return p
}

// unchecked reports whether a run warns that nobody has checked its script time.
func unchecked(r *results.Run) bool {
	return slices.ContainsFunc(r.Warnings, func(s string) bool { return strings.Contains(s, "nobody has checked it") })
}

// Scripts that keep the server busy lose nothing either: every op is answered,
// the state is exact, the server counts what we count, and the run says what
// script time came to if the server does. Ways without a script have none.
func TestRunsWithScriptTime(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := scriptTimes("watch", "lua", "lua-token", "eval", "function", "cas-lua", "atomic")
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		spun := 0
		for i := range runs {
			r := &runs[i]
			kind, _ := strategies.All.Get(r.Strategy)
			if got := time.Duration(r.ScriptTimeNS); got != map[bool]time.Duration{true: p.ScriptTimes[0]}[kind.Scripts] {
				t.Errorf("%s: a script time of %v", name(r), got)
			}
			if r.Partial || r.Audit.Verdict != results.AuditExact || r.Committed+r.Rejected != p.Ops {
				t.Errorf("%s: partial %v, audit %s, %d of %d ops answered", name(r), r.Partial, r.Audit, r.Committed+r.Rejected, p.Ops)
			}
			achieved := r.Achieved.ScriptTimeNS
			switch {
			case !kind.Scripts, w.embedded:
				if achieved != nil {
					t.Errorf("%s: achieved %+v", name(r), achieved)
				}
			case achieved == nil || achieved.Mean <= 0 || achieved.P50 > achieved.P99 || achieved.Quantiles[0] > achieved.P50:
				t.Errorf("%s: achieved %+v", name(r), achieved)
			default:
				spun++
			}
			if unchecked(r) != (w.embedded && kind.Scripts) {
				t.Errorf("%s: warnings %q", name(r), r.Warnings)
			}
			if !w.embedded && (!r.Witnessed() || len(r.Disagreements()) > 0) {
				t.Errorf("%s: witnessed %v, the server disagrees on %v", name(r), r.Witnessed(), r.Disagreements())
			}
		}
		if spun == 0 && !w.embedded {
			t.Error("no script kept a server busy")
		}
		leftovers(t, w)
	})
}

// Who may not ask for statistics is told that nobody has checked script time.
func TestScriptTimeUnchecked(t *testing.T) {
	realWorld(t, func(t *testing.T, w world) {
		do(t, w.dial(t, 0), []string{"ACL", "SETUSER", "default", "-info"})
		runs, err := execute(t, w, scriptTimes("lua"), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			if r := &runs[i]; r.Achieved.ScriptTimeNS != nil || !unchecked(r) || r.Audit.Verdict != results.AuditExact {
				t.Errorf("%s: achieved %+v, audit %s, warnings %q", name(r), r.Achieved.ScriptTimeNS, r.Audit, r.Warnings)
			}
		}
	})
}
