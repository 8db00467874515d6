package contention

import (
	"math"
	"math/rand/v2"
	"time"
)

func init() {
	Backoffs.Add("decorrelated", BackoffKind{
		Summary: "random between base and three times the delay before, at most cap",
		Waits:   true,
		New:     func(base, cap time.Duration) Backoff { return decorrelatedBackoff{newBounds(base, cap)} },
	})
}

// decorrelatedBackoff waits s <- min(cap, U(base, 3s)), s starting at base; s is the delay before, so the number of failures
// does not enter. Once at the cap, two delays in three are the cap itself.
type decorrelatedBackoff struct{ bounds }

func (b decorrelatedBackoff) Delay(_ int, prev time.Duration, rng *rand.Rand) time.Duration {
	s := max(prev, b.base)
	return min(b.cap, between(b.base, triple(s), rng))
}

// triple is 3d, or the longest duration where that overflows.
func triple(d time.Duration) time.Duration {
	if d > math.MaxInt64/3 {
		return math.MaxInt64
	}
	return 3 * d
}
