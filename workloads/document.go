package workloads

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("document", document{}) }

// document reads a text of 4096 bytes, adds 1 to a number of 16 digits in its
// middle, and writes all of it: a large read set, which every failed attempt
// reads again, for a small change.
//
// Invariant: the number = acknowledged ops, and the rest of the text is as it
// was.
type document struct{}

const (
	documentBytes  = 4096
	documentDigits = 16 // as many as the largest exact number has
)

var (
	documentScript = scripts.MustGet("document")
	documentHalf   = strings.Repeat("x", (documentBytes-documentDigits)/2)
)

// write is the text around a number.
func (document) write(n int64) string {
	return documentHalf + fmt.Sprintf("%0*d", documentDigits, n) + documentHalf
}

// read is the number in a text. Of the rest, only the length is looked at.
func (document) read(text string) (n int64, ok bool) {
	if len(text) != documentBytes {
		return 0, false
	}
	digits := text[len(documentHalf):][:documentDigits]
	u, err := strconv.ParseUint(digits, 10, 64)
	return int64(u), err == nil && u <= maxExact
}

func (document) Summary() string {
	return fmt.Sprintf("add 1 to a number within a text of %d bytes, read and written whole", documentBytes)
}

func (document) Keys(base string) []string { return []string{base} }

func (w document) Setup(base string) []resp.Cmd { return []resp.Cmd{{"SET", base, w.write(0)}} }

func (document) Next(_ *rand.Rand, _ int, base string) Op { return Op{Keys: []string{base}} }

func (w document) Begin(op Op) Body {
	key := op.Keys[0]
	return &readThen{reads: []resp.Cmd{{"GET", key}}, then: func(replies []resp.Reply) Step {
		stored := replies[0].Str
		n, ok := w.read(stored)
		if !ok || n == maxExact {
			return Step{Kind: Fail, Error: notOurs}
		}
		changed := stored[:len(documentHalf)] + fmt.Sprintf("%0*d", documentDigits, n+1) + stored[len(documentHalf)+documentDigits:]
		return Step{Kind: Commit, Cmds: []resp.Cmd{{"SET", key, changed, "KEEPTTL"}}, Answer: text(n + 1)}
	}}
}

func (document) Script() scripts.Script { return documentScript }

func (document) NotAtomic() string {
	return "SETRANGE writes a part of a text, but no command counts on digits in it"
}

func (w document) NewLedger() Ledger {
	return &tally{
		direction: +1, amount: func(Op) int64 { return 1 }, reads: readString,
		value: func(replies []resp.Reply) (n int64, problem string) {
			n, ok := w.read(replies[0].Str)
			if !ok || replies[0].Str != w.write(n) {
				return 0, fmt.Sprintf("holds %d bytes that are no document of ours", len(replies[0].Str))
			}
			return n, ""
		},
	}
}
