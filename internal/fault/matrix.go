package fault

import (
	"fmt"
	"slices"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/internal/state"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// Server is what designs are tried on: one that was started for it, for every
// case begins with FLUSHALL.
type Server struct {
	World engine.World
	Facts strategies.Facts
	Clock state.Clock // how its deadlines are read
	// Restart restarts it with all its data, and answers when it serves again.
	// nil: it cannot be.
	Restart func() error
}

// Verdict is what a design came to.
type Verdict struct {
	Name   string
	Design Design
	NA     string // why it was not tried; empty: it was
	Cases  []Case
	Flaws  []Flaw // of all cases, in the order of the constants
}

// Kept reports whether the design does wrong what it promises to, and nothing
// else.
func (v *Verdict) Kept() bool {
	return v.NA != "" || slices.Equal(v.Flaws, ordered(v.Design.Promise))
}

// Worst is the first case that has a flaw.
func (v *Verdict) Worst(f Flaw) *Case {
	for i := range v.Cases {
		if slices.Contains(v.Cases[i].Flaws, f) {
			return &v.Cases[i]
		}
	}
	return nil
}

// Matrix tries designs, each at all its points. told hears of each design's
// verdict; nil: nobody listens. Closing stop ends it between cases, with
// engine.ErrInterrupted.
func Matrix(s Server, names []string, stop <-chan struct{}, told func(*Verdict)) (all []Verdict, err error) {
	for _, name := range names {
		design, err := Designs.Get(name)
		if err != nil {
			return all, err
		}
		v := Verdict{Name: name, Design: design}
		t := &tester{Server: s, design: design}
		if err := t.try(&v, stop); err != nil {
			return all, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, v)
		if told != nil {
			told(&v)
		}
	}
	return all, nil
}

// tester tries one design.
type tester struct {
	Server
	design   Design
	strategy strategies.Kind
	workload workloads.Workload
	control  strategies.Session
	waits    strategies.Session // to spend time on: the control connection of a simulation spends none
	reader   state.Reader
	commands []int // of each exchange of an undisturbed attempt
	refs     references
}

// base is the key that all cases are about.
const base = "rmwbench:fault:{0}"

// try fills in the verdict.
func (t *tester) try(v *Verdict, stop <-chan struct{}) (err error) {
	if t.strategy, err = strategies.All.Get(t.design.Strategy); err != nil {
		return err
	}
	if t.workload, err = workloads.All.Get(t.design.Workload); err != nil {
		return err
	}
	if v.NA = t.strategy.NotApplicable(t.workload, t.Facts); v.NA != "" {
		return nil
	}
	conn, err := t.World.Dial(engine.Control)
	if err != nil {
		return err
	}
	defer conn.Close()
	waits, err := t.World.Dial(other)
	if err != nil {
		return err
	}
	defer waits.Close()
	in := func(f func() error) {
		t.World.Run(func() {
			if t.control, err = conn.Session(""); err != nil {
				return
			}
			if t.waits, err = waits.Session(base); err != nil {
				return
			}
			t.reader = state.Reader{Session: t.control, Clock: t.Clock}
			err = f()
		})
	}
	if in(func() error { return t.learn() }); err != nil {
		return err
	}
	for _, p := range points(t.commands, t.design.Sweep != nil, t.Restart != nil && t.design.Sweep == nil) {
		if engine.Stopped(stop) {
			return engine.ErrInterrupted
		}
		in(func() error {
			c, err := t.run(p)
			v.Cases = append(v.Cases, c)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	var flaws []Flaw
	for _, c := range v.Cases {
		flaws = append(flaws, c.Flaws...)
	}
	v.Flaws = ordered(flaws)
	return nil
}

// fresh brings the base into the state that every case starts from.
func (t *tester) fresh() error {
	cmds := append([]resp.Cmd{{"FLUSHALL"}}, t.workload.Setup(base)...)
	if t.strategy.Prepare != nil {
		cmds = append(cmds, t.strategy.Prepare(t.workload)...)
	}
	return t.do(cmds...)
}

// do is an exchange of the tester's own in which nothing may go wrong.
func (t *tester) do(cmds ...resp.Cmd) error {
	replies, err := t.control.Exchange(cmds...)
	if err != nil {
		return err
	}
	for i, r := range replies {
		if r.Kind == resp.Error {
			return fmt.Errorf("the server refuses %s: %s", cmds[i], r.Str)
		}
	}
	return nil
}
