package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("no-rewatch", Kind{
		Summary: "watch-pipelined that answers EXEC's nil by sending MULTI ... EXEC again",
		Group:   GroupBugs, Control: true, Watches: true,
		Exchanges: func(shape Shape, _ Verdict) int { return max(shape.ReadSteps, 1) + 1 },
		Strategy:  noRewatch{},
	})
}

// noRewatch repeats only the transaction after a conflict. EXEC ends every
// watch, also an aborted one, so the repetition always succeeds and writes
// what was decided on data that has moved. A conflict costs one exchange more
// than promised.
type noRewatch struct{}

func (noRewatch) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	last := &lastExchange{Session: s}
	out := watchPipelined{}.Attempt(last, w, op)
	if out.Verdict != Conflict {
		return out
	}
	replies, err := s.Exchange(last.cmds...)
	if err != nil {
		return lost(err)
	}
	return finish(workloads.Step{Answer: out.Answer}, replies)
}

// lastExchange remembers the commands of the last exchange.
type lastExchange struct {
	Session
	cmds []resp.Cmd
}

func (l *lastExchange) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	l.cmds = cmds
	return l.Session.Exchange(cmds...)
}
