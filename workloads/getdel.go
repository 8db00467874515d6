package workloads

import (
	"math/rand/v2"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("getdel", getdel{}) }

// getdel redeems a code that is good for once: it reads the key and deletes it.
// One op in 8 issues a new code where there is none, so that there is something
// to redeem until the end.
//
// Invariant: a code that was issued was redeemed exactly once or is the one
// stored, and no other was redeemed.
type getdel struct{}

const (
	issue  = "issue"
	redeem = "redeem"
)

var getdelScript = scripts.MustGet("getdel")

func (getdel) Summary() string { return "read and delete a code good for once; 1 op in 8 issues one" }

func (getdel) Keys(base string) []string { return []string{base} }

func (getdel) Setup(string) []resp.Cmd { return nil }

func (getdel) Next(rng *rand.Rand, _ int, base string) Op {
	args := []string{redeem, token(rng)}
	if seldom(rng) {
		args[0] = issue
	}
	return Op{Keys: []string{base}, Args: args}
}

func (getdel) Begin(op Op) Body {
	key, code := op.Keys[0], op.Args[1]
	if op.Args[0] == redeem {
		return takeString(key)
	}
	return &readThen{reads: []resp.Cmd{{"EXISTS", key}}, then: func(replies []resp.Reply) Step {
		if replies[0].Int != 0 {
			return Step{Kind: Reject}
		}
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", key, code}}, Answer: code}
	}}
}

func (getdel) Script() scripts.Script { return getdelScript }

func (getdel) Form() string { return "GETDEL; SET NX to issue" }

func (getdel) Command(op Op) resp.Cmd {
	if op.Args[0] == redeem {
		return resp.Cmd{"GETDEL", op.Keys[0]}
	}
	return resp.Cmd{"SET", op.Keys[0], op.Args[1], "NX"}
}

func (getdel) Judge(op Op, reply resp.Reply) (bool, string) {
	switch {
	case reply.Kind == resp.Nil:
		return false, ""
	case op.Args[0] == redeem:
		return true, reply.Str
	}
	return true, op.Args[1]
}

func (getdel) NewLedger() Ledger {
	return &flow{reads: readString, present: oneString, moves: func(op Op, answer string) (in, out string, takes bool) {
		if op.Args[0] == redeem {
			return "", answer, true
		}
		return op.Args[1], "", false
	}}
}
