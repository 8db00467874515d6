package fault

import "rmwbench/internal/resp"

// Single commands, sent again until a reply comes.
func init() {
	const accumulating, converging = "accumulating", "converging"
	single := func(group, workload, summary string, promise ...Flaw) {
		Designs.Add(workload, Design{Group: group, Summary: summary, Strategy: "atomic", Workload: workload, Promise: promise})
	}
	Designs.Add("incrby", Design{Group: accumulating, Summary: "INCRBY, sent again", Strategy: "atomic", Workload: "counter", Promise: []Flaw{Doubles}})
	single(accumulating, "lpush", "LPUSH, sent again", Doubles)
	single(accumulating, "rpush", "RPUSH, sent again", Doubles)
	single(accumulating, "zincrby", "ZINCRBY, sent again", Doubles)
	single(accumulating, "append", "APPEND, sent again", Doubles)
	single(accumulating, "bitfield-incr", "BITFIELD INCRBY, sent again", Doubles)
	single(accumulating, "xadd", "XADD with an id of the server's, sent again", Doubles)
	single(accumulating, "expire", "EXPIRE for an hour from now, sent again", Drifts)
	single(accumulating, "setex", "SETEX for an hour from now, sent again: the value converges", Drifts)

	Designs.Add("set", Design{
		Group: converging, Summary: "SET of an absolute value, sent again: it overwrites who came in between", Strategy: "atomic", Workload: "set",
		Other: addTen, Promise: []Flaw{Overwrites},
	})
	single(converging, "hset", "HSET of a computed value, sent again")
	single(converging, "zadd", "ZADD of a computed score, sent again")
	single(converging, "sadd", "SADD of a member with a name, sent again")
	single(converging, "setbit", "SETBIT, sent again")
	single(converging, "xadd-id", "XADD with an id of the client's, sent again, its refusal taken for success: a client that came late is told so too", UnderCounts)
	single(converging, "del", "DEL, sent again")
	single(converging, "expireat", "EXPIREAT a computed time, sent again")

	Designs.Add("set-readback", Design{
		Group: "reading back", Summary: "SET; after an unknown, GET: the own value means applied, another one not", Strategy: "atomic", Workload: "set",
		ReadBack: true, Other: addTen, Promise: []Flaw{Overwrites},
	})
}

// addTen reads and writes in one: its answer tells whose value it saw.
func addTen(base string) []resp.Cmd { return []resp.Cmd{{"INCRBY", base, "10"}} }
