package workloads

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("smove", smove{}) }

// smove moves a member from a set of what is free to a set of what is busy, if
// it is still free. One op in 8 moves one back, so that there is something to
// move until the end.
//
// Invariant: every member is in exactly one of the two sets; and for each,
// moves there - moves back = busy at the end.
type smove struct{}

const (
	members = 4
	there   = "there"
	back    = "back"
)

var smoveScript = scripts.MustGet("smove")

func member(i int) string { return "member" + strconv.Itoa(i) }

func (smove) Summary() string {
	return "move a member from one set to another if it is there; 1 op in 8 moves one back"
}

func (smove) Keys(base string) []string { return []string{base, base + ":busy"} }

func (smove) Setup(base string) []resp.Cmd {
	free := resp.Cmd{"SADD", base}
	for i := range members {
		free = append(free, member(i))
	}
	return []resp.Cmd{free}
}

func (w smove) Next(rng *rand.Rand, _ int, base string) Op {
	args := []string{there, member(rng.IntN(members))}
	if seldom(rng) {
		args[0] = back
	}
	return Op{Keys: w.Keys(base), Args: args}
}

// ends are the sets that the member leaves and enters.
func (smove) ends(op Op) (from, to string) {
	if op.Args[0] == back {
		return op.Keys[1], op.Keys[0]
	}
	return op.Keys[0], op.Keys[1]
}

func (w smove) Begin(op Op) Body {
	from, to := w.ends(op)
	moved := op.Args[1]
	reads := []resp.Cmd{{"SISMEMBER", from, moved}, {"SISMEMBER", to, moved}}
	return &readThen{reads: reads, then: func(replies []resp.Reply) Step {
		if replies[0].Int == 0 {
			return Step{Kind: Reject, Answer: moved}
		}
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SREM", from, moved}, {"SADD", to, moved}}, Answer: moved}
	}}
}

func (smove) Script() scripts.Script { return smoveScript }

func (smove) Form() string { return "SMOVE" }

func (w smove) Command(op Op) resp.Cmd {
	from, to := w.ends(op)
	return resp.Cmd{"SMOVE", from, to, op.Args[1]}
}

func (smove) Judge(op Op, reply resp.Reply) (bool, string) { return reply.Int == 1, op.Args[1] }

func (w smove) NewLedger() Ledger {
	return &flow{
		reads: func(base string) []resp.Cmd {
			return []resp.Cmd{{"SMEMBERS", base}, {"SMEMBERS", base + ":busy"}}
		},
		present: func(replies []resp.Reply) (names []string, problem string) {
			free, problem := elements(replies[0])
			if problem != "" {
				return nil, problem
			}
			busy, problem := elements(replies[1])
			if problem != "" {
				return nil, problem
			}
			places := make(map[string]int)
			for _, name := range append(free, busy...) {
				places[name]++
			}
			for i := range members {
				if n := places[member(i)]; n != 1 {
					return nil, fmt.Sprintf("and its partner hold %s %d times", member(i), n)
				}
			}
			if len(places) != members {
				return nil, fmt.Sprintf("and its partner hold %d members, %d are known", len(places), members)
			}
			return busy, ""
		},
		moves: func(op Op, _ string) (in, out string, takes bool) {
			if op.Args[0] == back {
				return "", op.Args[1], true
			}
			return op.Args[1], "", false
		},
	}
}
