package workloads

import (
	"fmt"
	"math/rand/v2"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("transfer", transfer{}) }

// transfer moves a whole number from one balance to another, two keys under one
// hash tag, if the first covers it. All go the same way, so that no lost one
// can make up for another; the first balance is too large for a run to empty.
// One op in ten asks for more than it and is rejected.
//
// Invariant: the two balances sum to what they did at the start, and what the
// first has lost is what was acknowledged.
type transfer struct{}

var transferScript = scripts.MustGet("transfer")

func (transfer) Summary() string {
	return "move 1 between two balances if it is covered; 1 op in 10 is not"
}

func (transfer) Keys(base string) []string { return []string{base, base + ":to"} }

func (transfer) Setup(base string) []resp.Cmd {
	return []resp.Cmd{{"SET", base, text(openingBalance)}, {"SET", base + ":to", "0"}}
}

func (w transfer) Next(rng *rand.Rand, _ int, base string) Op {
	amount := "1"
	if rng.IntN(10) == 0 {
		amount = text(openingBalance + 1)
	}
	return Op{Keys: w.Keys(base), Args: []string{amount}}
}

func (transfer) Begin(op Op) Body {
	from, to, amount := op.Keys[0], op.Keys[1], argument(op, 0)
	return &readThen{reads: []resp.Cmd{{"GET", from}, {"GET", to}}, then: func(replies []resp.Reply) Step {
		source, ok1 := whole(replies[0])
		target, ok2 := whole(replies[1])
		switch {
		case !ok1 || !ok2:
			return Step{Kind: Fail, Error: notInteger}
		case source < amount:
			return Step{Kind: Reject, Answer: text(source)}
		case !exact(target + amount):
			return Step{Kind: Fail, Error: notInteger}
		}
		return Step{Kind: Commit, Answer: text(source - amount), Cmds: []resp.Cmd{
			{"SET", from, text(source - amount), "KEEPTTL"}, {"SET", to, text(target + amount), "KEEPTTL"},
		}}
	}}
}

func (transfer) Script() scripts.Script { return transferScript }

func (transfer) NotAtomic() string {
	return "MSET writes both balances but looks at neither, and no command counts on two keys"
}

func (transfer) NewLedger() Ledger {
	return &tally{
		initial: openingBalance, direction: -1, amount: coveredAmount,
		reads: func(base string) []resp.Cmd { return []resp.Cmd{{"GET", base}, {"GET", base + ":to"}} },
		value: func(replies []resp.Reply) (left int64, problem string) {
			left, ok1 := wholeText(replies[0])
			got, ok2 := wholeText(replies[1])
			switch {
			case !ok1 || !ok2:
				return 0, fmt.Sprintf("holds %v and its partner %v, not whole numbers", replies[0], replies[1])
			case left+got != openingBalance:
				return 0, fmt.Sprintf("and its partner hold %d in all, which was %d", left+got, openingBalance)
			}
			return left, ""
		},
	}
}
