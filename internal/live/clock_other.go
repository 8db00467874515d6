//go:build !linux

package live

import "time"

// clock wakes clients after short waits, as precisely as the runtime does.
type clock struct{}

// alarm is one client's wait.
type alarm struct{}

func newAlarm() *alarm { return &alarm{} }

func newClock() (*clock, error) { return &clock{}, nil }

func (*clock) wait(d time.Duration, _ *alarm) { time.Sleep(d) }

func (*clock) close() {}
