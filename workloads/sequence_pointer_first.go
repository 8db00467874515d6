package workloads

import "rmwbench/internal/resp"

// pointer-first stores the pointer before what it points to. Who is lost in
// between leaves a broken reference; until then every reader may meet one.
func init() {
	All.Add("pointer-first", pointed{linked{sequence{
		summary: "store a pointer, then the payload that it points to",
		args:    item,
		steps: func(op Op) []exchange {
			return []exchange{
				{cmds: []resp.Cmd{{"SADD", op.Keys[0], op.Args[0]}}},
				{cmds: []resp.Cmd{{"SET", payload(op.Keys[0], op.Args[0]), "payload"}}},
			}
		},
	}}})
}
