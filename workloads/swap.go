package workloads

import (
	"math/rand/v2"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("swap", swap{}) }

// swap puts a new value in the place of the old one and answers the old one, as
// whoever rotates a key or hands over a turn does. A missing key is rejected.
//
// Invariant: the answers are a chain. Every value that was written, and the
// first one, was answered to exactly one op, or is the one stored.
type swap struct{}

const firstValue = "0"

var swapScript = scripts.MustGet("swap")

func (swap) Summary() string { return "put a new value in place of the old one, which is the answer" }

func (swap) Keys(base string) []string { return []string{base} }

func (swap) Setup(base string) []resp.Cmd { return []resp.Cmd{{"SET", base, firstValue}} }

func (swap) Next(rng *rand.Rand, _ int, base string) Op {
	return Op{Keys: []string{base}, Args: []string{token(rng)}}
}

func (swap) Begin(op Op) Body {
	key, next := op.Keys[0], op.Args[0]
	return &readThen{reads: []resp.Cmd{{"GET", key}}, then: func(replies []resp.Reply) Step {
		if replies[0].Kind == resp.Nil {
			return Step{Kind: Reject}
		}
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", key, next}}, Answer: replies[0].Str}
	}}
}

func (swap) Script() scripts.Script { return swapScript }

func (swap) Form() string { return "SET XX GET" }

func (swap) Command(op Op) resp.Cmd { return resp.Cmd{"SET", op.Keys[0], op.Args[0], "XX", "GET"} }

func (swap) Judge(_ Op, reply resp.Reply) (bool, string) {
	return reply.Kind != resp.Nil, reply.Str
}

func (swap) NewLedger() Ledger {
	return &flow{
		opening: []string{firstValue}, reads: readString,
		present: func(replies []resp.Reply) (names []string, problem string) {
			if replies[0].Kind == resp.Nil {
				return nil, "is gone"
			}
			return oneString(replies)
		},
		moves: func(op Op, answer string) (in, out string, takes bool) { return op.Args[0], answer, true },
	}
}
