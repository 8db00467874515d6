package engine

import (
	"math"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
)

// The sequence is Poisson, the same for every taker, and counted whole.
func TestArrivals(t *testing.T) {
	w := window{time.Second, 11 * time.Second}
	one, other := newArrivals(7, 1000, contention.Burst{}, 0, w), newArrivals(7, 1000, contention.Burst{}, 0, w)
	var last time.Duration
	var gaps, squares float64
	n := 0
	for {
		start := one.take(0)
		if start != other.take(time.Hour) { // one that is never free in time
			t.Fatal("another sequence for the same seed")
		}
		if start < last {
			t.Fatalf("%v after %v", start, last)
		}
		if start >= w.to {
			break
		}
		gap := float64(start - last)
		gaps, squares, last = gaps+gap, squares+gap*gap, start
		n++
	}
	mean := gaps / float64(n)
	if cv2 := squares/float64(n)/(mean*mean) - 1; math.Abs(mean/1e6-1) > 0.05 || math.Abs(cv2-1) > 0.1 {
		t.Errorf("gaps of %v on average, squared variation %.2f", time.Duration(mean), cv2)
	}
	idle, busy := one.end(w.to), other.end(w.to)
	if idle.Offered < 9_500 || idle.Offered > 10_500 || idle.Late != 0 || idle.Unserved != 0 {
		t.Errorf("%+v", idle)
	}
	if busy.Late != busy.Offered || *busy != (results.Arrivals{Offered: idle.Offered, Late: idle.Offered}) {
		t.Errorf("%+v", busy)
	}
	nobody := newArrivals(7, 1000, contention.Burst{}, 0, w).end(w.to)
	if nobody.Offered != idle.Offered || nobody.Unserved != nobody.Offered {
		t.Errorf("%+v", nobody)
	}
}

// starts are the intended starts of a sequence up to the end of its window.
func starts(seed uint64, burst contention.Burst, w window) (all []time.Duration) {
	for a := newArrivals(seed, 1000, burst, 0, w); ; {
		start := a.take(0)
		if start >= w.to {
			return all
		}
		all = append(all, start)
	}
}

// A burst multiplies the rate while it lasts and leaves it Poisson: the counts of
// equal parts of the window vary as much as they should. What comes before it is
// as without it.
func TestArrivalsOfABurst(t *testing.T) {
	w := window{time.Second, 21 * time.Second}
	burst := contention.Burst{Factor: 3, From: 5 * time.Second, Length: 5 * time.Second}
	const part = 50 * time.Millisecond
	counts := make([]float64, (w.to-w.from)/part)
	all := starts(7, burst, w)
	for _, start := range all {
		if start >= w.from {
			counts[(start-w.from)/part]++
		}
	}
	chi2 := 0.0
	for i, n := range counts {
		expected := 1000 * part.Seconds()
		if at := time.Duration(i) * part; at >= burst.From && at < burst.End() {
			expected *= 3
		}
		chi2 += (n - expected) * (n - expected) / expected
	}
	// Chi-square of 400 degrees of freedom: 400 on average, deviation 28.
	if chi2 < 310 || chi2 > 490 {
		t.Errorf("chi-square %.0f of %d parts", chi2, len(counts))
	}
	began := w.from + burst.From
	n := 0
	for i, start := range starts(7, contention.Burst{}, w) {
		if start >= began {
			break
		}
		if all[i] != start {
			t.Fatalf("arrival %d is at %v, without a burst at %v", i, all[i], start)
		}
		n++
	}
	if n < 5500 {
		t.Errorf("only %d arrivals before the burst", n)
	}
	offered := newArrivals(7, 1000, burst, 0, w).end(w.to).Offered
	if offered < 29_300 || offered > 30_700 {
		t.Errorf("%d offered, want 30 000 or so", offered)
	}
}
