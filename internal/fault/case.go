package fault

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rmwbench/internal/state"
	"rmwbench/workloads"
)

// Case is one disturbed op and what came of it.
type Case struct {
	Point   Point         `json:"point"`
	Told    Told          `json:"told"`
	Applied Applied       `json:"applied"`
	Flaws   []Flaw        `json:"flaws"`   // in the order of the constants; empty: none
	Ends    time.Duration `json:"ends_ns"` // when the last garbage that ends has ended; 0: there is none
	Log     []Line        `json:"log"`
	Left    []string      `json:"left"`  // what is stored otherwise than after one undisturbed op, key by key
	Swept   *Swept        `json:"swept"` // null: no sweep came
}

// Applied is how often the op was applied.
type Applied string

// Lost says that the state is as if the other client had never been.
const (
	AppliedNever Applied = "0"
	AppliedOnce  Applied = "1"
	AppliedTwice Applied = "2"
	AppliedPart  Applied = "part"
	AppliedOver  Applied = "over another"
)

// tooSlow bounds what all exchanges of a case may take for its deadlines to tell
// a first attempt from a second.
const tooSlow = drift / 4

// play plays one case. Where deadlines are looked at, one that a busy machine
// has held up tells nothing and is played again.
func (t *tester) play(p Point) (c Case, err error) {
	for range tries {
		var held time.Duration
		if c, held, err = t.playOnce(p); err != nil || held < tooSlow {
			return c, err
		}
	}
	return c, fmt.Errorf("the machine is too busy: exchanges took more than %v, too long to tell deadlines apart", tooSlow)
}

// playOnce plays the case. held is how long it took beside pauses, where
// deadlines are looked at.
func (t *tester) playOnce(p Point) (c Case, held time.Duration, err error) {
	c.Point = p
	if err = t.fresh(); err != nil {
		return c, 0, err
	}
	before, err := t.reader.Read(0)
	if err != nil {
		return c, 0, err
	}
	lines := new(log)
	var end seen
	var sweeping *sweep
	paused := time.Duration(0)
	between := func() error {
		if pause := t.pause(); pause > 0 {
			start := t.World.Now()
			t.waits.Hold(pause)
			paused = t.World.Now() - start
			lines.remark("client", "waits for %v", pause)
		}
		switch {
		case p.Sweep:
			sweeping, err = t.sweep(lines)
		case p.Other:
			end.answer, err = t.undisturbed(other, lines)
		}
		return err
	}
	answer := ""
	c.Told, answer, err = t.disturbed(p, between, lines)
	if sweeping != nil {
		defer sweeping.close()
	}
	if err != nil {
		return c, 0, err
	}
	if p.Dies && t.design.Sweep != nil {
		if sweeping, err = t.sweep(lines); err != nil {
			return c, 0, err
		}
		defer sweeping.close()
	}
	if sweeping != nil {
		if err := sweeping.end(t.waits.Hold); err != nil {
			return c, 0, err
		}
		c.Swept = &sweeping.Swept
	}
	if end.state, err = t.reader.Read(0); err != nil {
		return c, 0, err
	}
	c.Log = lines.lines
	if paused > 0 && !p.Restart {
		held = time.Duration(end.state.Time-before.Time)*time.Millisecond - paused
	}
	t.judge(&c, end, answer, before, paused)
	c.Left = t.left(end.state)
	return c, held, nil
}

// drift is what a client waits before it tries again where deadlines are looked
// at: much more than exchanges take.
const drift = 400 * time.Millisecond

// pause is how long a client waits before it tries again.
func (t *tester) pause() time.Duration {
	if t.design.Token > 0 {
		return 2*t.design.Token + 20*time.Millisecond
	}
	for name, k := range t.refs.once.state.Keys {
		if k.Deadline != 0 && !t.kept(name) && !ownKey(name) {
			return drift
		}
	}
	return 0
}

// kept reports whether a key has the deadline that its setup gave it.
func (t *tester) kept(name string) bool { return t.refs.none.state.Keys[name].Deadline != 0 }

// judge says how often the op was applied and what is wrong. answer is what its
// client was told at last, before the state that the case began with.
func (t *tester) judge(c *Case, end seen, answer string, before state.State, paused time.Duration) {
	r := &t.refs
	never, once, twice, without := []seen{r.none}, []seen{r.once}, []seen{r.twice}, []seen(nil)
	if c.Point.Other {
		never, once, twice = []seen{r.otherOnly}, r.bothOnce, r.bothTwice
		without = []seen{{r.once.state, end.answer}, {r.twice.state, end.answer}}
	}
	var flaws []Flaw
	wrong := func(is bool, f Flaw) {
		if is {
			flaws = append(flaws, f)
		}
	}
	switch {
	case end.among(once...):
		c.Applied = AppliedOnce
	case end.among(never...):
		c.Applied = AppliedNever
	case end.among(without...):
		c.Applied = AppliedOver
	case end.among(twice...):
		c.Applied = AppliedTwice
	default:
		c.Applied = AppliedPart
	}
	linking, links := t.workload.(workloads.Linking)
	wrong(c.Applied == AppliedTwice, Doubles)
	wrong(c.Applied == AppliedOver, Overwrites)
	wrong(c.Applied == AppliedPart && !links, Halves)
	wrong(c.Told == ToldCommitted && c.Applied == AppliedNever, UnderCounts)
	wrong(c.Told == ToldRejected && c.Applied != AppliedNever, Misreports)
	// A token tells what was answered first. Another client in between changes what
	// that is.
	wrong(t.strategy.Tokens && !c.Point.Other && c.Told == ToldCommitted && c.Applied == AppliedOnce && answer != t.refs.told, Misreports)
	wrong(c.Told != ToldNothing && paused > 0 && t.later(end.state, before.Time) > paused/2, Drifts)
	for name, k := range end.state.Keys {
		wrong(strings.Contains(name, ":op:") && k.Deadline == 0, TokenStays)
	}
	if links {
		hanging, ends := dangling(end.state, linking)
		flaws, c.Ends = append(flaws, hanging...), ends
	}
	c.Flaws = ordered(flaws)
}

// later is how much later a deadline is than it would be after one undisturbed
// op that began when the case did.
func (t *tester) later(s state.State, started int64) (most time.Duration) {
	for name, k := range s.Keys {
		usual := t.refs.once.state.Keys[name].Deadline
		if ownKey(name) || t.kept(name) || k.Deadline == 0 || usual == 0 || k.Deadline == usual {
			continue
		}
		apart := (k.Deadline - started) - (usual - t.refs.started)
		most = max(most, time.Duration(apart)*time.Millisecond)
	}
	return most
}

// dangling holds pointers against payloads. ends is when the last payload that
// nothing points to has ended.
func dangling(s state.State, w workloads.Linking) (flaws []Flaw, ends time.Duration) {
	pointer := w.Pointer(base)
	pointed := map[string]bool{}
	for _, member := range s.Keys[pointer].Items {
		key := w.Payload(base, member.Name)
		pointed[key] = true
		switch payload, there := s.Keys[key]; {
		case !there:
			flaws = append(flaws, Breaks)
		case payload.Deadline != 0 && s.Keys[pointer].Deadline == 0:
			flaws = append(flaws, BreaksLater)
		}
	}
	for name, k := range s.Keys {
		switch {
		case name == pointer || ownKey(name) || pointed[name]:
		case k.Deadline == 0:
			flaws = append(flaws, Garbage)
		default:
			flaws = append(flaws, Temporary)
			ends = max(ends, time.Duration(k.Deadline-s.Time)*time.Millisecond)
		}
	}
	return flaws, ends
}

// left describes how the state differs from that after one undisturbed op.
func (t *tester) left(s state.State) []string {
	lines := []string{}
	names := slices.Concat(s.Names(), t.refs.once.state.Names())
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if text := state.Describe(name, t.refs.once.state, s); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// flawOrder is the order in which flaws are told.
var flawOrder = []Flaw{Doubles, UnderCounts, Overwrites, Misreports, Halves, Drifts, Breaks, BreaksLater, Garbage, Temporary, TokenStays}

// ordered sorts flaws, each once.
func ordered(flaws []Flaw) []Flaw {
	all := []Flaw{} // a list in JSON
	for _, f := range flawOrder {
		if slices.Contains(flaws, f) {
			all = append(all, f)
		}
	}
	return all
}
