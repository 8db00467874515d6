// Package check owns the question whether a team's own batch of commands may be
// sent twice: the file that such a batch is written in, the runs that answer
// it - once, twice, crashed at every place and retried - on databases of a
// server that holds nothing else, the comparing of the states that they end
// in, and the words of the answers. It opens no server and reads no file.
package check

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rmwbench/internal/resp"
)

// Batch is a file of commands, without any logic of a client but StopIf.
type Batch struct {
	File      string
	Start     []Command // build the state from which every run begins
	Exchanges []Exchange
	Owners    []Owner
	Refs      []Ref
	// ExecChecked is the line that says so, 0 if none does: the client looks at
	// every element of EXEC's reply.
	ExecChecked int
}

// Exchange is what the client sends at once.
type Exchange struct {
	Steps  []Step
	StopIf []StopIf
}

// Step is what the server does without anything in between, be it a crash of
// the client: one command, or all from MULTI to EXEC.
type Step struct {
	Commands []Command
	Multi    bool
}

// Command is one command of the file.
type Command struct {
	Line   int
	Source string   // as it stands in the file, without what joins it
	Cmd    resp.Cmd // with the operation id in its place
	Script bool     // of a file or typed, EVAL
	UsesOp bool     // has the operation id in it
	N      int      // position among the batch's commands, from 0
	Step   int      // position of its step among the batch's steps, from 0
}

// StopIf has the client end the batch, its work done, when the last reply of
// the exchange is the one that is named.
type StopIf struct {
	Line  int
	Reply string // nil, or an integer or a text
}

func (s StopIf) matches(r resp.Reply) bool {
	switch r.Kind {
	case resp.Nil:
		return s.Reply == "nil"
	case resp.Int:
		return s.Reply == strconv.FormatInt(r.Int, 10)
	case resp.String:
		return s.Reply == r.Str
	}
	return false
}

// Owner takes care of keys that a crash leaves behind: of all, or of those
// whose names match a pattern (*, ?, [a-z]).
type Owner struct {
	Name     string
	Patterns []string
}

func (o Owner) owns(key string) bool {
	return len(o.Patterns) == 0 || slices.ContainsFunc(o.Patterns, func(p string) bool {
		ok, _ := path.Match(strings.ReplaceAll(p, "/", "\x00"), strings.ReplaceAll(key, "/", "\x00"))
		return ok
	})
}

// Ref says that a key points to another: as long as it holds the element, or
// is there at all if none is named.
type Ref struct {
	Line             int
	Pointer, Element string
	Payload          string
}

// opID stands for ${op}. It is long enough not to turn up by chance.
const opID = "0p-5c1e7f2a9b34"

// readable puts ${op} back into a text, and makes what does not print seen.
func readable(text string) string {
	var out strings.Builder
	for _, r := range strings.ReplaceAll(text, opID, "${op}") {
		if unicode.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		out.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return out.String()
}

func (b *Batch) commands() (all []Command) {
	for _, s := range b.steps() {
		all = append(all, s.Commands...)
	}
	return all
}

func (b *Batch) steps() (all []Step) {
	for _, e := range b.Exchanges {
		all = append(all, e.Steps...)
	}
	return all
}

// number gives commands their positions.
func (b *Batch) number() {
	n, step := 0, 0
	for _, e := range b.Exchanges {
		for _, s := range e.Steps {
			for i := range s.Commands {
				s.Commands[i].N, s.Commands[i].Step = n, step
				n++
			}
			step++
		}
	}
}

// exchangeOf is the exchange that a command is in.
func (b *Batch) exchangeOf(c Command) int {
	step := 0
	for i, e := range b.Exchanges {
		if step += len(e.Steps); c.Step < step {
			return i
		}
	}
	return len(b.Exchanges) - 1
}

// place is a command with its line, for a sentence.
func (b *Batch) place(c Command) string {
	return fmt.Sprintf("%s:%d (%s)", b.File, c.Line, clip(c.Source, 60))
}

// after is the place after a number of steps.
func (b *Batch) after(steps int) string {
	commands := b.steps()[steps-1].Commands
	return b.place(commands[len(commands)-1])
}

// lines are where commands are: file:2, or file:2-5.
func (b *Batch) lines(commands []Command) string {
	first, last := commands[0].Line, commands[len(commands)-1].Line
	if first == last {
		return fmt.Sprintf("%s:%d", b.File, first)
	}
	return fmt.Sprintf("%s:%d-%d", b.File, first, last)
}

// clip shortens a text to so many characters.
func clip(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}
