package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("claim-in-multi", Kind{
		Summary: "watch-pipelined that queues the claim of the op's token inside MULTI, which cannot branch on it: doubles where an op is tried again",
		Group:   GroupBugs, Control: true, Watches: true, Retries: true, Tokens: true, OnRetry: true,
		Exchanges: func(shape Shape, _ Verdict) int { return max(shape.ReadSteps, 1) + 1 },
		Strategy:  claimInMulti{},
	})
}

// claimInMulti claims the token as the first command of the transaction. EXEC
// runs the writes after it whether the claim was had or not, and tells so when
// it is too late.
type claimInMulti struct{}

func (claimInMulti) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	return watchPipelined{}.Attempt(claiming{s, resp.Cmd{"SET", op.TokenKey(), "1", "NX", "PX", op.TokenLife()}}, w, op)
}

// claiming queues a command first in every transaction.
type claiming struct {
	Session
	claim resp.Cmd
}

func (c claiming) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	if cmds[0][0] != "MULTI" {
		return c.Session.Exchange(cmds...)
	}
	return c.Session.Exchange(append([]resp.Cmd{cmds[0], c.claim}, cmds[1:]...)...)
}
