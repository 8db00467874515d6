package workloads

import (
	"fmt"
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

// maxExact bounds the whole numbers that a double, and so a Lua script, holds
// without rounding: 2^53.
const maxExact = 1 << 53

// notInteger is the server's own text for a value that does not count.
const notInteger = "ERR value is not an integer or out of range"

// whole reads a stored whole number as the scripts do: missing is 0, anything
// not in canonical form or beyond +-2^53 is refused.
func whole(reply resp.Reply) (int64, bool) {
	if reply.Kind == resp.Nil {
		return 0, true
	}
	n, err := strconv.ParseInt(reply.Str, 10, 64)
	if err != nil || n > maxExact || n < -maxExact || strconv.FormatInt(n, 10) != reply.Str {
		return 0, false
	}
	return n, true
}

// argument reads a number that this package wrote into an Op.
func argument(op Op, i int) int64 {
	n, err := strconv.ParseInt(op.Args[i], 10, 64)
	if err != nil {
		panic(fmt.Sprintf("workloads: argument %d of op %d is %q", i, op.ID, op.Args[i]))
	}
	return n
}
