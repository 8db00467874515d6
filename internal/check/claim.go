package check

import (
	"fmt"
	"slices"
	"strings"

	"rmwbench/internal/state"
	"rmwbench/internal/verdict"
)

const operationIDQuestion = "Is there an operation id, and where is it claimed relative to the effects?"

// operationID looks for the claim: the first command with ${op} in it whose
// reply can tell a retry from a first run.
func (v *evidence) operationID() Answer {
	a := Answer{Question: operationIDQuestion}
	commands := v.commands()
	users := slices.DeleteFunc(slices.Clone(commands), func(c Command) bool { return !c.UsesOp })
	if len(users) == 0 {
		v.noID(&a)
		return a
	}
	at := slices.IndexFunc(users, v.isClaim)
	if at < 0 {
		a.Answer = fmt.Sprintf("There is one (${op}, first in %s), but it is never claimed: no command asks whether it was there before.", v.place(users[0]))
		if v.unsafe() {
			a.warn("so nothing tells a retry from a first run")
		}
		return a
	}
	v.claimed(&a, users[at])
	return a
}

// unsafe reports whether a second run or a retry ends in another state.
func (v *evidence) unsafe() bool {
	return len(state.Changes(v.once, v.twice)) > 0 || slices.ContainsFunc(v.crashes, func(c crash) bool { return len(v.differences(&c)) > 0 })
}

func (v *evidence) noID(a *Answer) {
	a.Answer = "No: ${op} is in no command."
	if v.unsafe() {
		a.warn("without one, nothing tells a retry from another operation")
	} else {
		a.Answer += " The end state is the same without one."
	}
	for _, e := range v.Exchanges {
		for _, stop := range e.StopIf {
			a.warn("what ends the batch at %s:%d (#! stop-if %s) is not of this operation: it would end another operation as well", v.File, stop.Line, stop.Reply)
		}
	}
}

// isClaim reports whether a command with ${op} in it takes the id if nobody
// has it: by its form, or because the file says that its reply, or that of a
// look before it, decides. Scripts count unseen.
func (v *evidence) isClaim(c Command) bool {
	if c.Script {
		return true
	}
	if !v.keepsID(c) {
		return false
	}
	_, asked := v.look(c)
	return asked || v.decides(c) || claimForm(c)
}

// claimForm reports whether a command answers otherwise where what it stores is
// there.
func claimForm(c Command) bool {
	switch strings.ToUpper(c.Cmd[0]) {
	case "SETNX", "MSETNX", "HSETNX", "SADD":
		return true
	case "SET", "ZADD":
		return slices.ContainsFunc(c.Cmd[1:], func(w string) bool { return strings.EqualFold(w, "NX") })
	}
	return false
}

// look is the command before a claim that looks for the id and decides.
func (v *evidence) look(claim Command) (Command, bool) {
	for _, c := range v.commands()[:claim.N] {
		if c.UsesOp && !c.Script && v.decides(c) && !v.keepsID(c) {
			return c, true
		}
	}
	return Command{}, false
}

// watched reports whether a key that a command changes is watched before it.
func (v *evidence) watched(claim Command) bool {
	keys := keysOf(state.Changes(v.walk[claim.N], v.walk[claim.N+1]))
	for _, c := range v.commands()[:claim.N] {
		if strings.EqualFold(c.Cmd[0], "WATCH") && slices.ContainsFunc(c.Cmd[1:], func(k string) bool { return slices.Contains(keys, k) }) {
			return true
		}
	}
	return false
}

// decides reports whether the reply to a command decides about the rest.
func (v *evidence) decides(c Command) bool {
	e := v.Exchanges[v.exchangeOf(c)]
	last := e.Steps[len(e.Steps)-1]
	return len(e.StopIf) > 0 && !last.Multi && last.Commands[0].N == c.N
}

// effects are the commands that change something in the first run, but for
// one.
func (v *evidence) effects(but Command) (all []Command) {
	for i, c := range v.commands() {
		if c.N != but.N && len(state.Changes(v.walk[i], v.walk[i+1])) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// claimed says where the claim stands.
func (v *evidence) claimed(a *Answer, c Command) {
	effects := v.effects(c)
	var before, along, after []Command
	for _, e := range effects {
		switch {
		case e.Step == c.Step || v.exchangeOf(e) == v.exchangeOf(c):
			along = append(along, e)
		case e.N < c.N:
			before = append(before, e)
		default:
			after = append(after, e)
		}
	}
	claim := "Yes: ${op}, claimed by " + v.place(c)
	look, asked := v.look(c)
	if asked {
		claim = fmt.Sprintf("Yes: ${op}, looked for by %s and claimed by %s", v.place(look), v.place(c))
		if !v.watched(c) || !v.steps()[c.Step].Multi {
			a.warn("nothing holds the id between the look and the claim (WATCH and MULTI would): two clients at once both find it missing")
		}
	}
	inside := c.Script && v.keepsID(c)
	switch {
	case c.Script && !inside:
		a.Answer = fmt.Sprintf("There is one (${op}), but %s stores nothing under it: the script cannot know a retry by it.", v.place(c))
		return
	case inside && len(effects) == 0:
		a.Answer = claim + " inside the script, together with its effects: one step, nothing can come between."
	case inside:
		a.Answer = fmt.Sprintf("%s inside the script; outside it are the effects of %s.", claim, v.lines(effects))
	case len(effects) == 0:
		a.Answer = claim + "; there are no effects beside it."
	case len(along) > 0 && v.steps()[c.Step].Multi:
		a.Answer = fmt.Sprintf("%s, queued in one MULTI with effects (%s).", claim, v.lines(along))
		if !asked {
			a.warn("until EXEC the claim answers QUEUED: the effects beside it are applied whatever it answers then")
		}
	case len(along) > 0:
		a.Answer = fmt.Sprintf("%s, in a pipeline with effects (%s).", claim, v.lines(along))
		a.warn("the effects are on their way before the claim's reply is read: they are applied whatever it answers")
	case len(before) > 0:
		a.Answer = fmt.Sprintf("%s, after effects (%s).", claim, v.lines(before))
	default:
		a.Answer = fmt.Sprintf("%s, in an exchange of its own before the effects (%s).", claim, v.lines(after))
	}
	if len(before) > 0 {
		a.warn("between the effects of %s and the claim the batch can die: a retry does them again", v.lines(before))
	}
	v.outside(a, c, after, inside, asked)
	v.forgotten(a, c)
}

// outside says what a claim is worth to effects that come in later steps.
func (v *evidence) outside(a *Answer, c Command, after []Command, inside, asked bool) {
	stops := v.Exchanges[v.exchangeOf(c)].StopIf
	first, second := v.answered(c)
	switch {
	case len(after) == 0:
	case inside && first.String() == second.String():
		a.warn("the script answers %s both times: nothing keeps a retry from the effects of %s", first, v.lines(after))
	case asked && len(stops) == 0:
		a.warn("if the batch dies between the claim and %s, the claim stays and the work is undone: a retry ends at the look for it", v.lines(after))
	case len(stops) > 0:
		a.warn("if the batch dies between the claim and %s, the claim stays and the work is undone: a retry ends at %s:%d (#! stop-if %s)",
			v.lines(after), v.File, stops[0].Line, stops[0].Reply)
	default:
		answer := second.String()
		if answer == "(nil)" {
			answer = "nil"
		}
		a.warn("the claim is in another exchange than %s, and the file does not say that the client stops when it answers %s (#! stop-if %s): a retry does the effects again and the claim protects nothing",
			v.lines(after), answer, strings.TrimPrefix(answer, "(integer) "))
	}
}

// keepsID reports whether a command stores the id: in a key's name or in a
// value.
func (v *evidence) keepsID(c Command) bool {
	for _, ch := range state.Changes(v.walk[c.N], v.walk[c.N+1]) {
		if v.bearsID(ch, v.walk[c.N+1]) {
			return true
		}
	}
	return false
}

// bearsID reports whether what was changed has the id in it.
func (v *evidence) bearsID(c state.Change, s state.State) bool {
	if strings.Contains(c.Key, opID) {
		return true
	}
	return slices.ContainsFunc(s.Keys[c.Key].Items, func(i state.Item) bool {
		return (c.Item == "" || c.Item == i.Name) && (strings.Contains(i.Name, opID) || strings.Contains(i.Value, opID))
	})
}

// forgotten says when a claim ends.
func (v *evidence) forgotten(a *Answer, c Command) {
	var ends []string
	for _, ch := range state.Changes(v.walk[c.N], v.walk[c.N+1]) {
		k := v.once.Keys[ch.Key]
		if v.bearsID(ch, v.walk[c.N+1]) && k.Deadline != 0 && v.clock != state.Frozen {
			ends = append(ends, v.life(ch.Key, v.once, v.first))
		}
	}
	if len(ends) > 0 {
		a.Answer += fmt.Sprintf(" The claim is kept %s: a later retry counts as another operation.", verdict.Join(slices.Compact(ends)))
	}
}
