package workloads

import (
	"math/rand/v2"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("lock-release", lockRelease{}) }

// lockRelease is a lock: half the ops take it for one of a few holders if it is
// free, the others release it if it is still that holder's. What a release must
// not do is to delete the lock of somebody who has taken it meanwhile. The lock
// has no time to live here: nothing may happen by itself during a run.
//
// Invariant: for every holder, taken - released = holds it at the end.
type lockRelease struct{}

const (
	holders = 4
	take    = "take"
	release = "release"
)

var lockReleaseScript = scripts.MustGet("lock-release")

func (lockRelease) Summary() string { return "take a lock, or release it if it is still ours" }

func (lockRelease) Keys(base string) []string { return []string{base} }

func (lockRelease) Setup(string) []resp.Cmd { return nil }

func (lockRelease) Next(rng *rand.Rand, _ int, base string) Op {
	args := []string{take, "holder" + strconv.Itoa(rng.IntN(holders))}
	if rng.IntN(2) == 0 {
		args[0] = release
	}
	return Op{Keys: []string{base}, Args: args}
}

func (lockRelease) Begin(op Op) Body {
	key, holder := op.Keys[0], op.Args[1]
	return &readThen{reads: []resp.Cmd{{"GET", key}}, then: func(replies []resp.Reply) Step {
		held := replies[0]
		switch {
		case op.Args[0] == take && held.Kind == resp.Nil:
			return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", key, holder}}, Answer: holder}
		case op.Args[0] == release && held.Kind == resp.String && held.Str == holder:
			return Step{Kind: Commit, Cmds: []resp.Cmd{{"DEL", key}}, Answer: holder}
		}
		return Step{Kind: Reject, Answer: held.Str}
	}}
}

func (lockRelease) Script() scripts.Script { return lockReleaseScript }

func (lockRelease) NotAtomic() string {
	return "SET NX takes it, but comparing and deleting is DELIFEQ of Valkey 9 or DELEX IFEQ of Redis 8.4"
}

func (lockRelease) NewLedger() Ledger {
	return &flow{reads: readString, present: oneString, moves: func(op Op, _ string) (in, out string, takes bool) {
		if op.Args[0] == release {
			return "", op.Args[1], true
		}
		return op.Args[1], "", false
	}}
}
