package workloads

import "rmwbench/internal/resp"

// hset stores a field. Sent twice, nothing changes.
func init() {
	All.Add("hset", effect{
		summary: "store a field of a hash", form: "HSET", args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"HSET", op.Keys[0], "status", op.Args[0]} },
	})
}
