package workloads

import "rmwbench/internal/resp"

// bitfield-incr adds 1 to a number of 32 bits within a string. Sent twice, it
// adds 2.
func init() {
	All.Add("bitfield-incr", counted{effect{
		summary: "add 1 to a number of 32 bits in a string", form: "BITFIELD INCRBY",
		command: func(op Op) resp.Cmd { return resp.Cmd{"BITFIELD", op.Keys[0], "INCRBY", "u32", "0", "1"} },
	}, resp.Cmd{"BITFIELD", "GET", "u32", "0"}})
}
