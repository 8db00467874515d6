package fault

import (
	"time"

	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

// Read-modify-writes that are tried again, with and without a token that tells
// that an op was done.
func init() {
	const loops, tokens = "tried again", "with a token"
	add := func(group, name, strategy, workload, summary string, promise ...Flaw) {
		Designs.Add(name, Design{Group: group, Summary: summary, Strategy: strategy, Workload: workload, Promise: promise})
	}
	add(loops, "watch-restart", "watch-pipelined", "counter", "a WATCH loop that starts over after an EXEC without a reply", Doubles)
	add(loops, "cas-restart", "cas-lua", "counter", "a compare-and-set loop that starts over", Doubles)
	add(loops, "script-resent", "lua", "counter", "a script that is sent again", Doubles)
	add(loops, "function-resent", "function", "counter", "a function that is called again", Doubles)
	add(loops, "debit-resent", "lua", "debit", "a conditional debit by a script that is sent again", Doubles)
	Designs.Add("debit-drained", Design{
		Group: loops, Summary: "a conditional debit by a script that is sent again, after another client has taken all: the retry is refused, and the debit was made",
		Strategy: "lua", Workload: "debit", Other: takeAll, Promise: []Flaw{Doubles, Misreports},
	})
	add(loops, "transfer-restart", "watch-pipelined", "transfer", "a transfer by a WATCH loop that starts over", Doubles)
	add(loops, "feed-resent", "lua", "feed", "payload and pointer in one script that is sent again", Doubles)

	add(tokens, "watch-token", "watch-token", "counter", "a WATCH loop that claims the op's token in the same transaction")
	add(tokens, "script-token", "lua-token", "counter", "a script that claims the op's token with the work")
	add(tokens, "debit-token", "lua-token", "debit", "a conditional debit whose token keeps the answer, also a rejection")
	Designs.Add("debit-drained-token", Design{
		Group: tokens, Summary: "a conditional debit by a script with a token, after another client has taken all: the retry gives the first answer",
		Strategy: "lua-token", Workload: "debit", Other: takeAll,
	})
	add(tokens, "transfer-token", "watch-token", "transfer", "a transfer that claims its token in the same transaction")
	add(tokens, "feed-token", "lua-token", "feed", "payload, pointer and token in one script")
	add(tokens, "lpush-token", "watch-token", "lpush", "LPUSH in a transaction that claims a token")
	add(tokens, "claim-in-multi", "claim-in-multi", "counter", "the claim queued inside MULTI, which cannot branch on it", Doubles)
	add(tokens, "claim-apart", "steps", "claim-apart", "the claim in an exchange of its own, then the work", UnderCounts)
	add(tokens, "claim-no-end", "steps", "claim-no-end", "SETNX, EXPIRE, then the work", UnderCounts, TokenStays)
	for name, d := range map[string]Design{
		"script-token-short": {Strategy: "lua-token", Summary: "a script whose token has expired when it is sent again"},
		"watch-token-short":  {Strategy: "watch-token", Summary: "a WATCH loop whose token has expired when it starts over"},
	} {
		d.Group, d.Workload, d.Token, d.Promise = tokens, "counter", 30*time.Millisecond, []Flaw{Doubles}
		Designs.Add(name, d)
	}
}

// takeAll takes the opening balance, which leaves a debt if a debit was made
// before.
func takeAll(base string) []resp.Cmd {
	debit, err := workloads.All.Get("debit")
	if err != nil {
		panic(err)
	}
	return []resp.Cmd{{"DECRBY", base, debit.Setup(base)[0][2]}}
}
