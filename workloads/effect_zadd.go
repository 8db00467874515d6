package workloads

import "rmwbench/internal/resp"

// zadd stores a score that the client has computed. Sent twice, nothing changes.
func init() {
	All.Add("zadd", effect{
		summary: "store a computed score", form: "ZADD", args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"ZADD", op.Keys[0], op.Args[0], "player"} },
	})
}
