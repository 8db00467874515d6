package engine

import (
	"math/rand/v2"
	"sync"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
)

// arrivals is the intended starts of an open loop: one Poisson sequence for all
// clients of a trial. A free client takes the next and waits for its time, so
// that ops are served first come, first served, by as many servers as there are
// clients. The sequence is the same for every strategy, and up to a burst the
// same as without one.
type arrivals struct {
	rng    *rand.Rand
	mean   float64          // nanoseconds between arrivals, bursts aside
	burst  contention.Burst // in the world's time
	window window

	mu   sync.Mutex
	next float64 // the next intended start, in nanoseconds of the world's time
	seen results.Arrivals
}

// newArrivals begins a sequence of so many arrivals a second, more of them in a
// burst.
func newArrivals(seed uint64, rate float64, burst contention.Burst, began time.Duration, w window) *arrivals {
	burst.From += w.from
	a := &arrivals{rng: contention.Stream(seed, Control, contention.Arrivals), mean: float64(time.Second) / rate, burst: burst, window: w}
	a.advance(float64(began))
	return a
}

// advance draws the intended start that follows on a time.
func (a *arrivals) advance(at float64) { a.next = a.burst.After(at, a.mean*a.rng.ExpFloat64()) }

// take takes the next arrival at time now.
func (a *arrivals) take(now time.Duration) (start time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	start = a.draw()
	if now > start && a.window.holds(start) {
		a.seen.Late++
	}
	return start
}

// draw is the next intended start. The lock is held.
func (a *arrivals) draw() time.Duration {
	start := time.Duration(a.next)
	a.advance(a.next)
	if a.window.holds(start) {
		a.seen.Offered++
	}
	return start
}

// end counts the arrivals that nobody took before a time, and answers all
// counts.
func (a *arrivals) end(at time.Duration) *results.Arrivals {
	a.mu.Lock()
	defer a.mu.Unlock()
	for time.Duration(a.next) < at {
		if a.window.holds(a.draw()) {
			a.seen.Unserved++
		}
	}
	seen := a.seen
	return &seen
}
