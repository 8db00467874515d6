package live

import (
	"container/heap"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// clock wakes clients after short waits. The runtime's own timers are a
// millisecond late when little else is going on, because an idle program polls
// in whole milliseconds: a wait of 0.5 ms would take 1.1 ms. One timer of the
// kernel, set to the earliest of all waits, is about 0.1 ms late whatever their
// number, and costs one system call for many waits that end together.
type clock struct {
	file *os.File // a timerfd

	mu    sync.Mutex
	waits alarms
	armed time.Time // what the timer is set to; zero: nothing
}

// alarm is one client's wait. It is used again for the next.
type alarm struct {
	at   time.Time
	ring chan struct{}
}

func newAlarm() *alarm { return &alarm{ring: make(chan struct{}, 1)} }

func newClock() (*clock, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("no timer for short waits: %w", err)
	}
	c := &clock{file: os.NewFile(uintptr(fd), "timerfd")}
	go c.serve()
	return c, nil
}

// wait blocks for d.
func (c *clock) wait(d time.Duration, a *alarm) {
	c.mu.Lock()
	a.at = time.Now().Add(d)
	heap.Push(&c.waits, a)
	if c.armed.IsZero() || a.at.Before(c.armed) {
		c.arm(a.at)
	}
	c.mu.Unlock()
	<-a.ring
}

// arm sets the timer. A time in the past is due in a nanosecond: zero would
// disarm it.
func (c *clock) arm(at time.Time) {
	left := max(time.Until(at), 1)
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(left))}
	if err := unix.TimerfdSettime(int(c.file.Fd()), 0, &spec, nil); err != nil {
		panic(fmt.Sprintf("live: setting a timer %v ahead: %v", left, err)) // no valid time is refused
	}
	c.armed = at
}

// serve wakes whoever is due, each time the timer fires, until close.
func (c *clock) serve() {
	count := make([]byte, 8)
	for {
		if _, err := c.file.Read(count); err != nil {
			return
		}
		c.mu.Lock()
		now := time.Now()
		for len(c.waits) > 0 && !c.waits[0].at.After(now) {
			heap.Pop(&c.waits).(*alarm).ring <- struct{}{}
		}
		c.armed = time.Time{}
		if len(c.waits) > 0 {
			c.arm(c.waits[0].at)
		}
		c.mu.Unlock()
	}
}

func (c *clock) close() { c.file.Close() }

// alarms is a heap.Interface, the earliest first.
type alarms []*alarm

func (a alarms) Len() int           { return len(a) }
func (a alarms) Less(i, j int) bool { return a[i].at.Before(a[j].at) }
func (a alarms) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *alarms) Push(x any)        { *a = append(*a, x.(*alarm)) }
func (a *alarms) Pop() any {
	last := len(*a) - 1
	x := (*a)[last]
	*a = (*a)[:last]
	return x
}
