package workloads

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"rmwbench/internal/resp"
)

// readThen is the body of ops that read once and then know: the usual case.
type readThen struct {
	reads []resp.Cmd
	then  func(replies []resp.Reply) Step
	asked bool
}

func (b *readThen) Next(replies []resp.Reply) Step {
	if !b.asked {
		b.asked = true
		return Step{Kind: Read, Cmds: b.reads}
	}
	return b.then(replies)
}

// maxExact bounds the whole numbers that a double, and so a Lua script, can be
// trusted with: from 2^53 on, n and n + 1 may be the same.
const maxExact = 1<<53 - 1

// Texts of refusals. The first is the server's own for a value that does not
// count.
const (
	notInteger = "ERR value is not an integer or out of range"
	notOurs    = "ERR the stored state is not one that this workload makes"
)

// whole reads a stored whole number as the scripts do: missing is 0, anything
// not in canonical form or beyond maxExact is refused.
func whole(reply resp.Reply) (int64, bool) {
	if reply.Kind == resp.Nil {
		return 0, true
	}
	n, err := strconv.ParseInt(reply.Str, 10, 64)
	if err != nil || !exact(n) || strconv.FormatInt(n, 10) != reply.Str {
		return 0, false
	}
	return n, true
}

func exact(n int64) bool { return -maxExact <= n && n <= maxExact }

// argument reads a number that this package wrote into an Op.
func argument(op Op, i int) int64 {
	n, err := strconv.ParseInt(op.Args[i], 10, 64)
	if err != nil {
		panic(fmt.Sprintf("workloads: argument %d of op %d is %q", i, op.ID, op.Args[i]))
	}
	return n
}

// text writes a whole number as it is stored.
func text(n int64) string { return strconv.FormatInt(n, 10) }

// tokens is how many different tokens there are. They are few, so that a ledger
// of them is of bounded size, and too many for two to be taken for each other.
const tokens = 1 << 16

// token draws what one op writes to be known by.
func token(rng *rand.Rand) string { return strconv.Itoa(rng.IntN(tokens)) }

// seldom is true once in 8: the share of ops that make room for the others.
func seldom(rng *rand.Rand) bool { return rng.IntN(8) == 0 }
