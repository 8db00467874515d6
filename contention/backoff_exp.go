package contention

import (
	"math/rand/v2"
	"time"
)

func init() {
	Backoffs.Add("exp", BackoffKind{
		Summary: "min(cap, base*2^n) after n failures, without jitter",
		Waits:   true,
		New:     func(base, cap time.Duration) Backoff { return expBackoff{newBounds(base, cap)} },
	})
}

// expBackoff waits v(n) = min(cap, base * 2^n) after n failures. Clients that failed together come back together.
type expBackoff struct{ bounds }

func (b expBackoff) Delay(failures int, _ time.Duration, _ *rand.Rand) time.Duration {
	return b.exponential(failures)
}
