package strategies

import "rmwbench/workloads"

func init() {
	All.Add("nil-as-success", Kind{
		Summary: "watch-pipelined that takes EXEC's nil for success",
		Group:   GroupBugs, Control: true, Watches: true,
		Exchanges: func(shape Shape, _ Verdict) int { return max(shape.ReadSteps, 1) + 1 },
		Strategy:  nilAsSuccess{},
	})
}

// nilAsSuccess does everything right and then only looks for an error, which
// an aborted EXEC is not.
type nilAsSuccess struct{}

func (nilAsSuccess) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	out := watchPipelined{}.Attempt(s, w, op)
	if out.Verdict == Conflict {
		return Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: out.Answer}
	}
	return out
}
