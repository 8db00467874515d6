package contention

import (
	"math/rand/v2"
	"time"
)

// Retry says whether a failed operation is tried again, and after which delay. The zero Retry tries at once, until done.
type Retry struct {
	Backoff  Backoff // nil is no delay
	MaxTries int     // attempts of one operation, the first included; 0 = until done
}

// Next decides after a failed attempt; failures and prev are those of Backoff.Delay. again is false when the tries are used
// up; then nothing is drawn from rng and the delay is 0.
func (r Retry) Next(failures int, prev time.Duration, rng *rand.Rand) (delay time.Duration, again bool) {
	if r.MaxTries > 0 && failures >= r.MaxTries {
		return 0, false
	}
	if r.Backoff == nil {
		return 0, true
	}
	return r.Backoff.Delay(failures, prev, rng), true
}
