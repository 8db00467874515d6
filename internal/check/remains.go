package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rmwbench/internal/state"
	"rmwbench/internal/verdict"
)

const remainsQuestion = "If the process dies between two commands, is what remains invisible garbage or a broken reference?"

// remains looks at what crashes leave while nobody retries.
func (v *evidence) remains() Answer {
	a := Answer{Question: remainsQuestion}
	broken, ends := v.brokenReferences()
	half := v.halfDone(ends)
	garbage := v.worstGarbage()
	switch {
	case len(v.crashes) == 0:
		a.Answer = "Neither: it is one step for the server, and no process dies inside it."
	case broken != "":
		a.Answer = "A broken reference."
	case half != "":
		a.Answer = "Neither, but work half done for everybody to see."
	case garbage != "":
		a.Answer = "Invisible garbage: " + garbage + "."
	default:
		a.Answer = "Neither: nothing remains."
	}
	if broken != "" {
		a.warn("%s", broken)
	}
	if half != "" {
		a.warn("%s", half)
	}
	v.outliving(&a)
	return a
}

// brokenReferences describes the worst broken reference, and answers which keys
// are at the ends of any.
func (v *evidence) brokenReferences() (text string, ends map[string]bool) {
	worst, ends := intact, map[string]bool{}
	for _, r := range v.references() {
		for i := range v.crashes {
			c := &v.crashes[i]
			how := v.breach(r, c.left)
			if how != missing && how != unfinished {
				continue
			}
			ends[r.pointer], ends[r.payload] = true, true
			if how <= worst {
				continue
			}
			worst = how
			what := r.payload + " is not there"
			if how == unfinished {
				what = r.payload + " is there in part"
			}
			text = fmt.Sprintf("dead after %s, %s, while %s", v.after(c.steps), r.element, what)
		}
	}
	return text, ends
}

// outliving says which references break without a crash: at a deadline, or at
// once.
func (v *evidence) outliving(a *Answer) {
	for _, r := range v.references() {
		switch v.breach(r, v.once) {
		case missing:
			a.warn("a run without a crash leaves a broken reference too: %s, while %s is not there", r.element, r.payload)
		case outlives:
			pointer := "it has no deadline"
			if v.once.Keys[r.pointer].Deadline != 0 {
				pointer = "it is kept " + v.life(r.pointer, v.once, v.first)
			}
			a.warn("the pointer outlives its payload, without any crash: %s, and %s, while %s is kept %s: a broken reference from then on",
				r.element, pointer, r.payload, v.life(r.payload, v.once, v.first))
		}
	}
}

// halfDone describes the first crash that leaves keys changed that were there
// before, those aside that are spoken of already.
func (v *evidence) halfDone(told map[string]bool) string {
	start := v.walk[0]
	for i := range v.crashes {
		c := &v.crashes[i]
		var texts []string
		for _, key := range keysOf(state.Changes(start, c.left)) {
			if start.Holds(key) && !told[key] {
				texts = append(texts, state.Describe(key, start, c.left))
			}
		}
		if len(texts) > 0 && v.moreEffects(c) {
			return fmt.Sprintf("dead after %s, %s, and the rest is not done", v.after(c.steps), strings.Join(few(texts), "; "))
		}
	}
	return ""
}

// moreEffects reports whether steps that a crash left out change anything.
func (v *evidence) moreEffects(c *crash) bool {
	return slices.ContainsFunc(v.effects(Command{N: -1}), func(e Command) bool { return e.Step >= c.steps })
}

// worstGarbage describes the crash that leaves the most new keys, those without
// an end first.
func (v *evidence) worstGarbage() string {
	text, worst := "", 0
	for i := range v.crashes {
		c := &v.crashes[i]
		var keys []string
		weight := 0
		for _, key := range v.created(c) {
			weight += 1
			if c.left.Keys[key].Deadline == 0 {
				weight += 1000
			}
			keys = append(keys, fmt.Sprintf("%s %s", key, v.life(key, c.left, c.prefix)))
		}
		if weight > worst {
			worst = weight
			text = fmt.Sprintf("dead after %s, %s", v.after(c.steps), verdict.Join(few(keys)))
		}
	}
	return text
}

// created are the keys that a crash leaves and that were not there at the
// start.
func (v *evidence) created(c *crash) []string {
	return slices.DeleteFunc(c.left.Names(), v.walk[0].Holds)
}

// life says how long a key stays that a run has left.
func (v *evidence) life(key string, s state.State, p play) string {
	deadline := s.Keys[key].Deadline
	switch owner := v.owner(key); {
	case deadline == 0 && owner != "":
		return "until its owner " + owner + " takes it away"
	case deadline == 0:
		return "for ever"
	case v.clock == state.Frozen:
		return "until a deadline"
	case v.once.Holds(key) && v.otherOnce.Holds(key) && v.once.Keys[key].Deadline != 0 && v.absolute(key) && !state.Apart(deadline, v.once.Keys[key].Deadline):
		return "until " + time.UnixMilli(deadline).UTC().Format(time.RFC3339)
	}
	return "for " + lasts(deadline, p).Round(time.Second).String()
}
