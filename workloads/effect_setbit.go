package workloads

import "rmwbench/internal/resp"

// setbit sets a bit. Sent twice, it is set.
func init() {
	All.Add("setbit", effect{
		summary: "set a bit", form: "SETBIT", args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"SETBIT", op.Keys[0], op.Args[0], "1"} },
	})
}
