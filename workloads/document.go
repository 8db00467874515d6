package workloads

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("document", document{4096}) }

// document reads a text, adds 1 to a number of 16 digits in its middle, and
// writes all of it: a large read set, which every failed attempt reads again,
// for a small change.
//
// Invariant: the number = acknowledged ops, and the rest of the text is as it
// was.
type document struct{ bytes int }

// documentDigits is the length of the number: as many as the largest exact one
// has, and no more than the smallest text.
const documentDigits = MinSize

var documentScript = scripts.MustGet("document")

// documentAt is where the number begins in a text of so many bytes.
func documentAt(bytes int) int { return (bytes - documentDigits) / 2 }

// write is the text around a number.
func (w document) write(n int64) string {
	before := documentAt(w.bytes)
	return strings.Repeat("x", before) + documentNumber(n) + strings.Repeat("x", w.bytes-before-documentDigits)
}

func documentNumber(n int64) string { return fmt.Sprintf("%0*d", documentDigits, n) }

// split is the number in a text of any size, and the text around it. Of that,
// nothing is looked at.
func (document) split(text string) (before string, n int64, after string, ok bool) {
	if len(text) < documentDigits {
		return "", 0, "", false
	}
	at := documentAt(len(text))
	u, err := strconv.ParseUint(text[at:][:documentDigits], 10, 64)
	return text[:at], int64(u), text[at+documentDigits:], err == nil && u <= maxExact
}

func (w document) Size() int { return w.bytes }

func (document) WithSize(bytes int) Workload { return document{bytes} }

func (w document) Summary() string {
	return fmt.Sprintf("add 1 to a number within a text of %d bytes (-d), read and written whole", w.bytes)
}

func (document) Keys(base string) []string { return []string{base} }

func (w document) Setup(base string) []resp.Cmd { return []resp.Cmd{{"SET", base, w.write(0)}} }

func (document) Next(_ *rand.Rand, _ int, base string) Op { return Op{Keys: []string{base}} }

func (w document) Begin(op Op) Body {
	key := op.Keys[0]
	return &readThen{reads: []resp.Cmd{{"GET", key}}, then: func(replies []resp.Reply) Step {
		before, n, after, ok := w.split(replies[0].Str)
		if !ok || n == maxExact {
			return Step{Kind: Fail, Error: notOurs}
		}
		changed := before + documentNumber(n+1) + after
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
			_, n, _, ok := w.split(replies[0].Str)
			if !ok || replies[0].Str != w.write(n) {
				return 0, fmt.Sprintf("holds %d bytes that are no document of ours", len(replies[0].Str))
			}
			return n, ""
		},
	}
}
