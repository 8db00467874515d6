package strategies

import "rmwbench/workloads"

func init() {
	All.Add("unsafe", Kind{
		Summary: "reads / writes without any protection: loses updates",
		Control: true,
		Exchanges: func(shape Shape, v Verdict) int {
			if v == Rejected {
				return shape.ReadSteps
			}
			return shape.ReadSteps + 1
		},
		Strategy: unsafe{},
	})
}

// unsafe reads, decides and writes, and believes that nobody else did.
type unsafe struct{}

func (unsafe) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	body := w.Begin(op)
	step, failed := decide(s, body, body.Next(nil), op.Decision)
	if failed != nil {
		return *failed
	}
	if step.Kind == workloads.Reject {
		return Outcome{Verdict: Rejected, Answer: step.Answer}
	}
	replies, err := s.Exchange(step.Cmds...)
	if err != nil {
		return lost(err)
	}
	if text := firstError(replies); text != "" {
		return Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: text}
	}
	return Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: step.Answer}
}
