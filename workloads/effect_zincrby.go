package workloads

import "rmwbench/internal/resp"

// zincrby adds 1 to a member's score. Sent twice, it adds 2.
func init() {
	All.Add("zincrby", counted{effect{
		summary: "add 1 to the score of a member", form: "ZINCRBY",
		command: func(op Op) resp.Cmd { return resp.Cmd{"ZINCRBY", op.Keys[0], "1", "player"} },
	}, resp.Cmd{"ZSCORE", "player"}})
}
