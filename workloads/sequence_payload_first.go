package workloads

import "rmwbench/internal/resp"

// payload-first stores a payload and then the pointer to it. Who is lost in
// between leaves a payload that nothing points to, without an end.
func init() {
	All.Add("payload-first", pointed{linked{sequence{
		summary: "store a payload, then the pointer to it",
		args:    item,
		steps: func(op Op) []exchange {
			return []exchange{
				{cmds: []resp.Cmd{{"SET", payload(op.Keys[0], op.Args[0]), "payload"}}},
				{cmds: []resp.Cmd{{"SADD", op.Keys[0], op.Args[0]}}},
			}
		},
	}}})
}
