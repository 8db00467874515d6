package workloads

import "rmwbench/internal/resp"

// claim-apart claims the op's token in an exchange of its own and then works. A
// client that is lost in between leaves an op that is claimed and not done; who
// tries again is told that it was.
func init() {
	All.Add("claim-apart", claiming{sequence{
		summary: "claim the op's token, then add 1: two exchanges",
		setup:   firstString,
		steps: func(op Op) []exchange {
			return []exchange{
				{cmds: []resp.Cmd{{"SET", op.TokenKey(), "1", "NX", "PX", op.TokenLife()}}, done: isNil},
				{cmds: []resp.Cmd{{"INCRBY", op.Keys[0], "1"}}},
			}
		},
	}})
}

// claiming is a sequence that leaves tokens, and adds 1.
type claiming struct{ sequence }

func (claiming) Tokened() {}

// Begin is the work without the claim: a transaction cannot branch on it.
func (c claiming) Begin(op Op) Body { return blind{resp.Cmd{"INCRBY", op.Keys[0], "1"}} }

func (claiming) NewLedger() Ledger {
	return &tally{direction: +1, amount: func(Op) int64 { return 1 }, reads: readString, value: oneNumber}
}

func isNil(replies []resp.Reply) bool { return replies[0].Kind == resp.Nil }
