package workloads

import "rmwbench/internal/resp"

// setex stores a value for an hour from now. Sent again, the value converges
// and the deadline is later.
func init() {
	All.Add("setex", effect{
		summary: "store a value for an hour, from now", form: "SETEX", args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"SETEX", op.Keys[0], "3600", op.Args[0]} },
	})
}
