package workloads

import "rmwbench/internal/resp"

// claim-no-end claims the token by SETNX and gives it an end afterwards. A
// client that is lost in between leaves a token that never expires, and an op
// that is never done.
func init() {
	All.Add("claim-no-end", claiming{sequence{
		summary: "SETNX the op's token, EXPIRE it, then add 1: three exchanges",
		setup:   firstString,
		steps: func(op Op) []exchange {
			return []exchange{
				{cmds: []resp.Cmd{{"SETNX", op.TokenKey(), "1"}}, done: isZero},
				{cmds: []resp.Cmd{{"PEXPIRE", op.TokenKey(), op.TokenLife()}}},
				{cmds: []resp.Cmd{{"INCRBY", op.Keys[0], "1"}}},
			}
		},
	}})
}

func isZero(replies []resp.Reply) bool { return replies[0].Kind == resp.Int && replies[0].Int == 0 }
