package workloads

import "rmwbench/internal/resp"

// sadd adds a member that has a name. Sent twice, it is there once.
func init() {
	All.Add("sadd", effect{
		summary: "add a member to a set", form: "SADD", args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"SADD", op.Keys[0], op.Args[0]} },
	})
}
