package live

import "time"

// longHold is where a wait can afford a timer of the runtime, which may fire a
// millisecond late but can be given up.
const longHold = 20 * time.Millisecond

// hold spends d. A short one is precise and runs to its end; a long one ends
// early when the world is stopped.
func (w *World) hold(d time.Duration, a *alarm) {
	switch {
	case d <= 0:
	case d < longHold:
		w.clock.wait(d, a)
	default:
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-w.stop:
		}
	}
}
