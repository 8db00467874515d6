package fault

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Safe is what a design without a flaw is called. Who does the same op in between
// is taken into account; who takes back what an op has done is not: sent again,
// it is done again.
const Safe = "retry-safe"

// Words say what the design came to.
func (v *Verdict) Words() string {
	switch {
	case v.NA != "":
		return "not tried: " + v.NA
	case len(v.Flaws) == 0:
		return Safe
	}
	words := flawWords(v.Flaws)
	if i := slices.Index(v.Flaws, Temporary); i >= 0 {
		words[i] = fmt.Sprintf("leaves garbage for at most %s", seconds(longest(v.Cases)))
	}
	return strings.Join(words, ", ")
}

// longest is when the last garbage of some cases has ended.
func longest(cases []Case) (ends time.Duration) {
	for _, c := range cases {
		ends = max(ends, c.Ends)
	}
	return ends
}

// seconds is a duration in whole seconds.
func seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }

// Applied lists how often the op was applied in its cases, each once.
func (v *Verdict) Applied() (all []string) { return applied(v.Cases) }

func applied(cases []Case) (all []string) {
	for _, a := range []Applied{AppliedNever, AppliedOnce, AppliedTwice, AppliedPart, AppliedOver} {
		if slices.ContainsFunc(cases, func(c Case) bool { return c.Applied == a }) {
			all = append(all, string(a))
		}
	}
	return all
}

func flawWords(flaws []Flaw) (words []string) {
	for _, f := range flaws {
		words = append(words, string(f))
	}
	return words
}

// Broken says how the design did other than it promises, or is empty.
func (v *Verdict) Broken() string {
	if v.Kept() {
		return ""
	}
	promise := Safe
	if len(v.Design.Promise) > 0 {
		promise = strings.Join(flawWords(v.Design.Promise), ", ")
	}
	return fmt.Sprintf("%s: %s, where %s was expected", v.Name, v.Words(), promise)
}

// Example is a case that shows flaws which no case before it in a walk has
// shown.
type Example struct {
	Case  *Case
	Flaws []Flaw
}

// Examples are as few cases as show every flaw of the design, the simplest
// first.
func (v *Verdict) Examples() (all []Example) {
	shown := map[Flaw]bool{}
	for i := range v.Cases {
		c := &v.Cases[i]
		var fresh []Flaw
		for _, f := range c.Flaws {
			if !shown[f] {
				shown[f] = true
				fresh = append(fresh, f)
			}
		}
		if fresh != nil {
			all = append(all, Example{c, fresh})
		}
	}
	return all
}

// Lines are the example as a dialogue.
func (e Example) Lines() (lines []string) {
	c := e.Case
	lines = append(lines, fmt.Sprintf("%s: %s", c.Point, strings.Join(flawWords(e.Flaws), ", ")))
	for _, l := range c.Log {
		lines = append(lines, l.lines()...)
	}
	if c.Told != ToldNothing {
		lines = append(lines, fmt.Sprintf("  the client is told: %s", c.Told))
	}
	if len(c.Left) == 0 {
		lines = append(lines, "  stored: the same as after one undisturbed op, deadlines aside")
	}
	for _, text := range c.Left {
		lines = append(lines, "  stored, against one undisturbed op: "+text)
	}
	return lines
}

func (l Line) lines() (lines []string) {
	for i, sent := range l.Sent {
		line := fmt.Sprintf("  %s> %s", l.Who, sent)
		if i < len(l.Received) {
			line += "  ->  " + l.Received[i]
		}
		lines = append(lines, line)
	}
	if l.Remark != "" {
		lines = append(lines, fmt.Sprintf("  %s: %s", l.Who, l.Remark))
	}
	return lines
}
