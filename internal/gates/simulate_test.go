package gates

import (
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/internal/sim"
	"rmwbench/results"
	"rmwbench/strategies"
)

// jittered is the profile of the reference system: 2 us for each command, half
// of each one-way delay fixed, half exponential.
var jittered = builtIn("ideal")

func builtIn(name string) *profile.Profile {
	p, err := profile.Open(name)
	if err != nil {
		panic(err)
	}
	return p
}

// way is one way to increment counters at one point.
type way struct {
	point
	strategy string
	backoff  string
}

// plan is an experiment in the reference system, of one cell. The decision of
// a script is the script's own time.
func (w way) plan(warmup, duration float64) *engine.Plan {
	return &engine.Plan{
		Strategies: []string{w.strategy}, Workloads: []string{"counter"}, Clients: []int{w.clients}, Keys: []int{w.keys},
		Dists: []string{"zipf"}, Skews: []float64{w.skew}, Hots: []contention.Hot{{}},
		Decisions: []time.Duration{us(w.decision)}, Thinks: []time.Duration{0}, RTTs: []time.Duration{us(roundTrip)},
		ScriptTimes: []time.Duration{us(w.decision)},
		Backoffs:    []string{w.backoff}, MaxTries: []int{0}, BackoffBase: us(backoffBase), BackoffCap: us(backoffCap),
		Warmup: us(warmup), Duration: us(duration), Trials: 1, Seed: 1, Prefix: "gates:",
	}
}

// us is a number of microseconds.
func us(t float64) time.Duration { return time.Duration(t * 1000) }

// onlyCell is the one cell of a plan.
func onlyCell(t *testing.T, plan *engine.Plan) results.Cell {
	t.Helper()
	if err := plan.Validate(); err != nil {
		t.Fatal(err)
	}
	cells, na := plan.Grid(strategies.Facts{})
	if len(cells) != 1 || len(na) > 0 {
		t.Fatalf("%d cells, not applicable %v", len(cells), na)
	}
	return cells[0]
}

// simulate runs one trial of a plan of one cell.
func simulate(t *testing.T, plan *engine.Plan, number int, p *profile.Profile) *results.Run {
	t.Helper()
	run, err := sim.Trial(plan, onlyCell(t, plan), number, p)
	if err != nil {
		t.Fatal(err)
	}
	if run.Partial || run.Audit.Verdict != results.AuditExact {
		t.Fatalf("partial %v, audit %v, warnings %q", run.Partial, run.Audit, run.Warnings)
	}
	return run
}

// found is what a run came to.
func found(run *results.Run) prediction {
	return prediction{goodput: run.Goodput(), p: float64(run.Conflicts) / float64(run.Attempts)}
}
