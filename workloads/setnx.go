package workloads

import (
	"math/rand/v2"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("setnx", setnx{}) }

// setnx claims a key if nobody has it: the first wins, the others are rejected.
// One op in 8 vacates the key and answers whose it was, so that there is
// something to claim until the end.
//
// Invariant: a token whose claim was acknowledged was vacated exactly once or
// is the one stored; nobody else's was. So of every generation exactly one
// claim was acknowledged, and it was the winner's.
type setnx struct{}

const (
	claim  = "claim"
	vacate = "vacate"
)

var setnxScript = scripts.MustGet("setnx")

func (setnx) Summary() string { return "claim a key if nobody has it; 1 op in 8 vacates it" }

func (setnx) Keys(base string) []string { return []string{base} }

func (setnx) Setup(string) []resp.Cmd { return nil }

func (setnx) Next(rng *rand.Rand, _ int, base string) Op {
	args := []string{claim, token(rng)}
	if seldom(rng) {
		args[0] = vacate
	}
	return Op{Keys: []string{base}, Args: args}
}

func (setnx) Begin(op Op) Body {
	key, mine := op.Keys[0], op.Args[1]
	if op.Args[0] == vacate {
		return takeString(key)
	}
	return &readThen{reads: []resp.Cmd{{"EXISTS", key}}, then: func(replies []resp.Reply) Step {
		if replies[0].Int != 0 {
			return Step{Kind: Reject}
		}
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", key, mine}}, Answer: mine}
	}}
}

// takeString is the body of an op that deletes a string and answers it.
func takeString(key string) Body {
	return &readThen{reads: []resp.Cmd{{"GET", key}}, then: func(replies []resp.Reply) Step {
		if replies[0].Kind == resp.Nil {
			return Step{Kind: Reject}
		}
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"DEL", key}}, Answer: replies[0].Str}
	}}
}

func (setnx) Script() scripts.Script { return setnxScript }

func (setnx) Form() string { return "SET NX; GETDEL to vacate" }

func (setnx) Command(op Op) resp.Cmd {
	if op.Args[0] == vacate {
		return resp.Cmd{"GETDEL", op.Keys[0]}
	}
	return resp.Cmd{"SET", op.Keys[0], op.Args[1], "NX"}
}

func (setnx) Judge(op Op, reply resp.Reply) (bool, string) {
	switch {
	case reply.Kind == resp.Nil:
		return false, ""
	case op.Args[0] == vacate:
		return true, reply.Str
	}
	return true, op.Args[1]
}

func (setnx) NewLedger() Ledger {
	return &flow{reads: readString, present: oneString, moves: func(op Op, answer string) (in, out string, takes bool) {
		if op.Args[0] == vacate {
			return "", answer, true
		}
		return op.Args[1], "", false
	}}
}
