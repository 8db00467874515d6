package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("watch-naive", Kind{
		Summary: "WATCH, each read, MULTI, each write, EXEC: every command its own exchange",
		Watches: true, Retries: true,
		Exchanges: func(shape Shape, v Verdict) int {
			if v == Rejected {
				return 1 + shape.Reads + 1
			}
			return 1 + shape.Reads + 1 + shape.Writes + 1
		},
		Strategy: watchNaive{},
	})
}

// watchNaive is what a client without pipelining does.
type watchNaive struct{}

func (watchNaive) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	replies, err := s.Exchange(watchCmd(op))
	if failed := readFailure(replies, err); failed != nil {
		return *failed
	}
	one := oneByOne{s}
	body := w.Begin(op)
	step, failed := decide(one, body, body.Next(nil), op.Decision)
	if failed != nil {
		return release(s, *failed)
	}
	if step.Kind == workloads.Reject {
		return release(s, Outcome{Verdict: Rejected, Answer: step.Answer})
	}
	cmds := transaction(step.Cmds)
	replies, err = one.Exchange(cmds[:len(cmds)-1]...)
	if err != nil {
		// Nothing queued is executed before EXEC.
		return Outcome{Verdict: Failed, Error: connectionError(err)}
	}
	last, err := s.Exchange(exec)
	if err != nil {
		return lost(err)
	}
	return finish(step, append(replies, last...))
}

// oneByOne turns one exchange into one for each command.
type oneByOne struct{ Session }

func (o oneByOne) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	all := make([]resp.Reply, 0, len(cmds)+1)
	for _, cmd := range cmds {
		replies, err := o.Session.Exchange(cmd)
		if err != nil {
			return all, err
		}
		all = append(all, replies...)
	}
	return all, nil
}
