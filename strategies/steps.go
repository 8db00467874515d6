package strategies

import "rmwbench/workloads"

func init() {
	All.Add("steps", Kind{
		Summary:   "the steps of an op one after the other, each an exchange; nothing holds them together",
		Exchanges: func(shape Shape, _ Verdict) int { return shape.Steps },
		Applies:   needsSteps,
		Strategy:  steps{},
	})
}

// steps does what programs do that never heard of partial failure. From the
// first write on, an attempt that breaks may have been applied in part.
type steps struct{}

func (steps) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	body := w.(workloads.Stepped).Steps(op)
	written := false
	step := body.Next(nil)
	for {
		switch step.Kind {
		case workloads.Fail:
			return Outcome{Verdict: Failed, Error: step.Error, Effect: partIf(written)}
		case workloads.Reject:
			return Outcome{Verdict: Rejected, Answer: step.Answer}
		}
		writes := step.Kind != workloads.Read
		if len(step.Cmds) > 0 {
			replies, err := s.Exchange(step.Cmds...)
			switch text := firstError(replies); {
			case err != nil && (writes || written):
				return lost(err)
			case err != nil:
				return *readFailure(nil, err)
			case text != "":
				return Outcome{Verdict: Failed, Error: text, Effect: partIf(writes || written)}
			}
			written = written || writes
			if step.Kind != workloads.Commit {
				step = body.Next(replies)
				continue
			}
		}
		return Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: step.Answer}
	}
}

func partIf(written bool) workloads.Effect {
	if written {
		return workloads.EffectPart
	}
	return workloads.EffectNone
}

func needsSteps(w workloads.Workload, _ Facts) string {
	if _, ok := w.(workloads.Stepped); ok {
		return ""
	}
	return "its op is no sequence of steps"
}
