package engine

import (
	"math"
	"testing"
	"time"

	"rmwbench/results"
)

// The sequence is Poisson, the same for every taker, and counted whole.
func TestArrivals(t *testing.T) {
	w := window{time.Second, 11 * time.Second}
	one, other := newArrivals(7, 1000, 0, w), newArrivals(7, 1000, 0, w)
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
	nobody := newArrivals(7, 1000, 0, w).end(w.to)
	if nobody.Offered != idle.Offered || nobody.Unserved != nobody.Offered {
		t.Errorf("%+v", nobody)
	}
}
