package workloads

import "rmwbench/internal/resp"

// expire gives a key an hour from the time at which the server is asked. Sent
// again later, the deadline is later.
func init() {
	All.Add("expire", effect{
		summary: "give a key an hour to live, from now", form: "EXPIRE", setup: firstString,
		command: func(op Op) resp.Cmd { return resp.Cmd{"EXPIRE", op.Keys[0], "3600"} },
	})
}
