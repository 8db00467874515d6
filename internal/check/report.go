package check

import (
	"fmt"
	"slices"
	"strings"

	"rmwbench/internal/state"
	"rmwbench/internal/verdict"
)

// Report is what was found of a batch.
type Report struct {
	File      string   `json:"file"`
	Server    string   `json:"server"`
	Commands  int      `json:"commands"`
	Exchanges int      `json:"exchanges"`
	Steps     int      `json:"steps"`
	Answers   []Answer `json:"answers"`
	Crashes   []Crash  `json:"crashes"`
	Safe      *bool    `json:"safe"` // null where it cannot be told
	Verdict   string   `json:"verdict"`
}

// Answer is what a reviewer gets to hear.
type Answer struct {
	Question string   `json:"question"`
	Answer   string   `json:"answer"`
	Faults   []string `json:"faults"`   // make the batch unsafe
	Warnings []string `json:"warnings"` // do not
}

// Crash is what became of the batch when it ended after a command.
type Crash struct {
	Line    int      `json:"line"`
	Command string   `json:"command"`
	Left    []string `json:"left"`    // by the crash, in words
	Retried []string `json:"retried"` // what differs after the retry from a single run
}

func (a *Answer) warn(format string, args ...any) {
	a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...))
}

func (a *Answer) fault(format string, args ...any) {
	a.Faults = append(a.Faults, fmt.Sprintf(format, args...))
}

// report answers the questions.
func (v *evidence) report() *Report {
	r := &Report{
		File: v.File, Commands: len(v.commands()), Exchanges: len(v.Exchanges), Steps: len(v.steps()),
		Answers: []Answer{v.sameEnd(), v.operationID(), v.remains(), v.lifetimes(), v.execChecked()},
		Crashes: v.crashTable(),
	}
	faults, warnings := 0, 0
	for i := range r.Answers {
		a := &r.Answers[i]
		faults, warnings = faults+len(a.Faults), warnings+len(a.Warnings)
		a.Answer = readable(a.Answer)
		a.Faults, a.Warnings = readables(a.Faults), readables(a.Warnings)
	}
	safe := faults == 0
	switch {
	case !safe:
		r.Verdict = v.unsafeVerdict()
	case v.clock == state.Frozen && v.anyDeadline():
		r.Verdict = "Not judged: " + ErrNotJudged.Error() + "."
		return r
	default:
		r.Verdict = "Safe to run twice"
	}
	r.Safe = &safe
	if warnings > 0 && safe {
		r.Verdict += fmt.Sprintf(", with %s", verdict.Count(warnings, "warning"))
	}
	if safe {
		r.Verdict += "."
	}
	return r
}

// unsafeVerdict says in one line why a batch is not safe.
func (v *evidence) unsafeVerdict() string {
	if len(state.Changes(v.once, v.twice)) == 0 {
		return "NOT safe: run twice it ends in the same state, but not when it dies and is retried."
	}
	var places []string
	for _, c := range v.culprits() {
		places = append(places, fmt.Sprintf("%s:%d", v.File, c.command.Line))
	}
	if len(places) == 0 {
		return "NOT safe to run twice."
	}
	return "NOT safe to run twice, because of " + verdict.Join(slices.Compact(places)) + "."
}

// anyDeadline reports whether deadlines play a part in the batch.
func (v *evidence) anyDeadline() bool {
	return slices.ContainsFunc(v.walk, func(s state.State) bool {
		for _, k := range s.Keys {
			if k.Deadline != 0 {
				return true
			}
		}
		return false
	})
}

// crashTable lists where the batch can die.
func (v *evidence) crashTable() []Crash {
	all := make([]Crash, 0, len(v.crashes))
	for i := range v.crashes {
		c := &v.crashes[i]
		commands := v.steps()[c.steps-1].Commands
		last := commands[len(commands)-1]
		row := Crash{Line: last.Line, Command: readable(last.Source), Left: readables(v.leftBy(c)), Retried: []string{}}
		for _, d := range v.differences(c) {
			row.Retried = append(row.Retried, readable(d.text))
		}
		all = append(all, row)
	}
	return all
}

// leftBy says in words what a crash left behind.
func (v *evidence) leftBy(c *crash) []string {
	var all []string
	start := v.walk[0]
	for _, name := range keysOf(state.Changes(start, c.left)) {
		if !start.Holds(name) {
			all = append(all, fmt.Sprintf("%s (%s)", name, v.life(name, c.left, c.prefix)))
			continue
		}
		all = append(all, state.Describe(name, start, c.left))
	}
	return all
}

// readables puts ${op} back into texts. The list is never null.
func readables(texts []string) []string {
	all := make([]string, 0, len(texts))
	for _, t := range texts {
		all = append(all, readable(t))
	}
	return all
}

// Lines is the report as text, but for the table of crashes.
func (r *Report) Lines() []string {
	lines := []string{fmt.Sprintf("%s: %s in %s, %s to crash, on %s",
		r.File, verdict.Count(r.Commands, "command"), verdict.Count(r.Exchanges, "exchange"), places(r.Steps-1), r.Server)}
	for i, a := range r.Answers {
		lines = append(lines, "", fmt.Sprintf("%d. %s", i+1, a.Question), "   "+a.Answer)
		for _, w := range a.Faults {
			lines = append(lines, "   NOT SAFE: "+w)
		}
		for _, w := range a.Warnings {
			lines = append(lines, "   warning: "+w)
		}
	}
	return lines
}

func places(n int) string {
	if n == 0 {
		return "no place"
	}
	return verdict.Count(n, "place")
}

// Table is the crashes as rows: where, what is left, and after a retry.
func (r *Report) Table() (rows [][]string) {
	for _, c := range r.Crashes {
		left, retried := strings.Join(few(c.Left), "; "), strings.Join(few(c.Retried), "; ")
		if left == "" {
			left = "nothing"
		}
		if retried == "" {
			retried = "as after a single run"
		}
		rows = append(rows, []string{fmt.Sprintf("%s:%d", r.File, c.Line), clip(c.Command, 40), left, retried})
	}
	return rows
}

// few are the first of many texts, and how many more there are.
func few(texts []string) []string {
	const most = 5
	if len(texts) <= most {
		return texts
	}
	return append(slices.Clone(texts[:most]), fmt.Sprintf("%d more", len(texts)-most))
}
