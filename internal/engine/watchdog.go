package engine

import (
	"fmt"
	"sync"
	"time"
)

// grace is how long attempts that are still running when the window ends may
// take, beyond the times that were asked for, before their connections are cut;
// and how long a server that was silent is waited for to clean up after all.
const grace = 2 * time.Second

// watchdog cuts the connections of attempts that do not end: slack after the
// window's end, or after a stop, which has no other bound where ops are counted
// and not time. It looks for a stop every half slack. In virtual time every
// attempt ends, however slow the server, and only a stop is looked for.
type watchdog struct {
	world World
	conns []Conn
	due   time.Duration // when attempts must have ended; forever: not by time
	slack time.Duration
	stop  <-chan struct{}

	mu      sync.Mutex
	cancel  func()
	stopped bool // a stop was seen
	off     bool
	bitten  bool
}

// guard sets a watchdog over the connections of a load whose window ends at a
// time.
func (t *trial) guard(conns []Conn, end time.Duration) *watchdog {
	w := &watchdog{world: t.world, conns: conns, due: forever, slack: t.slack(), stop: t.Stop}
	if end < forever && !t.OneThread {
		w.due = end + w.slack
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arm()
	return w
}

// arm sets the next look. The lock is held.
func (w *watchdog) arm() { w.cancel = w.world.Alarm(min(w.slack/2, w.due-w.world.Now()), w.look) }

func (w *watchdog) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.off {
		return
	}
	if w.world.Now() >= w.due {
		w.bitten = true
		for _, c := range w.conns {
			c.Cut()
		}
		return
	}
	if !w.stopped && Stopped(w.stop) {
		w.stopped = true
		w.due = min(w.due, w.world.Now()+w.slack)
	}
	w.arm()
}

// callOff ends the watch. The error says that connections had to be cut.
func (w *watchdog) callOff() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.off = true
	w.cancel()
	if !w.bitten {
		return nil
	}
	return fmt.Errorf("attempts were still without an answer %v after the end of the window, so their connections were cut", w.slack)
}
