package workloads

import "rmwbench/internal/resp"

// delete-first removes the payload before the pointer: who is lost in between
// leaves a broken reference.
func init() {
	All.Add("delete-first", linked{sequence{
		summary: "remove a payload, then the pointer to it",
		setup:   allItems,
		args:    itemOrBack,
		steps: func(op Op) []exchange {
			if op.Args[1] == back {
				return []exchange{{cmds: putBack(op)}}
			}
			return []exchange{
				{cmds: []resp.Cmd{{"DEL", payload(op.Keys[0], op.Args[0])}}},
				{cmds: []resp.Cmd{{"SREM", op.Keys[0], op.Args[0]}}},
			}
		},
	}})
}
