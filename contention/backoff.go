package contention

import (
	"math/rand/v2"
	"time"

	"rmwbench/internal/registry"
)

// Backoff says how long a client stays away after a failed attempt. Delay does not sleep, does not allocate and keeps no
// state, so clients share it. failures counts the failures of the operation so far, 1 after the first; prev is the delay
// returned before, 0 at first. The delay is never negative and never above the cap, whatever the arguments.
type Backoff interface {
	Delay(failures int, prev time.Duration, rng *rand.Rand) time.Duration
}

// BackoffKind describes a kind of Backoff. Waits says that base and cap mean something to it. New takes a base and a cap; one of 0, or below, means no delay at all, and a cap
// below the base holds from the first failure.
type BackoffKind struct {
	Summary string
	Waits   bool
	New     func(base, cap time.Duration) Backoff
}

// Backoffs holds every back-off by name.
var Backoffs = registry.New[BackoffKind]("back-off")

// bounds are the base and the cap of a back-off, neither negative.
type bounds struct {
	base, cap time.Duration
}

func newBounds(base, cap time.Duration) bounds {
	return bounds{base: max(base, 0), cap: max(cap, 0)}
}

// exponential is v(n) = min(cap, base * 2^n) for n failures. It does not overflow: base * 2^n > cap exactly when
// base > floor(cap / 2^n), and a shift to the right by 63 and more leaves 0.
func (b bounds) exponential(n int) time.Duration {
	n = max(n, 0)
	if b.base > b.cap>>n {
		return b.cap
	}
	return b.base << n
}

// between draws U(low, high) to the nanosecond, both ends included; low <= high, neither negative.
func between(low, high time.Duration, rng *rand.Rand) time.Duration {
	return low + time.Duration(rng.Uint64N(uint64(high-low)+1))
}
