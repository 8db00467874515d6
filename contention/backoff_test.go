package contention

import (
	"fmt"
	"math"
	"testing"
	"time"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

func mustBackoff(t testing.TB, name string, base, cap time.Duration) Backoff {
	t.Helper()
	kind, err := Backoffs.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return kind.New(base, cap)
}

func TestBackoffsAreDescribed(t *testing.T) {
	for _, name := range []string{"none", "exp", "equal", "full", "decorrelated"} {
		if _, err := Backoffs.Get(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range Backoffs.Names() {
		if kind, _ := Backoffs.Get(name); kind.Summary == "" {
			t.Errorf("%s has no summary", name)
		}
	}
}

var manyFailures = []int{math.MinInt, -1, 0, 1, 2, 3, 31, 32, 61, 62, 63, 64, 65, 1000, math.MaxInt}

func TestDelayStaysWithinZeroAndCap(t *testing.T) {
	const longest = time.Duration(math.MaxInt64)
	sizes := []time.Duration{math.MinInt64, -ms, 0, 1, 2, 100 * us, 10 * ms, time.Hour, longest - 1, longest}
	for _, name := range Backoffs.Names() {
		rng := rngOf(2)
		for _, base := range sizes {
			for _, cap := range sizes {
				backoff := mustBackoff(t, name, base, cap)
				for _, failures := range manyFailures {
					for _, prev := range sizes {
						d := backoff.Delay(failures, prev, rng)
						if d < 0 || d > max(cap, 0) {
							t.Fatalf("%s, base %v, cap %v, %d failures, before %v: delay %v", name, base, cap, failures, prev, d)
						}
					}
				}
			}
		}
	}
}

func TestBaseOrCapZeroIsNoDelay(t *testing.T) {
	for _, name := range Backoffs.Names() {
		for _, bounds := range [][2]time.Duration{{0, 10 * ms}, {100 * us, 0}, {0, 0}} {
			backoff, rng, prev := mustBackoff(t, name, bounds[0], bounds[1]), rngOf(2), time.Duration(0)
			for failures := range 100 {
				if prev = backoff.Delay(failures+1, prev, rng); prev != 0 {
					t.Errorf("%s, base %v, cap %v: delay %v", name, bounds[0], bounds[1], prev)
				}
			}
		}
	}
}

func TestExpDelays(t *testing.T) {
	const longest = time.Duration(math.MaxInt64)
	for _, c := range []struct {
		base, cap time.Duration
		failures  int
		want      time.Duration
	}{
		{100 * us, 10 * ms, 0, 100 * us},
		{100 * us, 10 * ms, 1, 200 * us},
		{100 * us, 10 * ms, 2, 400 * us},
		{100 * us, 10 * ms, 6, 6400 * us},
		{100 * us, 10 * ms, 7, 10 * ms},
		{100 * us, 10 * ms, 62, 10 * ms},
		{100 * us, 10 * ms, 63, 10 * ms},
		{100 * us, 10 * ms, 64, 10 * ms},
		{100 * us, 10 * ms, 1000, 10 * ms},
		{5 * ms, 2 * time.Second, 1, 10 * ms}, // the first delay of the AWS table
		{100 * us, 6400 * us, 6, 6400 * us},   // exactly the cap
		{100 * us, 6400*us - 1, 6, 6400*us - 1},
		{1, longest, 61, 1 << 61},
		{1, longest, 62, 1 << 62},
		{1, longest, 63, longest},
		{3, longest, 61, 3 << 61},
		{3, longest, 62, longest},
		{10 * ms, ms, 1, ms}, // a cap below the base
	} {
		if got := mustBackoff(t, "exp", c.base, c.cap).Delay(c.failures, 0, nil); got != c.want {
			t.Errorf("base %v, cap %v, %d failures: delay %v, want %v", c.base, c.cap, c.failures, got, c.want)
		}
	}
}

// The jittered delays are uniform over low..high: their ends are reached, their mean and variance are right.
func TestJitterIsUniform(t *testing.T) {
	const base, cap, draws = 100 * us, 10 * ms, 40_000
	for _, failures := range []int{1, 2, 5, 7, 62, 63, 64, 1000} {
		v := mustBackoff(t, "exp", base, cap).Delay(failures, 0, nil)
		for name, low := range map[string]time.Duration{"full": 0, "equal": v / 2} {
			t.Run(fmt.Sprintf("%s/failures=%d", name, failures), func(t *testing.T) {
				backoff, rng := mustBackoff(t, name, base, cap), rngOf(4)
				width := float64(v - low)
				var sum, squares float64
				distinct := map[time.Duration]bool{}
				first, last := v, low
				for range draws {
					d := backoff.Delay(failures, 0, rng)
					distinct[d] = true
					first, last = min(first, d), max(last, d)
					u := float64(d-low) / width
					sum += u
					squares += u * u
				}
				mean := sum / draws
				variance := squares/draws - mean*mean
				if first < low || last > v || float64(first-low) > 0.001*width || float64(v-last) > 0.001*width {
					t.Errorf("delays from %v to %v, want %v to %v", first, last, low, v)
				}
				if sd := math.Sqrt(1. / 12 / draws); math.Abs(mean-0.5) > 4.5*sd {
					t.Errorf("mean at %v of the range, want 0.5 +- %v", mean, 4.5*sd)
				}
				if math.Abs(variance*12-1) > 0.03 {
					t.Errorf("variance is %v of the uniform one", variance*12)
				}
				if len(distinct) < draws/2 {
					t.Errorf("%d different delays in %d draws", len(distinct), draws)
				}
			})
		}
	}
}

func TestBetweenReachesBothEnds(t *testing.T) {
	rng, counts := rngOf(6), map[time.Duration]int{}
	for range 30_000 {
		counts[between(5, 7, rng)]++
	}
	for d := time.Duration(5); d <= 7; d++ {
		if n := counts[d]; n < 9600 || n > 10_400 {
			t.Errorf("%d drawn %d times of 30000", d, n)
		}
		delete(counts, d)
	}
	if len(counts) > 0 {
		t.Errorf("drawn outside 5..7: %v", counts)
	}
	if d := between(9, 9, rng); d != 9 {
		t.Errorf("between 9 and 9: %d", d)
	}
}

func TestDecorrelatedRecurrence(t *testing.T) {
	const base, cap = 5 * ms, 2 * time.Second
	backoff, rng := mustBackoff(t, "decorrelated", base, cap), rngOf(8)
	capped, longest := 0, time.Duration(0)
	for range 2000 {
		prev := time.Duration(0)
		for n := range 20 {
			d := backoff.Delay(n+1, prev, rng)
			if high := min(cap, 3*max(prev, base)); d < base || d > high {
				t.Fatalf("delay %d is %v after %v, want %v to %v", n+1, d, prev, base, high)
			}
			if n == 0 {
				longest = max(longest, d)
			}
			if d == cap {
				capped++
			}
			prev = d
		}
	}
	if longest < 14900*us {
		t.Errorf("the longest first delay is %v, want nearly 3 * base", longest)
	}
	if capped == 0 {
		t.Error("the cap was never reached")
	}
}

func TestDecorrelatedDependsOnTheDelayBeforeOnly(t *testing.T) {
	const draws = 20_000
	backoff := mustBackoff(t, "decorrelated", ms, time.Hour)
	for _, failures := range []int{1, 64, 1000} {
		rng, sum := rngOf(9), 0.0
		for range draws {
			sum += float64(backoff.Delay(failures, 21*ms, rng)) / float64(ms)
		}
		if mean := sum / draws; math.Abs(mean-32) > 4.5*62/math.Sqrt(12*draws) { // U(1, 63)
			t.Errorf("%d failures: mean %v ms, want 32", failures, mean)
		}
	}
}

func TestSameSeedSameDelays(t *testing.T) {
	for _, name := range Backoffs.Names() {
		one, two := rngOf(12), rngOf(12)
		a, b := mustBackoff(t, name, 100*us, 10*ms), mustBackoff(t, name, 100*us, 10*ms)
		prevA, prevB := time.Duration(0), time.Duration(0)
		for n := range 200 {
			prevA, prevB = a.Delay(n+1, prevA, one), b.Delay(n+1, prevB, two)
			if prevA != prevB {
				t.Fatalf("%s: delay %d is %v and %v", name, n+1, prevA, prevB)
			}
		}
	}
}

func TestDelayDoesNotAllocate(t *testing.T) {
	for _, name := range Backoffs.Names() {
		retry, rng, prev := Retry{Backoff: mustBackoff(t, name, 100*us, 10*ms)}, rngOf(1), time.Duration(0)
		if n := testing.AllocsPerRun(1000, func() { prev, _ = retry.Next(5, prev, rng) }); n != 0 {
			t.Errorf("%s: %v allocations a delay", name, n)
		}
	}
}
