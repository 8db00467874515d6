package workloads

import (
	"math/rand/v2"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/results"
)

// sequence is a workload whose op is a sequence of exchanges that nothing holds
// together: what a client leaves that is lost on the way is the question.
type sequence struct {
	summary string
	setup   func(base string) []resp.Cmd
	args    func(rng *rand.Rand, n int) []string
	steps   func(op Op) []exchange
}

// exchange is one step. Where done says so of its replies, the op ends there,
// for good.
type exchange struct {
	cmds []resp.Cmd
	done func(replies []resp.Reply) bool
}

func (s sequence) Summary() string { return s.summary }

func (sequence) Group() string { return GroupSequences }

func (sequence) Keys(base string) []string { return []string{base} }

func (s sequence) Setup(base string) []resp.Cmd {
	if s.setup == nil {
		return nil
	}
	return s.setup(base)
}

func (s sequence) Next(rng *rand.Rand, n int, base string) Op {
	op := Op{Keys: []string{base}}
	if s.args != nil {
		op.Args = s.args(rng, n)
	}
	return op
}

// Begin does all steps at once: what a transaction makes of the sequence.
func (s sequence) Begin(op Op) Body {
	var all []resp.Cmd
	for _, e := range s.steps(op) {
		for _, c := range e.cmds {
			if c[0] != "MULTI" && c[0] != "EXEC" {
				all = append(all, c)
			}
		}
	}
	return blindly(all)
}

// blindly is the body of an op that writes all at once without a look.
type blindly []resp.Cmd

func (b blindly) Next([]resp.Reply) Step { return Step{Kind: Commit, Cmds: b} }

func (s sequence) Steps(op Op) Body { return &stepping{steps: s.steps(op)} }

// stepping takes one step after the other.
type stepping struct {
	steps []exchange
	taken int
}

func (b *stepping) Next(replies []resp.Reply) Step {
	if b.taken > 0 {
		if last := b.steps[b.taken-1]; last.done != nil && last.done(replies) {
			return Step{Kind: Commit}
		}
	}
	if b.taken == len(b.steps) {
		return Step{Kind: Commit}
	}
	b.taken++
	return Step{Kind: Do, Cmds: b.steps[b.taken-1].cmds}
}

// NotAtomic says what no single command does.
func (sequence) NotAtomic() string { return "it is a sequence" }

// items is how many payloads a base has.
const items = 16

// item is a payload's number, as an argument.
func item(rng *rand.Rand, _ int) []string { return []string{strconv.Itoa(rng.IntN(items))} }

// linked is a sequence over payloads, and a set that points to them.
type linked struct{ sequence }

func (linked) Keys(base string) []string {
	keys := []string{base}
	for i := range items {
		keys = append(keys, payload(base, strconv.Itoa(i)))
	}
	return keys
}

func (linked) Pointer(base string) string { return base }

func (linked) Payload(base, member string) string { return payload(base, member) }

func payload(base, member string) string { return base + ":item:" + member }

// pointed is a linked sequence whose ops only add: at rest, whatever is pointed
// to is there.
type pointed struct{ linked }

func (pointed) NewLedger() Ledger { return &links{} }

// links is the ledger of workloads of which it counts that no pointer is
// broken; what was acknowledged is not counted.
type links struct{}

func (*links) Note(Op, Effect, string) {}
func (*links) Merge(Ledger)            {}

func (*links) Reads(base string) []resp.Cmd {
	cmds := []resp.Cmd{{"SMEMBERS", base}}
	for i := range items {
		cmds = append(cmds, resp.Cmd{"EXISTS", payload(base, strconv.Itoa(i))})
	}
	return cmds
}

func (*links) Check(base string, replies []resp.Reply, audit *results.Audit) {
	for _, member := range replies[0].Elems {
		if i, err := strconv.Atoi(member.Str); err == nil && i < items && replies[1+i].Int == 0 {
			audit.Broke(0, 0, base+" points to item "+member.Str+", whose payload is missing")
			return
		}
	}
	audit.Tally(0, 0, 0)
}
