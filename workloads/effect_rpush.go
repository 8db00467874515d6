package workloads

import "rmwbench/internal/resp"

// rpush puts an element behind a list. Sent twice, it is there twice.
func init() {
	All.Add("rpush", counted{effect{
		summary: "put an element behind a list", form: "RPUSH", args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"RPUSH", op.Keys[0], op.Args[0]} },
	}, resp.Cmd{"LLEN"}})
}
