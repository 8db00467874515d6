package workloads

import "rmwbench/internal/resp"

// payload-expires stores a payload for a minute and a pointer without an end:
// after the minute the pointer is broken, although nothing has failed.
func init() {
	All.Add("payload-expires", pointed{linked{sequence{
		summary: "store a payload for a minute, then a pointer without an end",
		args:    item,
		steps: func(op Op) []exchange {
			return []exchange{
				{cmds: []resp.Cmd{{"SET", payload(op.Keys[0], op.Args[0]), "payload", "EX", "60"}}},
				{cmds: []resp.Cmd{{"SADD", op.Keys[0], op.Args[0]}}},
			}
		},
	}}})
}
