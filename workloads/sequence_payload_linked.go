package workloads

import "rmwbench/internal/resp"

// payload-linked stores a payload for a minute, and then the pointer together
// with PERSIST, in one transaction: who is lost before leaves what ends by
// itself, and nothing is ever pointed to that can run out.
func init() {
	All.Add("payload-linked", pointed{linked{sequence{
		summary: "store a payload for a minute, then the pointer and PERSIST in one transaction",
		args:    item,
		steps: func(op Op) []exchange {
			key := payload(op.Keys[0], op.Args[0])
			return []exchange{
				{cmds: []resp.Cmd{{"SET", key, "payload", "EX", "60"}}},
				{cmds: []resp.Cmd{{"MULTI"}, {"PERSIST", key}, {"SADD", op.Keys[0], op.Args[0]}, {"EXEC"}}},
			}
		},
	}}})
}
