package workloads

import (
	"math/rand/v2"

	"rmwbench/internal/resp"
)

// unlink-first removes the pointer before the payload: who is lost in between
// leaves a payload that nothing points to. Every other op puts back what the
// one before has removed.
func init() {
	All.Add("unlink-first", linked{sequence{
		summary: "remove a pointer, then its payload",
		setup:   allItems,
		args:    itemOrBack,
		steps: func(op Op) []exchange {
			if op.Args[1] == back {
				return []exchange{{cmds: putBack(op)}}
			}
			return []exchange{
				{cmds: []resp.Cmd{{"SREM", op.Keys[0], op.Args[0]}}},
				{cmds: []resp.Cmd{{"DEL", payload(op.Keys[0], op.Args[0])}}},
			}
		},
	}})
}

// allItems is the setup of workloads that remove.
func allItems(base string) (cmds []resp.Cmd) {
	for i := range items {
		cmds = append(cmds, resp.Cmd{"SET", payload(base, text(int64(i))), "payload"}, resp.Cmd{"SADD", base, text(int64(i))})
	}
	return cmds
}

const gone = "remove"

// itemOrBack removes an item, or puts it back.
func itemOrBack(rng *rand.Rand, n int) []string {
	if n%2 == 1 {
		return append(item(rng, n), back)
	}
	return append(item(rng, n), gone)
}

func putBack(op Op) []resp.Cmd {
	return []resp.Cmd{{"MULTI"}, {"SET", payload(op.Keys[0], op.Args[0]), "payload"}, {"SADD", op.Keys[0], op.Args[0]}, {"EXEC"}}
}
