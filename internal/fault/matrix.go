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
	Name string `json:"design"`
	Design
	NA    string `json:"not_applicable"` // why it was not tried; empty: it was
	Flaws []Flaw `json:"flaws"`          // of all cases, in the order of the constants
	Cases []Case `json:"cases"`
}

// Kept reports whether the design does wrong what it promises to, and nothing
// else.
func (v *Verdict) Kept() bool {
	return v.NA != "" || slices.Equal(v.Flaws, v.Design.Promise)
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
		design.Promise = ordered(design.Promise)
		v := Verdict{Name: name, Design: design}
		t, err := newTester(s, design)
		if err == nil {
			err = t.try(&v, stop)
		}
		if err != nil {
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
	conns    [2]engine.Conn     // the two below
	control  strategies.Session // the tester's own
	waits    strategies.Session // to spend time on: the control connection of a simulation spends none
	reader   state.Reader
	commands []int // of each exchange of an undisturbed attempt
	refs     references
}

// base is the key that all cases are about.
const base = "rmwbench:fault:{0}"

// try fills in the verdict.
func (t *tester) try(v *Verdict, stop <-chan struct{}) error {
	if v.NA = t.strategy.NotApplicable(t.workload, t.Facts); v.NA != "" {
		return nil
	}
	if err := t.open(); err != nil {
		return err
	}
	defer t.close()
	var flaws []Flaw
	for _, p := range points(t.commands, t.design.Sweep != nil, t.Restart != nil && t.design.Sweep == nil) {
		if engine.Stopped(stop) {
			return engine.ErrInterrupted
		}
		c, err := t.run(p)
		if engine.Stopped(stop) { // its waits may have been cut short
			return engine.ErrInterrupted
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		v.Cases = append(v.Cases, c)
		flaws = append(flaws, c.Flaws...)
	}
	v.Flaws = ordered(flaws)
	return nil
}

// newTester is for one design.
func newTester(s Server, d Design) (t *tester, err error) {
	t = &tester{Server: s, design: d}
	if t.strategy, err = strategies.All.Get(d.Strategy); err != nil {
		return nil, err
	}
	t.workload, err = workloads.All.Get(d.Workload)
	return t, err
}

// open connects and learns what undisturbed ops leave.
func (t *tester) open() (err error) {
	for i, client := range []int{engine.Control, other} {
		if t.conns[i], err = t.World.Dial(client); err != nil {
			t.close()
			return err
		}
	}
	return t.in(t.learn)
}

func (t *tester) close() {
	for _, c := range t.conns {
		if c != nil {
			c.Close()
		}
	}
}

// run plays one case in a fresh state.
func (t *tester) run(p Point) (c Case, err error) {
	err = t.in(func() error {
		c, err = t.play(p)
		return err
	})
	return c, err
}

// in does something where sessions can be used.
func (t *tester) in(f func() error) (err error) {
	t.World.Run(func() {
		if err = t.connect(); err == nil {
			err = f()
		}
	})
	return err
}

// connect takes the tester's sessions.
func (t *tester) connect() (err error) {
	if t.control, err = t.conns[0].Session(""); err != nil {
		return err
	}
	t.reader = state.Reader{Session: t.control, Clock: t.Clock}
	t.waits, err = t.conns[1].Session(base)
	return err
}

// restart restarts the server, which ends every connection.
func (t *tester) restart() error {
	if err := t.Restart(); err != nil {
		return err
	}
	for _, c := range t.conns {
		c.Drop()
	}
	return t.connect()
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
