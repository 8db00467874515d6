package workloads

import "rmwbench/internal/resp"

// del removes a key. Sent twice, it is gone.
func init() {
	All.Add("del", effect{
		summary: "remove a key", form: "DEL", setup: firstString,
		command: func(op Op) resp.Cmd { return resp.Cmd{"DEL", op.Keys[0]} },
	})
}
