package check

import (
	"fmt"
	"strings"

	"rmwbench/internal/verdict"
)

const execQuestion = "Is every element of the EXEC reply checked?"

// execChecked answers what the file says, and shows what there is to check: a
// client's code is not in the file.
func (v *evidence) execChecked() Answer {
	a := Answer{Question: execQuestion}
	transactions := 0
	for _, s := range v.steps() {
		if s.Multi {
			transactions++
		}
	}
	switch {
	case transactions == 0:
		a.Answer = "There is no EXEC: every command has a reply of its own."
		for _, e := range v.Exchanges {
			if first := e.Steps[0].Commands; len(e.Steps) > 1 {
				last := e.Steps[len(e.Steps)-1].Commands
				a.Answer += fmt.Sprintf(" The pipeline %s has %d to look at.", v.lines(append(first[:1:1], last...)), len(e.Steps))
			}
		}
		return a
	case v.ExecChecked > 0:
		a.Answer = fmt.Sprintf("Yes, says %s:%d.", v.File, v.ExecChecked)
	default:
		a.Answer = "Nothing in the file says so (#! exec: checked)."
	}
	for _, text := range v.failingElements() {
		if v.ExecChecked > 0 {
			a.Answer += " " + text + "."
		} else {
			a.warn("%s, and EXEC itself reports no error: a client that looks at no more takes this for success", text)
		}
	}
	if len(a.Warnings) == 0 && v.ExecChecked == 0 {
		a.warn("EXEC reports no error when one of its commands fails, and applies the others")
	}
	v.unseenFailures(&a)
	return a
}

// failingElements says which elements could be made to fail.
func (v *evidence) failingElements() (texts []string) {
	for _, s := range v.spoils {
		commands := v.steps()[s.step].Commands
		var fails []string
		for _, f := range s.fails {
			class, _, _ := strings.Cut(f.reply, " ")
			fails = append(fails, fmt.Sprintf("element %d, %s, answers %s", f.command.N-commands[0].N+1, v.place(f.command), class))
		}
		rest := "and no other is there"
		switch {
		case s.applied == 1:
			rest = "while the other one is applied"
		case s.applied > 1:
			rest = fmt.Sprintf("while the other %d are applied", s.applied)
		}
		texts = append(texts, fmt.Sprintf("With a value of another type at %s, %s, %s", s.key, verdict.Join(fails), rest))
	}
	return texts
}

// unseenFailures says which elements did fail in a retry.
func (v *evidence) unseenFailures(a *Answer) {
	told := map[int]bool{}
	tell := func(p play) {
		for _, f := range p.unseen {
			if !told[f.command.N] {
				told[f.command.N] = true
				a.warn("in a retry %s is answered with %s inside EXEC", v.place(f.command), f.reply)
			}
		}
	}
	tell(v.second)
	for i := range v.crashes {
		tell(v.crashes[i].retry)
	}
}
