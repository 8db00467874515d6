package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("watch-token", Kind{
		Summary: "watch-pipelined that looks for the op's token and claims it in the same transaction: tried again, it answers what it answered",
		Watches: true, Retries: true, Tokens: true,
		Exchanges: func(shape Shape, _ Verdict) int { return max(shape.ReadSteps, 1) + 1 },
		Strategy:  watchToken{},
	})
}

// watchToken is watchPipelined for those who start over after an EXEC without a
// reply. The token is watched like the op's keys, so that of two attempts at
// one op at most one gets through. A transaction rolls nothing back: where a
// command of it fails, the token is taken away again.
type watchToken struct{}

func (watchToken) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	token := op.TokenKey()
	body := w.Begin(op)
	step := body.Next(nil)
	watched := append(watchCmd(op), token)
	opening := append(make([]resp.Cmd, 0, 2+len(step.Cmds)), watched, resp.Cmd{"GET", token})
	if step.Kind == workloads.Read {
		opening = append(opening, step.Cmds...)
	}
	replies, err := s.Exchange(opening...)
	if failed := readFailure(replies, err); failed != nil {
		return release(s, *failed)
	}
	if told := replies[1]; told.Kind == resp.String {
		return release(s, ended(workloads.Told(told.Str)))
	}
	if step.Kind == workloads.Read {
		step = body.Next(replies[2:])
	}
	step, failed := decide(s, body, step, op.Decision)
	if failed != nil {
		return release(s, *failed)
	}
	claimed := workloads.Step{Kind: workloads.Commit, Answer: step.Answer,
		Cmds: append(step.Cmds[:len(step.Cmds):len(step.Cmds)], workloads.Claim(token, op.TokenLife(), step))}
	out := transact(s, claimed, nil)
	switch {
	case out.Verdict == Committed:
		return ended(step)
	case out.Effect == workloads.EffectPart:
		// EXEC has run the claim although another command failed. Whoever is lost
		// before this exchange leaves a token that tells of work that was not done.
		s.Exchange(resp.Cmd{"UNLINK", token})
	}
	return out
}

// ended is the outcome of an op that was answered so.
func ended(end workloads.Step) Outcome {
	if end.Kind == workloads.Reject {
		return Outcome{Verdict: Rejected, Answer: end.Answer}
	}
	return Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: end.Answer}
}
