package workloads

import "rmwbench/internal/resp"

// set stores an absolute value. Sent twice, nothing changes - unless somebody
// else has written in between, whose update the second one overwrites.
func init() {
	All.Add("set", plainSet{effect{
		summary: "store a value", form: "SET", setup: firstString, args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"SET", op.Keys[0], op.Args[0]} },
	}})
}

type plainSet struct{ effect }

// ReadBack reads the value: it is the op's own if the op was applied and nobody
// has written since, or if somebody else has written the same.
func (plainSet) ReadBack(op Op) []resp.Cmd { return []resp.Cmd{{"GET", op.Keys[0]}} }

func (plainSet) Applied(op Op, replies []resp.Reply) bool { return replies[0].Str == op.Args[0] }
