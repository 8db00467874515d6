package workloads

import (
	"fmt"
	"strconv"

	"rmwbench/internal/resp"
)

// readThen is the body of ops on one key that read it once and then know: the
// usual case. It carries its commands, so that an attempt costs one allocation
// and not one for each piece of a command.
type readThen struct {
	then   func(b *readThen, stored resp.Reply) Step // what follows from the reply to GET
	key    string
	amount int64 // that the op asks for
	asked  bool

	cmds [2]resp.Cmd // the read and the write
	get  [2]string
	set  [4]string
}

// begin starts a body on the op's first key, with its first argument as amount.
func begin(op Op, then func(*readThen, resp.Reply) Step) Body {
	return &readThen{then: then, key: op.Keys[0], amount: argument(op, 0)}
}

func (b *readThen) Next(replies []resp.Reply) Step {
	if !b.asked {
		b.asked = true
		b.get = [...]string{"GET", b.key}
		b.cmds[0] = b.get[:]
		return Step{Kind: Read, Cmds: b.cmds[:1]}
	}
	return b.then(b, replies[0])
}

// write ends the body with a new number, which is the answer too. The key keeps
// its time to live.
func (b *readThen) write(n int64) Step {
	text := strconv.FormatInt(n, 10)
	b.set = [...]string{"SET", b.key, text, "KEEPTTL"}
	b.cmds[1] = b.set[:]
	return Step{Kind: Commit, Cmds: b.cmds[1:], Answer: text}
}

// maxExact bounds the whole numbers that a double, and so a Lua script, can be
// trusted with: from 2^53 on, n and n + 1 may be the same.
const maxExact = 1<<53 - 1

// notInteger is the server's own text for a value that does not count.
const notInteger = "ERR value is not an integer or out of range"

// whole reads a stored whole number as the scripts do: missing is 0, anything
// not in canonical form or beyond maxExact is refused.
func whole(reply resp.Reply) (int64, bool) {
	if reply.Kind == resp.Nil {
		return 0, true
	}
	n, err := strconv.ParseInt(reply.Str, 10, 64)
	var canonical [20]byte // has room for any of 64 bits
	if err != nil || !exact(n) || string(strconv.AppendInt(canonical[:0], n, 10)) != reply.Str {
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
