package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("watch-pipelined", Kind{
		Summary: "WATCH + first reads / MULTI + writes + EXEC: the shortest window",
		Watches: true, Retries: true,
		Exchanges: func(shape Shape, _ Verdict) int { return max(shape.ReadSteps, 1) + 1 },
		Strategy:  watchPipelined{},
	})
}

// watchPipelined sends WATCH and the first reads as one write. The server
// serves a connection's commands in order, so the reads see watched keys.
type watchPipelined struct{}

func (watchPipelined) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	body := w.Begin(op)
	step := body.Next(nil)
	opening := append(make([]resp.Cmd, 0, 1+len(step.Cmds)), watchCmd(op))
	if step.Kind == workloads.Read {
		opening = append(opening, step.Cmds...)
	}
	replies, err := s.Exchange(opening...)
	if failed := readFailure(replies, err); failed != nil {
		return release(s, *failed)
	}
	if step.Kind == workloads.Read {
		step = body.Next(replies[1:])
	}
	step, failed := decide(s, body, step, op.Decision)
	return transact(s, step, failed)
}
