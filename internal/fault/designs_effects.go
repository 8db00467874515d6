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
	Designs.Add("setex", Design{
		Group: accumulating, Summary: "SETEX for an hour from now, sent again: the value converges, the deadline does not", Strategy: "atomic", Workload: "setex",
		Other: addTen, Promise: []Flaw{Overwrites, Drifts},
	})

	// An absolute value overwrites who came in between, whoever has read it.
	for name, d := range map[string]Design{
		"set":  {Summary: "SET of an absolute value, sent again", Other: addTen},
		"hset": {Summary: "HSET of an absolute value, sent again", Other: addTenToField},
		"zadd": {Summary: "ZADD of an absolute score, sent again", Other: addTenToScore},
	} {
		d.Group, d.Strategy, d.Workload, d.Promise = converging, "atomic", name, []Flaw{Overwrites}
		Designs.Add(name, d)
	}
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

// addTen and its like read and write in one: the answer tells whose value they
// saw.
func addTen(base string) []resp.Cmd { return []resp.Cmd{{"INCRBY", base, "10"}} }

func addTenToField(base string) []resp.Cmd { return []resp.Cmd{{"HINCRBY", base, "status", "10"}} }

func addTenToScore(base string) []resp.Cmd { return []resp.Cmd{{"ZINCRBY", base, "10", "player"}} }
