package workloads

import "rmwbench/internal/resp"

// lpush puts an element before a list. Sent twice, it is there twice.
func init() {
	All.Add("lpush", counted{effect{
		summary: "put an element before a list", form: "LPUSH", args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"LPUSH", op.Keys[0], op.Args[0]} },
	}, resp.Cmd{"LLEN"}})
}
