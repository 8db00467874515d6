package engine

import (
	"errors"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
)

// ErrInterrupted says that the run was stopped from outside. The trial it
// ended is kept as partial.
var ErrInterrupted = errors.New("interrupted")

// Runner runs the trials of a plan.
type Runner struct {
	Plan   *Plan
	World  World
	Source string // of the figures, for the record
	Cells  []results.Cell
	Shards int // recorders: one for each core that clients run on
	// OneThread says that the world runs all clients on one thread, in virtual
	// time, where every run can be held to the identities.
	OneThread bool
	Stop      <-chan struct{} // closed to end the run early; nil: never
	Sink      func(*results.Run) error
	// Progress is told before each trial. nil: nobody listens.
	Progress func(Progress)
	// Second is told what each second of a window comes to, where the window is
	// of two seconds or more. It is called while clients run, from one goroutine
	// at a time and between calls of Progress. nil: nobody listens.
	Second func(Second)

	shards shards
}

// Progress is where a run stands.
type Progress struct {
	Done, Total int // trials
	Cell        results.Cell
	Elapsed     time.Duration
	Left        time.Duration // to the end, at the pace so far
}

// ProgressAt is the progress after some of a number of alike trials.
func ProgressAt(done, total int, cell results.Cell, elapsed time.Duration) Progress {
	return Progress{
		Done: done, Total: total, Cell: cell, Elapsed: elapsed,
		Left: elapsed / time.Duration(done) * time.Duration(total-done),
	}
}

// Run runs all trials of the plan.
func (r *Runner) Run() error { return r.Trials(0, r.Plan.Trials) }

// Trials runs n trials of every cell, from a first number on. Every whole trial
// goes to Sink as soon as it has ended, and so does what there is of one that
// was cut short. Trials are run in rounds, each cell once a round, in an order
// shuffled anew by the seed, so that a drift of the machine meets all cells
// alike.
func (r *Runner) Trials(first, n int) error {
	order := contention.Stream(r.Plan.Seed, Control, contention.Ops)
	pace := &pace{now: r.World.Now, began: r.World.Now(), plan: r.Plan, total: n * len(r.Cells)}
	for number := range n {
		for _, i := range order.Perm(len(r.Cells)) {
			if Stopped(r.Stop) {
				return ErrInterrupted
			}
			if r.Progress != nil {
				r.Progress(Progress{Done: pace.done, Total: pace.total, Cell: r.Cells[i], Elapsed: pace.elapsed(), Left: pace.left()})
			}
			run, err := r.Trial(r.Cells[i], first+number)
			if run != nil {
				err = errors.Join(err, r.Sink(run))
			}
			if err != nil && Stopped(r.Stop) {
				return errors.Join(ErrInterrupted, err)
			}
			if err != nil {
				return err
			}
			pace.done++
		}
	}
	if Stopped(r.Stop) {
		return ErrInterrupted
	}
	return nil
}

// pace estimates the time left: the planned length of the trials to come, and
// what a trial so far took beyond its plan.
type pace struct {
	now         func() time.Duration
	began       time.Duration
	plan        *Plan
	done, total int
}

func (p *pace) elapsed() time.Duration { return p.now() - p.began }

func (p *pace) left() time.Duration {
	each := p.plan.Warmup + p.plan.Duration
	if p.done > 0 {
		each = p.elapsed() / time.Duration(p.done)
	}
	return each * time.Duration(p.total-p.done)
}
