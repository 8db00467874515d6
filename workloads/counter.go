package workloads

import (
	"math/rand/v2"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("counter", counter{}) }

// counter adds a whole number to a key. Ops of a run add 1, so that an audit
// counts lost updates one by one.
type counter struct{}

var counterScript = scripts.MustGet("counter")

func (counter) Summary() string { return "add 1 to a whole number" }

func (counter) Keys(base string) []string { return []string{base} }

func (counter) Setup(base string) []resp.Cmd { return []resp.Cmd{{"SET", base, "0"}} }

func (counter) Next(_ *rand.Rand, _ int, base string) Op {
	return Op{Keys: []string{base}, Args: one}
}

var one = []string{"1"} // shared by all ops; nobody writes to it

func (counter) Begin(op Op) Body {
	key, n := op.Keys[0], argument(op, 0)
	return &readThen{reads: []resp.Cmd{{"GET", key}}, then: func(replies []resp.Reply) Step {
		value, ok := whole(replies[0])
		if !ok || !exact(value+n) {
			return Step{Kind: Fail, Error: notInteger}
		}
		sum := strconv.FormatInt(value+n, 10)
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", key, sum, "KEEPTTL"}}, Answer: sum}
	}}
}

func (counter) Script() scripts.Script { return counterScript }

func (counter) Form() string { return "INCRBY" }

func (counter) Command(op Op) resp.Cmd { return resp.Cmd{"INCRBY", op.Keys[0], op.Args[0]} }

func (counter) Judge(_ Op, reply resp.Reply) (bool, string) {
	return true, strconv.FormatInt(reply.Int, 10)
}

func (counter) NewLedger() Ledger {
	return &tally{
		direction: +1, amount: func(op Op) int64 { return argument(op, 0) },
		reads: readString, value: oneNumber,
	}
}
