package contention

import (
	"math/rand/v2"
	"testing"
	"time"
)

// echo returns what it was asked, so that a test sees it was asked.
type echo struct{}

func (echo) Delay(failures int, prev time.Duration, rng *rand.Rand) time.Duration {
	rng.Uint64()
	return time.Duration(failures)*time.Second + prev
}

func TestRetryNext(t *testing.T) {
	for _, c := range []struct {
		maxTries, failures int
		delay              time.Duration
		again              bool
	}{
		{0, 1, 1*time.Second + 7, true},
		{0, 1_000_000, 1_000_000*time.Second + 7, true},
		{1, 1, 0, false},
		{5, 1, 1*time.Second + 7, true},
		{5, 4, 4*time.Second + 7, true},
		{5, 5, 0, false},
		{5, 6, 0, false},
	} {
		rng, untouched := rngOf(1), rngOf(1)
		delay, again := Retry{Backoff: echo{}, MaxTries: c.maxTries}.Next(c.failures, 7, rng)
		if delay != c.delay || again != c.again {
			t.Errorf("%d tries at most, %d failures: %v, %v; want %v, %v", c.maxTries, c.failures, delay, again, c.delay, c.again)
		}
		if drew := rng.Uint64() != untouched.Uint64(); drew != c.again {
			t.Errorf("%d tries at most, %d failures: drew from the generator: %v", c.maxTries, c.failures, drew)
		}
	}
}

func TestRetryWithoutBackoffTriesAtOnce(t *testing.T) {
	if delay, again := (Retry{}).Next(1000, 0, nil); delay != 0 || !again {
		t.Errorf("the zero Retry says %v, %v", delay, again)
	}
	if _, again := (Retry{MaxTries: 2}).Next(2, 0, nil); again {
		t.Error("a third try of two")
	}
}
