package contention

import (
	"math/rand/v2"
	"time"
)

func init() {
	Backoffs.Add("equal", BackoffKind{
		Summary: "half of min(cap, base*2^n), and a random part of the other half",
		Waits:   true,
		New:     func(base, cap time.Duration) Backoff { return equalBackoff{newBounds(base, cap)} },
	})
}

// equalBackoff waits v/2 + U(0, v/2) after n failures, with v = min(cap, base * 2^n); 3v/4 on average.
type equalBackoff struct{ bounds }

func (b equalBackoff) Delay(failures int, _ time.Duration, rng *rand.Rand) time.Duration {
	v := b.exponential(failures)
	return between(v/2, v, rng)
}
