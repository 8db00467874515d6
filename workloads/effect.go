package workloads

import (
	"math/rand/v2"
	"slices"

	"rmwbench/internal/resp"
)

// GroupEffects are the workloads whose op is one command that looks at nothing
// first, and GroupSequences those whose op is a sequence of steps: what the
// failure matrix is about.
const (
	GroupEffects   = "effects"
	GroupSequences = "sequences"
)

// Grouped is a workload that belongs to a group. Those of no group are
// read-modify-writes, and every strategy is for them.
type Grouped interface{ Group() string }

// GroupOf is a workload's group, or empty.
func GroupOf(w Workload) string {
	if g, ok := w.(Grouped); ok {
		return g.Group()
	}
	return ""
}

// Ungrouped lists the workloads of no group by name.
func Ungrouped() []string {
	return slices.DeleteFunc(All.Names(), func(name string) bool {
		w, _ := All.Get(name)
		return GroupOf(w) != ""
	})
}

// effect is a workload of one command that looks at nothing first: nothing
// about it can conflict, and what it does twice is the question.
type effect struct {
	summary string
	form    string // the command's name
	setup   func(base string) []resp.Cmd
	args    func(rng *rand.Rand, n int) []string // nil: none
	command func(op Op) resp.Cmd
}

func (e effect) Summary() string { return e.summary }

func (effect) Group() string { return GroupEffects }

func (effect) Keys(base string) []string { return []string{base} }

func (e effect) Setup(base string) []resp.Cmd {
	if e.setup == nil {
		return nil
	}
	return e.setup(base)
}

func (e effect) Next(rng *rand.Rand, n int, base string) Op {
	op := Op{Keys: []string{base}}
	if e.args != nil {
		op.Args = e.args(rng, n)
	}
	return op
}

func (e effect) Begin(op Op) Body { return blind{e.command(op)} }

func (e effect) Form() string { return e.form }

func (e effect) Command(op Op) resp.Cmd { return e.command(op) }

func (effect) Judge(Op, resp.Reply) (bool, string) { return true, "" }

// blind is the body of an op that writes without a look.
type blind struct{ write resp.Cmd }

func (b blind) Next([]resp.Reply) Step { return Step{Kind: Commit, Cmds: []resp.Cmd{b.write}} }

// counted is an effect of which the stored state tells how often it was had.
type counted struct {
	effect
	count resp.Cmd // without its key: {"LLEN"}
}

func (c counted) NewLedger() Ledger {
	return &tally{
		direction: +1, amount: func(Op) int64 { return 1 },
		reads: func(base string) []resp.Cmd {
			return []resp.Cmd{append(resp.Cmd{c.count[0], base}, c.count[1:]...)}
		},
		value: func(replies []resp.Reply) (n int64, problem string) {
			r := replies[0]
			if r.Kind == resp.Array && len(r.Elems) == 1 { // of BITFIELD
				r = r.Elems[0]
			}
			switch r.Kind {
			case resp.Int:
				return r.Int, ""
			case resp.Nil:
				return 0, ""
			}
			return oneNumber([]resp.Reply{r})
		},
	}
}

// firstString is the setup of effects on a string that is there.
func firstString(base string) []resp.Cmd { return []resp.Cmd{{"SET", base, firstValue}} }

// oneToken is the argument of effects that leave what one op is known by.
func oneToken(rng *rand.Rand, _ int) []string { return []string{token(rng)} }
