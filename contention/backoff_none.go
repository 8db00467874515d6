package contention

import (
	"math/rand/v2"
	"time"
)

func init() {
	Backoffs.Add("none", BackoffKind{
		Summary: "try again at once",
		New:     func(time.Duration, time.Duration) Backoff { return noBackoff{} },
	})
}

// noBackoff always waits 0.
type noBackoff struct{}

func (noBackoff) Delay(int, time.Duration, *rand.Rand) time.Duration { return 0 }
