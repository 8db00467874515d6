package sim

import (
	"errors"
	"runtime"
	"sync"

	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/results"
)

// Job is one trial to simulate.
type Job struct {
	Cell    results.Cell
	Trial   int
	Machine *Machine // nil: a what-if
}

// Jobs lists n trials of cells from a first number on, round by round, each
// cell once a round.
func Jobs(first, n int, cells []results.Cell) (jobs []Job) {
	for number := range n {
		for _, c := range cells {
			jobs = append(jobs, Job{Cell: c, Trial: first + number})
		}
	}
	return jobs
}

// Run simulates jobs on all cores and hands their runs to sink, one at a time,
// in the order of the jobs. The first error ends it. Closing stop ends it
// early, with engine.ErrInterrupted.
func Run(plan *engine.Plan, jobs []Job, p *profile.Profile, stop <-chan struct{}, sink func(i int, run *results.Run) error) error {
	workers := min(runtime.GOMAXPROCS(0), max(len(jobs), 1))
	type answer struct {
		i   int
		run *results.Run
		err error
	}
	var wg sync.WaitGroup
	todo := make(chan int)
	done := make(chan answer)
	quit := make(chan struct{})
	for range workers {
		wg.Go(func() {
			s := newSimulator(plan, stop)
			for i := range todo {
				run, err := s.trial(jobs[i].Cell, jobs[i].Trial, p, jobs[i].Machine)
				if err == nil {
					err = run.Pack()
				}
				done <- answer{i, run, err}
			}
		})
	}
	go func() {
		defer close(todo)
		for i := range jobs {
			select {
			case todo <- i:
			case <-stop:
				return
			case <-quit:
				return
			}
		}
	}()
	go func() {
		wg.Wait()
		close(done)
	}()

	var failed error
	early := map[int]answer{} // those whose turn has not come
	next := 0
	for a := range done {
		early[a.i] = a
		for ; failed == nil; next++ {
			a, ok := early[next]
			if !ok {
				break
			}
			delete(early, next)
			if a.run != nil {
				failed = sink(a.i, a.run)
			}
			if failed = errors.Join(failed, a.err); failed != nil {
				close(quit)
			}
		}
	}
	if failed == nil && (next < len(jobs) || engine.Stopped(stop)) {
		return engine.ErrInterrupted
	}
	return failed
}
