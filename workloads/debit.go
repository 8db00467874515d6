package workloads

import (
	"math/rand/v2"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("debit", debit{}) }

// debit takes a whole number from a balance if the balance covers it, and
// keeps the key's time to live. The balance is too large for a run to empty;
// one op in ten asks for more than it and is rejected.
type debit struct{}

const (
	openingBalance = 1 << 40
	balanceSeconds = 7 * 24 * 60 * 60 // longer than any run
)

var debitScript = scripts.MustGet("debit")

func (debit) Summary() string { return "take 1 from a balance if it is covered; 1 op in 10 is not" }

func (debit) Keys(base string) []string { return []string{base} }

func (debit) Setup(base string) []resp.Cmd {
	return []resp.Cmd{{"SET", base, strconv.Itoa(openingBalance), "EX", strconv.Itoa(balanceSeconds)}}
}

func (debit) Next(rng *rand.Rand, _ int, base string) Op {
	amount := "1"
	if rng.IntN(10) == 0 {
		amount = strconv.Itoa(openingBalance + 1)
	}
	return Op{Keys: []string{base}, Args: []string{amount}}
}

func (debit) Begin(op Op) Body { return begin(op, takeAmount) }

func takeAmount(b *readThen, stored resp.Reply) Step {
	balance, ok := whole(stored)
	switch {
	case !ok:
		return Step{Kind: Fail, Error: notInteger}
	case balance < b.amount:
		return Step{Kind: Reject, Answer: strconv.FormatInt(balance, 10)}
	}
	return b.write(balance - b.amount)
}

func (debit) Script() scripts.Script { return debitScript }

func (debit) NotAtomic() string {
	return "DECRBY does not look at the balance first, and no command does"
}

func (debit) NewLedger() Ledger {
	return &tally{
		initial: openingBalance, direction: -1, expires: true,
		amount: func(op Op) int64 {
			if n := argument(op, 0); n <= openingBalance {
				return n
			}
			return 0 // never covered, so it moves nothing even when its reply is lost
		},
	}
}
