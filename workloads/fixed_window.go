package workloads

import (
	"fmt"
	"math/rand/v2"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("fixed-window", fixedWindow{}) }

// fixedWindow admits so many ops a window of time. The window's number is an
// argument, made from the op's number, so that a run can be repeated; of
// several clients' windows the latest counts. An admission and a refusal are
// both answers.
//
// The key is a hash: window, count (admissions in it) and admitted, the count
// of all admissions.
//
// Invariant: admitted = acknowledged admissions, and no window has more than
// its share: count <= limit, admitted <= limit x windows begun.
type fixedWindow struct{}

const (
	windowTicks = 8  // length of a window; a tick is an op of the fastest client
	windowLimit = 64 // admissions a window
)

var fixedWindowScript = scripts.MustGet("fixed-window")

func (fixedWindow) Summary() string {
	return fmt.Sprintf("admit %d ops a window of %d ticks; time is the op's number", windowLimit, windowTicks)
}

func (fixedWindow) Keys(base string) []string { return []string{base} }

func (fixedWindow) Setup(base string) []resp.Cmd {
	return []resp.Cmd{{"HSET", base, "window", "0", "count", "0", "admitted", "0"}}
}

func (fixedWindow) Next(_ *rand.Rand, n int, base string) Op {
	return Op{Keys: []string{base}, Args: []string{text(int64(n / windowTicks)), text(windowLimit)}}
}

func (fixedWindow) Begin(op Op) Body {
	key, now, limit := op.Keys[0], argument(op, 0), argument(op, 1)
	reads := []resp.Cmd{{"HMGET", key, "window", "count", "admitted"}}
	return &readThen{reads: reads, then: func(replies []resp.Reply) Step {
		n, ok := counts(replies[0])
		if !ok {
			return Step{Kind: Fail, Error: notInteger}
		}
		window, count, admitted := n[0], n[1], n[2]
		if now > window {
			window, count = now, 0
		}
		if count >= limit {
			return Step{Kind: Reject, Answer: text(count)}
		}
		return Step{Kind: Commit, Answer: text(count + 1), Cmds: []resp.Cmd{
			{"HSET", key, "window", text(window), "count", text(count + 1), "admitted", text(admitted + 1)},
		}}
	}}
}

func (fixedWindow) Script() scripts.Script { return fixedWindowScript }

func (fixedWindow) NotAtomic() string {
	return "INCR counts the refused as well and its EXPIRE NX is a second command"
}

func (fixedWindow) NewLedger() Ledger {
	return &tally{
		direction: +1, amount: func(Op) int64 { return 1 },
		reads: func(base string) []resp.Cmd { return []resp.Cmd{{"HMGET", base, "admitted", "count", "window"}} },
		value: func(replies []resp.Reply) (admitted int64, problem string) {
			n, ok := counts(replies[0])
			switch {
			case !ok || len(n) != 3:
				return 0, fmt.Sprintf("holds %v, not a window", replies[0])
			case n[1] > windowLimit || n[0] > windowLimit*(n[2]+1):
				return 0, fmt.Sprintf("admitted %d, %d of them in window %d", n[0], n[1], n[2])
			}
			return n[0], ""
		},
	}
}
