package check

import (
	"fmt"
	"slices"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/internal/state"
	"rmwbench/internal/verdict"
)

const sameEndQuestion = "Can this batch run twice with the same end state, and if not, which command breaks it?"

// sameEnd compares the ends of the runs.
func (v *evidence) sameEnd() Answer {
	a := Answer{Question: sameEndQuestion}
	twice := state.Changes(v.once, v.twice)
	if len(twice) > 0 {
		for _, culprit := range v.culprits() {
			a.fault("%s breaks it: %s", v.place(culprit.command), culprit.text)
		}
	}
	if len(twice) > 0 && len(a.Faults) == 0 { // by the passing of time alone
		for _, key := range keysOf(twice) {
			a.fault("a second run ends in another state: %s", state.Describe(key, v.once, v.twice))
		}
	}
	broken := v.brokenRetries(&a, len(twice) > 0)
	switch n := len(v.crashes); {
	case len(twice) > 0 && broken > 0:
		a.Answer = fmt.Sprintf("No; nor when it dies and is retried, at %d of %s.", broken, placesToDie(n))
	case len(twice) > 0:
		a.Answer = "No."
	case broken > 0:
		a.Answer = fmt.Sprintf("Twice yes, but not when it dies and is retried, at %d of %s.", broken, placesToDie(n))
	case v.clock == state.Frozen && v.anyDeadline():
		a.Answer = "As far as values go, yes; but the embedded server cannot tell whether a deadline moves."
	case n == 0:
		a.Answer = "Yes: once and twice end in one state. It is one step for the server: there is no place to crash in between."
	default:
		a.Answer = fmt.Sprintf("Yes: once, twice, and crashed and then retried (at %s) end in one state.", placesToDie(n))
	}
	if len(state.Changes(v.walk[0], v.once)) == 0 {
		a.warn("one run changes nothing, so that this says little: give it something to work on with #! start: CMD")
	}
	v.notCompared(&a)
	v.answeredWithErrors(&a)
	return a
}

func placesToDie(n int) string { return verdict.Count(n, "place") }

// culprit is a command that makes a second run end elsewhere.
type culprit struct {
	command Command
	text    string
}

// culprits are the commands of the second run that change what ends otherwise.
// Of several that set one deadline it is the last.
func (v *evidence) culprits() (all []culprit) {
	first, last := v.walkAgain[0], v.walkAgain[len(v.walkAgain)-1]
	end := state.Changes(first, last)
	setters := map[string]int{}
	for i := range len(v.walkAgain) - 1 {
		for _, c := range common(state.Changes(v.walkAgain[i], v.walkAgain[i+1]), end) {
			if c.Deadline {
				setters[c.Key] = i
			}
		}
	}
	for i := range len(v.walkAgain) - 1 {
		before, after := v.walkAgain[i], v.walkAgain[i+1]
		var texts []string
		for _, c := range common(state.Changes(before, after), end) {
			text := ""
			switch {
			case !c.Deadline:
				text = state.Describe(c.Key, before, after)
			case setters[c.Key] == i:
				text = state.DescribeDeadline(c.Key, first, after)
			}
			if text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			all = append(all, culprit{v.commands()[i], strings.Join(texts, "; ")})
		}
	}
	return all
}

// common are the changes that are also among others. A whole value has all of
// its items in it.
func common(changes, among []state.Change) (both []state.Change) {
	for _, c := range changes {
		if slices.ContainsFunc(among, func(o state.Change) bool {
			return o.Key == c.Key && o.Deadline == c.Deadline && (o.Item == c.Item || o.Item == "" || c.Item == "")
		}) {
			both = append(both, c)
		}
	}
	return both
}

// brokenRetries says which retries end in another state than a single run, and
// answers how many. Where a second run does so too, that has been explained.
func (v *evidence) brokenRetries(a *Answer, explained bool) (broken int) {
	var reasons []string
	where := map[string][]string{} // by reason
	for i := range v.crashes {
		c := &v.crashes[i]
		differences := v.differences(c)
		if len(differences) == 0 {
			continue
		}
		broken++
		why := v.why(c)
		if why == "" {
			if explained {
				continue
			}
			why = differences[0].text
		}
		if where[why] == nil {
			reasons = append(reasons, why)
		}
		where[why] = append(where[why], v.after(c.steps))
	}
	for _, why := range reasons {
		a.fault("when it dies after %s and is retried, %s", verdict.Join(few(where[why])), why)
	}
	return broken
}

// why says what kept a retry from its end, or nothing.
func (v *evidence) why(c *crash) string {
	switch p := c.retry; {
	case p.stoppedBy != nil:
		return fmt.Sprintf("the retry ends at %s:%d (#! stop-if %s) and leaves the rest undone", v.File, p.stoppedBy.Line, p.stoppedBy.Reply)
	case p.failed != nil:
		return fmt.Sprintf("the retry ends at %s with %s", v.place(p.failed.command), p.failed.reply)
	}
	return ""
}

// notCompared says what was left out of the comparison.
func (v *evidence) notCompared(a *Answer) {
	var made []string
	for _, name := range v.once.Names() {
		if v.otherOnce.Holds(name) && !v.once.Keys[name].SameItems(v.otherOnce.Keys[name]) || !v.otherOnce.Holds(name) {
			made = append(made, name)
		}
	}
	if len(made) > 0 {
		a.warn("two single runs do not agree on %s: the server or a script makes it up; there, how much there is was compared, not what", verdict.Join(few(made)))
	}
	for _, c := range v.commands() {
		if name := strings.ToUpper(c.Cmd[0]); name == "PUBLISH" || name == "SPUBLISH" {
			a.warn("%s leaves nothing to compare: every run sends one message more", v.place(c))
		}
	}
}

// answeredWithErrors says where a retry is answered with an error although
// nothing is wrong with its end.
func (v *evidence) answeredWithErrors(a *Answer) {
	told := map[int]bool{}
	tell := func(p play) {
		if p.failed != nil && !told[p.failed.command.N] {
			told[p.failed.command.N] = true
			a.warn("a retry is answered with an error at %s: %s", v.place(p.failed.command), p.failed.reply)
		}
	}
	tell(v.second)
	for i := range v.crashes {
		if c := &v.crashes[i]; len(v.differences(c)) == 0 {
			tell(c.retry)
		}
	}
}

// answered reports what a command answered in the first run and the second.
func (v *evidence) answered(c Command) (first, second resp.Reply) {
	return v.first.replies[c.N], v.second.replies[c.N]
}
