package workloads

import "rmwbench/internal/resp"

// xadd adds an entry whose id the server makes. Sent twice, there are two
// entries, and nothing tells that they are one.
func init() {
	All.Add("xadd", counted{effect{
		summary: "add an entry to a stream, under an id of the server's", form: "XADD *", args: oneToken,
		command: func(op Op) resp.Cmd { return resp.Cmd{"XADD", op.Keys[0], "*", "event", op.Args[0]} },
	}, resp.Cmd{"XLEN"}})
}
