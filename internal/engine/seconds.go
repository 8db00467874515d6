package engine

import (
	"sync"
	"time"

	"rmwbench/results"
)

// Second is what ended in one second of a measured window.
type Second struct {
	results.Cell
	End    time.Duration // from the start of the window
	Length time.Duration // about a second
	results.Point
}

// leastTold is the shortest window whose seconds are told.
const leastTold = 2 * time.Second

// told reports whether the trial's seconds are told: somebody listens, and the
// window is long enough or ends by the number of ops.
func (t *trial) told() bool {
	return t.Second != nil && !t.Plan.Herd && (t.Plan.Duration >= leastTold || t.Plan.Duration == 0)
}

// seconds tells what ends in each second of a window, until it is called off.
type seconds struct {
	*trial
	window window

	mu     sync.Mutex
	end    time.Duration // of the second that runs, in the world's time
	from   time.Duration // when it began
	cancel func()
	off    bool
}

// tellSeconds begins to tell; the answer ends it, after which nobody is told any
// more.
func (t *trial) tellSeconds(w window) (callOff func()) {
	if !t.told() {
		return func() {}
	}
	s := &seconds{trial: t, window: w, from: w.from, end: w.from + time.Second}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arm()
	return s.callOff
}

// arm sets the next look. The lock is held.
func (s *seconds) arm() { s.cancel = s.world.Alarm(max(s.end-s.world.Now(), 0), s.look) }

func (s *seconds) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off {
		return
	}
	var sum results.Tally
	for _, sh := range s.shards {
		sh.Look(&sum)
	}
	now := s.world.Now()
	s.Second(Second{Cell: s.cell, End: s.end - s.window.from, Length: now - s.from, Point: sum.Point()})
	s.from = now
	for s.end <= now { // a busy machine may have slept over some
		s.end += time.Second
	}
	if s.end <= s.window.to {
		s.arm()
	}
}

func (s *seconds) callOff() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = true
	s.cancel()
}
