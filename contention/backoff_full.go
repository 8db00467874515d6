package contention

import (
	"math/rand/v2"
	"time"
)

func init() {
	Backoffs.Add("full", BackoffKind{
		Summary: "a random part of min(cap, base*2^n)",
		Waits:   true,
		New:     func(base, cap time.Duration) Backoff { return fullBackoff{newBounds(base, cap)} },
	})
}

// fullBackoff waits U(0, v) after n failures, with v = min(cap, base * 2^n); v/2 on average.
type fullBackoff struct{ bounds }

func (b fullBackoff) Delay(failures int, _ time.Duration, rng *rand.Rand) time.Duration {
	return between(0, b.exponential(failures), rng)
}
