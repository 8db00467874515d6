package workloads

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("hsetnx", hsetnx{}) }

// hsetnx claims a field of a hash if nobody has it: a seat on a plan of seats.
// One op in 8 vacates a seat, so that there is something to claim until the
// end.
//
// Invariant: for every seat, claims - vacations = taken at the end. No command
// deletes a field and answers what it held, so that seats and not their holders
// are counted; vacations are few, and two of one seat at once the exception.
type hsetnx struct{}

const seats = 4

var hsetnxScript = scripts.MustGet("hsetnx")

func (hsetnx) Summary() string {
	return "claim a field of a hash if nobody has it; 1 op in 8 vacates one"
}

func (hsetnx) Keys(base string) []string { return []string{base} }

func (hsetnx) Setup(string) []resp.Cmd { return nil }

func (hsetnx) Next(rng *rand.Rand, _ int, base string) Op {
	args := []string{claim, "seat" + strconv.Itoa(rng.IntN(seats)), token(rng)}
	if seldom(rng) {
		args[0] = vacate
	}
	return Op{Keys: []string{base}, Args: args}
}

func (hsetnx) Begin(op Op) Body {
	key, seat, mine := op.Keys[0], op.Args[1], op.Args[2]
	vacates := op.Args[0] == vacate
	return &readThen{reads: []resp.Cmd{{"HEXISTS", key, seat}}, then: func(replies []resp.Reply) Step {
		switch taken := replies[0].Int != 0; {
		case taken != vacates:
			return Step{Kind: Reject, Answer: seat}
		case vacates:
			return Step{Kind: Commit, Cmds: []resp.Cmd{{"HDEL", key, seat}}, Answer: seat}
		}
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"HSET", key, seat, mine}}, Answer: seat}
	}}
}

func (hsetnx) Script() scripts.Script { return hsetnxScript }

// Shrinking marks that a vacated seat is taken out of the hash.
func (hsetnx) Shrinking() {}

func (hsetnx) Form() string { return "HSETNX; HDEL to vacate" }

func (hsetnx) Command(op Op) resp.Cmd {
	if op.Args[0] == vacate {
		return resp.Cmd{"HDEL", op.Keys[0], op.Args[1]}
	}
	return resp.Cmd{"HSETNX", op.Keys[0], op.Args[1], op.Args[2]}
}

func (hsetnx) Judge(op Op, reply resp.Reply) (bool, string) { return reply.Int == 1, op.Args[1] }

func (hsetnx) NewLedger() Ledger {
	return &flow{
		reads: func(base string) []resp.Cmd { return []resp.Cmd{{"HGETALL", base}} },
		present: func(replies []resp.Reply) (names []string, problem string) {
			fields, problem := elements(replies[0])
			for i := 0; i < len(fields); i += 2 { // each with its value
				names = append(names, fields[i])
			}
			return names, problem
		},
		moves: func(op Op, _ string) (in, out string, takes bool) {
			if op.Args[0] == vacate {
				return "", op.Args[1], true
			}
			return op.Args[1], "", false
		},
	}
}

// elements lists the strings of an array.
func elements(reply resp.Reply) (names []string, problem string) {
	if reply.Kind != resp.Array {
		return nil, fmt.Sprintf("holds %v, not a collection", reply)
	}
	for _, e := range reply.Elems {
		names = append(names, e.Str)
	}
	return names, ""
}
