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

func (debit) Begin(op Op) Body {
	key, amount := op.Keys[0], argument(op, 0)
	return &readThen{reads: []resp.Cmd{{"GET", key}}, then: func(replies []resp.Reply) Step {
		balance, ok := whole(replies[0])
		if !ok {
			return Step{Kind: Fail, Error: notInteger}
		}
		if balance < amount {
			return Step{Kind: Reject, Answer: strconv.FormatInt(balance, 10)}
		}
		left := strconv.FormatInt(balance-amount, 10)
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", key, left, "KEEPTTL"}}, Answer: left}
	}}
}

func (debit) Script() scripts.Script { return debitScript }

func (debit) NotAtomic() string {
	return "DECRBY does not look at the balance first, and no command does"
}

func (debit) NewLedger() Ledger {
	return &tally{
		initial: openingBalance, direction: -1, amount: coveredAmount,
		reads: func(base string) []resp.Cmd { return []resp.Cmd{{"GET", base}, {"PTTL", base}} },
		value: func(replies []resp.Reply) (n int64, problem string) {
			if n, problem = oneNumber(replies); problem == "" && (replies[1].Kind != resp.Int || replies[1].Int < 0) {
				problem = "lost its time to live"
			}
			return n, problem
		},
	}
}

// coveredAmount is what the op moves if it moves anything. What no balance
// covers moves nothing even when its reply is lost.
func coveredAmount(op Op) int64 {
	if n := argument(op, 0); n <= openingBalance {
		return n
	}
	return 0
}
