package workloads

import "rmwbench/internal/resp"

// payload-lent stores a payload for a minute, then the pointer, and then keeps
// the payload: who is lost on the way leaves what ends by itself. The order has
// one hole: between pointer and PERSIST the payload may run out under the
// pointer, if the client is lost there and nobody tries again within the minute.
func init() {
	All.Add("payload-lent", pointed{linked{sequence{
		summary: "store a payload for a minute, then the pointer to it, then PERSIST the payload",
		args:    item,
		steps: func(op Op) []exchange {
			key := payload(op.Keys[0], op.Args[0])
			return []exchange{
				{cmds: []resp.Cmd{{"SET", key, "payload", "EX", "60"}}},
				{cmds: []resp.Cmd{{"SADD", op.Keys[0], op.Args[0]}}},
				{cmds: []resp.Cmd{{"PERSIST", key}}},
			}
		},
	}}})
}
