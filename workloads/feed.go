package workloads

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("feed", feed{}) }

// feed reads where a feed ends and its last entry, which is another exchange,
// and appends an entry: it writes the payload into the next of 16 slots and
// then moves the pointer. Every op is a reader as well: a pointer to a payload
// that is not there is a failure. A later payload is none: the feed has gone
// round between the two reads, which WATCH will find.
//
// The pointer is a whole number; the slots are fields of a hash that hold
// NUMBER:PAYLOAD.
//
// Invariant: the pointer = acknowledged ops, and the slot that it points to
// holds the payload of that number.
type feed struct{}

const feedSlots = 16

var feedScript = scripts.MustGet("feed")

func (feed) Summary() string {
	return "read the last entry of a feed, write the next one's payload and move the pointer"
}

func (feed) Keys(base string) []string { return []string{base, base + ":payloads"} }

func (feed) Setup(base string) []resp.Cmd {
	return []resp.Cmd{{"SET", base, "0"}, {"HSET", base + ":payloads", "0", "0:"}}
}

func (w feed) Next(rng *rand.Rand, _ int, base string) Op {
	return Op{Keys: w.Keys(base), Args: []string{token(rng)}}
}

func (feed) Begin(op Op) Body {
	return &feedBody{pointer: op.Keys[0], payloads: op.Keys[1], payload: op.Args[0]}
}

// feedBody first asks for the pointer, then for what it points to.
type feedBody struct {
	pointer, payloads, payload string
	step                       int
	last                       int64
}

func (b *feedBody) Next(replies []resp.Reply) Step {
	b.step++
	switch b.step {
	case 1:
		return Step{Kind: Read, Cmds: []resp.Cmd{{"GET", b.pointer}}}
	case 2:
		var ok bool
		if b.last, ok = whole(replies[0]); !ok || b.last < 0 || b.last == maxExact {
			return Step{Kind: Fail, Error: notInteger}
		}
		return Step{Kind: Read, Cmds: []resp.Cmd{{"HGET", b.payloads, feedSlot(b.last)}}}
	}
	if feedNumber(replies[0].Str) < float64(b.last) {
		return Step{Kind: Fail, Error: notOurs}
	}
	next := text(b.last + 1)
	return Step{Kind: Commit, Answer: next, Cmds: []resp.Cmd{
		{"HSET", b.payloads, feedSlot(b.last + 1), next + ":" + b.payload}, {"SET", b.pointer, next, "KEEPTTL"},
	}}
}

// feedNumber is the number of an entry, or -1. It is a double, as in a script.
func feedNumber(entry string) float64 {
	digits, _, found := strings.Cut(entry, ":")
	if !found || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return -1
	}
	n, _ := strconv.ParseFloat(digits, 64)
	return n
}

// feedSlot is the field of an entry.
func feedSlot(number int64) string { return text(number % feedSlots) }

func (feed) Script() scripts.Script { return feedScript }

func (feed) NotAtomic() string { return "the payload and the pointer are two keys" }

func (feed) NewLedger() Ledger {
	return &tally{
		direction: +1, amount: func(Op) int64 { return 1 },
		reads: func(base string) []resp.Cmd { return []resp.Cmd{{"GET", base}, {"HGETALL", base + ":payloads"}} },
		value: func(replies []resp.Reply) (pointer int64, problem string) {
			pointer, ok := wholeText(replies[0])
			if !ok || pointer < 0 {
				return 0, fmt.Sprintf("holds %v, not a pointer", replies[0])
			}
			slots := replies[1].Elems
			for i := 0; i+1 < len(slots); i += 2 {
				if slots[i].Str == feedSlot(pointer) && strings.HasPrefix(slots[i+1].Str, text(pointer)+":") {
					return pointer, ""
				}
			}
			return 0, fmt.Sprintf("points to %d, whose payload is missing", pointer)
		},
	}
}
