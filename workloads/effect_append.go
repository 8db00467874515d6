package workloads

import "rmwbench/internal/resp"

// append lengthens a string by one byte. Sent twice, it does so by two.
func init() {
	All.Add("append", counted{effect{
		summary: "append a byte to a string", form: "APPEND",
		command: func(op Op) resp.Cmd { return resp.Cmd{"APPEND", op.Keys[0], "x"} },
	}, resp.Cmd{"STRLEN"}})
}
