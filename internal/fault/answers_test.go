package fault

import (
	"testing"

	"rmwbench/contention"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// forgetful does an op as another strategy does, and gives a retry another
// answer.
type forgetful struct{ strategies.Strategy }

func (f forgetful) Attempt(s strategies.Session, w workloads.Workload, op workloads.Op) strategies.Outcome {
	out := f.Strategy.Attempt(s, w, op)
	if op.Attempt > 1 {
		out.Answer = "another"
	}
	return out
}

// A design with tokens that answers a retry otherwise than the first time is
// found, although the op was applied once.
func TestAnswersOfRetriesAreCompared(t *testing.T) {
	for _, name := range []string{"watch-token", "script-token"} {
		design, err := Designs.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		tester, err := newTester(simulated(t), design)
		if err != nil {
			t.Fatal(err)
		}
		tester.strategy.Strategy = forgetful{tester.strategy.Strategy}
		if err := tester.open(); err != nil {
			t.Fatal(err)
		}
		defer tester.close()
		last := len(tester.commands)
		c, err := tester.run(Point{Exchange: last, Fault: contention.Fault{Kind: contention.ReplyLost}})
		if err != nil {
			t.Fatal(err)
		}
		if c.Applied != AppliedOnce || len(c.Flaws) != 1 || c.Flaws[0] != Misreports {
			t.Errorf("%s: applied %s, %q", name, c.Applied, c.Flaws)
		}
	}
}
