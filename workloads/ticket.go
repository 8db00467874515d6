package workloads

import (
	"fmt"
	"math/rand/v2"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("ticket", ticket{}) }

// ticket draws the next number of a sequence that two desks share: each keeps
// the last number it gave out, under a key of its own and one hash tag, and the
// next is one more than the larger of the two. An op reads both keys and writes
// that of its own desk.
//
// It is open to write skew: two ops at different desks that decide on the same
// state overwrite nothing of each other, and yet give out one number twice. Who
// watches only the key that he writes, or only one of the two, does not see it.
// Berenson et al., "A Critique of ANSI SQL Isolation Levels" (1995), A5B.
//
// Invariant: the numbers are 1, 2, 3 ... without a repetition, so that the
// larger of the two = acknowledged ops.
type ticket struct{}

const (
	front = "front"
	rear  = "rear"
)

var ticketScript = scripts.MustGet("ticket")

func (ticket) Summary() string {
	return "draw the next number of two desks, 1 more than the larger of their last; an op writes one of the two"
}

func (ticket) Keys(base string) []string { return []string{base, base + ":rear"} }

func (w ticket) Setup(base string) (cmds []resp.Cmd) {
	for _, key := range w.Keys(base) {
		cmds = append(cmds, resp.Cmd{"SET", key, "0"})
	}
	return cmds
}

func (w ticket) Next(rng *rand.Rand, _ int, base string) Op {
	return Op{Keys: w.Keys(base), Args: []string{[]string{front, rear}[rng.IntN(2)]}}
}

func (ticket) Begin(op Op) Body {
	own := op.Keys[0]
	if op.Args[0] == rear {
		own = op.Keys[1]
	}
	return &readThen{reads: []resp.Cmd{{"GET", op.Keys[0]}, {"GET", op.Keys[1]}}, then: func(replies []resp.Reply) Step {
		a, ok1 := whole(replies[0])
		b, ok2 := whole(replies[1])
		number := max(a, b) + 1
		if !ok1 || !ok2 || !exact(number) {
			return Step{Kind: Fail, Error: notInteger}
		}
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", own, text(number), "KEEPTTL"}}, Answer: text(number)}
	}}
}

func (ticket) Script() scripts.Script { return ticketScript }

func (ticket) NotAtomic() string { return "INCR counts in one key, and no command looks at two" }

func (w ticket) NewLedger() Ledger {
	return &tally{
		direction: +1, amount: func(Op) int64 { return 1 },
		reads: func(base string) (cmds []resp.Cmd) {
			for _, key := range w.Keys(base) {
				cmds = append(cmds, resp.Cmd{"GET", key})
			}
			return cmds
		},
		value: func(replies []resp.Reply) (n int64, problem string) {
			a, ok1 := wholeText(replies[0])
			b, ok2 := wholeText(replies[1])
			if !ok1 || !ok2 {
				return 0, fmt.Sprintf("holds %v and its partner %v, not whole numbers", replies[0], replies[1])
			}
			return max(a, b), ""
		},
	}
}
