package live

import "time"

// Stopwatch tells how long something has been going on.
type Stopwatch struct{ Began time.Time }

// StartStopwatch starts one.
func StartStopwatch() Stopwatch { return Stopwatch{time.Now()} }

// Elapsed is the time since the start.
func (s Stopwatch) Elapsed() time.Duration { return time.Since(s.Began) }
