package check

import (
	"errors"
	"fmt"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/state"
)

// Config says what the world is like and how to leave it early.
type Config struct {
	// Embedded is a server whose times to live stand still: whether a deadline
	// moves cannot be told there.
	Embedded bool
	Stop     <-chan struct{} // closed to end early, with engine.ErrInterrupted; nil: never
}

// pause lies between a run and its retry: longer than a second, so that also a
// deadline that a script reckons in whole seconds is seen to move.
const pause = 1100 * time.Millisecond

// Databases is how many databases a batch is played in: twice, twice command by
// command, once more, and a crash and its retry after each step but the last.
func (b *Batch) Databases() int { return len(b.steps()) + 2 }

// Check plays the batch on a server that was started for it and answers what
// was found. It empties the databases from 0 to b.Databases()-1.
//
// An error is one of the server or its connection, or one line with file:line
// that says why the batch does not even run once.
func Check(w engine.World, b *Batch, cfg Config) (r *Report, err error) {
	w.Run(func() {
		var v *evidence
		if v, err = gather(w, b, cfg); err == nil {
			r = v.report()
		}
	})
	return r, err
}

// evidence is what was seen of a batch.
type evidence struct {
	*Batch
	clock state.Clock

	first, second play // the batch twice, after a pause, in one database
	once, twice   state.State
	other         play // the batch once more from the start
	otherOnce     state.State

	walk, walkAgain []state.State // the same twice, command by command
	crashes         []crash
	spoils          []spoil

	setters map[string]int // see findSetters
}

// crash is a run that ended after some steps, and its retry after a pause.
type crash struct {
	steps  int
	left   state.State
	retry  play
	end    state.State
	prefix play
	db     int
}

// gather plays everything.
func gather(w engine.World, b *Batch, cfg Config) (v *evidence, err error) {
	conn, err := w.Dial(engine.Control)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	session, err := conn.Session("")
	if err != nil {
		return nil, err
	}
	s := &stage{batch: b, world: w, eye: state.Reader{Session: session}, stop: cfg.Stop}
	if s.eye.Clock, err = state.ClockOf(s.eye.Session, cfg.Embedded); err != nil {
		return nil, err
	}
	v = &evidence{Batch: b, clock: s.eye.Clock}
	whole := len(b.steps())
	twice, err := v.playOnce(s, whole)
	if err != nil {
		return nil, err
	}
	walked, err := s.fresh()
	if err != nil {
		return nil, err
	}
	if v.walk, err = s.walk(walked); err != nil {
		return nil, err
	}
	if len(v.walk) != len(b.commands())+1 {
		return nil, fmt.Errorf("%s: command by command, the batch ends after %d of them", b.File, len(v.walk)-1)
	}
	v.findSetters()
	for steps := 1; steps < whole; steps++ {
		c := crash{steps: steps}
		if c.db, c.prefix, c.left, err = s.run(0, steps); err != nil {
			return nil, err
		}
		v.crashes = append(v.crashes, c)
	}

	session.Hold(pause)

	if v.second, v.twice, err = s.runIn(twice, 0, whole); err != nil {
		return nil, err
	}
	if v.walkAgain, err = s.walk(walked); err != nil {
		return nil, err
	}
	for i := range v.crashes {
		c := &v.crashes[i]
		if c.retry, c.end, err = s.runIn(c.db, 0, whole); err != nil {
			return nil, err
		}
	}
	var db int
	if db, v.other, v.otherOnce, err = s.run(0, whole); err != nil {
		return nil, err
	}
	v.spoils, err = s.spoil(db, v.walk)
	return v, err
}

// playOnce is the first run. A batch that is refused, or that ends before its
// end, is not worth any other.
func (v *evidence) playOnce(s *stage, whole int) (db int, err error) {
	if db, v.first, v.once, err = s.run(0, whole); err != nil {
		return db, err
	}
	switch p := v.first; {
	case p.failed != nil:
		return db, v.refused(*p.failed)
	case len(p.unseen) > 0:
		return db, v.refused(p.unseen[0])
	case p.stoppedBy != nil && p.sent < len(v.commands()):
		return db, fmt.Errorf("%s:%d: the first run ends here (#! stop-if %s), before all of the batch is done: give another start",
			v.File, p.stoppedBy.Line, p.stoppedBy.Reply)
	}
	return db, nil
}

// run plays some steps from the start in a database of their own.
func (s *stage) run(from, to int) (db int, p play, end state.State, err error) {
	if db, err = s.fresh(); err != nil {
		return db, p, end, err
	}
	p, end, err = s.runIn(db, from, to)
	return db, p, end, err
}

// runIn plays some steps on what a database holds.
func (s *stage) runIn(db, from, to int) (p play, end state.State, err error) {
	if p, err = s.play(db, from, to); err != nil {
		return p, end, err
	}
	end, err = s.eye.Read(db)
	return p, end, err
}

// findSetters finds the step that gave each key its final deadline in the first
// run: -1 is the start.
func (v *evidence) findSetters() {
	v.setters = map[string]int{}
	for name := range v.walk[0].Keys {
		v.setters[name] = -1
	}
	for i, c := range v.commands() {
		before, after := v.walk[i], v.walk[i+1]
		for name, k := range after.Keys {
			if k.Deadline != before.Keys[name].Deadline {
				v.setters[name] = c.Step
			}
		}
	}
}

// ErrNotJudged says that a batch was played and nothing can be said of it.
var ErrNotJudged = errors.New("the embedded server cannot tell whether a deadline moves: install redis-server or valkey-server, or name it with --server")
