package strategies

import "rmwbench/workloads"

func init() {
	All.Add("read-before-watch", Kind{
		Summary: "reads and decides, then WATCH / MULTI + writes + EXEC",
		Group:   GroupBugs, Control: true, Watches: true, Retries: true,
		Exchanges: func(shape Shape, v Verdict) int {
			if v == Rejected {
				return shape.ReadSteps
			}
			return shape.ReadSteps + 2
		},
		Strategy: readBeforeWatch{},
	})
}

// readBeforeWatch watches too late: what moved between the read and the WATCH
// goes unseen.
type readBeforeWatch struct{}

func (readBeforeWatch) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	body := w.Begin(op)
	step, failed := decide(s, body, body.Next(nil), op.Decision)
	if failed != nil {
		return *failed
	}
	if step.Kind == workloads.Reject {
		return Outcome{Verdict: Rejected, Answer: step.Answer}
	}
	replies, err := s.Exchange(watchCmd(op))
	if failed := readFailure(replies, err); failed != nil {
		return *failed
	}
	return transact(s, step, nil)
}
