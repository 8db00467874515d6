package strategies

import "rmwbench/workloads"

func init() {
	All.Add("watch", Kind{
		Summary: "WATCH / reads / MULTI + writes + EXEC: one exchange each",
		Watches: true, Retries: true,
		Exchanges: func(shape Shape, _ Verdict) int { return 1 + shape.ReadSteps + 1 },
		Strategy:  watch{},
	})
}

// watch is the optimistic transaction as most programs write it.
// https://redis.io/docs/latest/develop/using-commands/transactions/#optimistic-locking-using-check-and-set
type watch struct{}

func (watch) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	replies, err := s.Exchange(watchCmd(op))
	if failed := readFailure(replies, err); failed != nil {
		return *failed
	}
	body := w.Begin(op)
	step, failed := decide(s, body, body.Next(nil), op.Decision)
	return transact(s, step, failed)
}
