package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	up := func(n int) (values []float64) { // 1, 2, ..., n
		for i := range n {
			values = append(values, float64(i+1))
		}
		return values
	}
	tests := []struct {
		values []float64
		want   Interval
	}{
		{nil, Interval{}},
		{[]float64{7}, Interval{7, 7, 7, 1, false}},
		{[]float64{9, 3}, Interval{6, 3, 9, 2, false}},
		{[]float64{0, 0, 0}, Interval{0, 0, 0, 3, false}},
		{[]float64{5, 1, 4, 2, 3}, Interval{3, 1, 5, 5, false}},
		// From six values the order statistics bound the median at 95 %: 1 and
		// 6 of 6 (97 %), 2 and 9 of 10 (98 %), 6 and 15 of 20 (96 %).
		{[]float64{6, 1, 5, 2, 4, 3}, Interval{3.5, 1, 6, 6, true}},
		{up(10), Interval{5.5, 2, 9, 10, true}},
		{up(20), Interval{10.5, 6, 15, 20, true}},
	}
	for _, test := range tests {
		if got := Median(test.values); got != test.want {
			t.Errorf("Median(%v) = %+v, want %+v", test.values, got, test.want)
		}
	}
}

// sample draws n values around a center, skewed as goodputs are not.
func sample(rng *rand.Rand, n int, center, spread float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = center + spread*rng.NormFloat64()
	}
	return values
}

func TestMedianProperties(t *testing.T) {
	rng := seeded(21)
	for n := 1; n <= 60; n++ {
		for range 20 {
			values := sample(rng, n, 1000, 300)
			before := slices.Clone(values)
			got := Median(values)
			if !slices.Equal(values, before) {
				t.Fatalf("%d values were reordered", n)
			}
			least, most := slices.Min(values), slices.Max(values)
			if !(least <= got.Lo && got.Lo <= got.Center && got.Center <= got.Hi && got.Hi <= most) {
				t.Fatalf("%v of %v", got, values)
			}
			if got.N != n || got.Confident != (n >= 6) {
				t.Fatalf("%d values: N %d, confident %v", n, got.N, got.Confident)
			}
			if n < 6 && (got.Lo != least || got.Hi != most) {
				t.Fatalf("%d values: %+v, want least to most of %v", n, got, values)
			}
			rng.Shuffle(n, func(i, j int) { values[i], values[j] = values[j], values[i] })
			if again := Median(values); again != got {
				t.Fatalf("%+v, and %+v in another order", got, again)
			}
		}
	}
}

// The interval holds the true median in 95 of 100 experiments, and is not so
// wide that it always does once there are many trials.
func TestMedianIntervalCovers(t *testing.T) {
	rng := seeded(22)
	for _, n := range []int{6, 8, 10, 15, 30} {
		const experiments = 2000
		covered := 0
		for range experiments {
			if iv := Median(sample(rng, n, 1000, 100)); iv.Lo <= 1000 && 1000 <= iv.Hi {
				covered++
			}
		}
		if share := float64(covered) / experiments; share < 0.94 || n > 6 && share > 0.995 {
			t.Errorf("%d trials: the interval holds the median in %.1f %% of experiments", n, 100*share)
		}
	}
}

// ramp is n values from lo upwards by step.
func ramp(n int, lo, step float64) (values []float64) {
	for i := range n {
		values = append(values, lo+float64(i)*step)
	}
	return values
}

func TestDiffer(t *testing.T) {
	tests := []struct {
		name string
		a, b []float64
		want bool
	}{
		{"both empty", nil, nil, false},
		{"one empty", ramp(10, 100, 1), nil, false},
		{"one each, the same", []float64{5}, []float64{5}, false},
		{"one each, factor 1.4", []float64{10}, []float64{14}, false},
		{"one each, far apart", []float64{10}, []float64{1500}, false},
		{"two each, far apart", []float64{10, 11}, []float64{1500, 1501}, false},
		{"three each, factor 1.5", []float64{10, 10, 10}, []float64{15, 15, 15}, true},
		{"zero and something", []float64{0, 0, 0}, []float64{1, 2, 3}, true},
		{"zeros", []float64{0, 0}, []float64{0, 0}, false},
		{"6 apart by far", ramp(6, 100, 1), ramp(6, 200, 1), true},
		{"6 apart, factor just below 1.5", ramp(6, 100, 0), ramp(6, 149.9, 0), false},
		{"6 apart, factor 1.5", ramp(6, 100, 0), ramp(6, 150, 0), true},
		{"6, far medians, ranges touch", []float64{1, 1, 1, 1, 1, 9}, []float64{9, 9, 9, 9, 9, 9}, false},
		{"6, far medians, ranges overlap", []float64{1, 1, 1, 1, 1, 10}, []float64{9, 9, 9, 9, 9, 9}, false},
		{"9 apart, factor 1.1", ramp(9, 100, 0.1), ramp(9, 110, 0.1), false},
		{"10 apart, factor 1.1", ramp(10, 100, 0.1), ramp(10, 110, 0.1), true},
		{"10 and 9, factor 1.1", ramp(10, 100, 0.1), ramp(9, 110, 0.1), false},
		{"10 and 9, factor 2", ramp(10, 100, 0.1), ramp(9, 200, 0.1), true},
		{"10, all equal", ramp(10, 100, 0), ramp(10, 100, 0), false},
		{"10, interleaved", ramp(10, 100, 2), ramp(10, 101, 2), false},
		// With ten, a test says more than ranges: these overlap in one value.
		{"10, overlapping in one value", ramp(10, 100, 1), append(ramp(9, 109, 1), 100.5), true},
		{"30, shifted a little", ramp(30, 100, 1), ramp(30, 120, 1), true},
		{"30, shifted less", ramp(30, 100, 1), ramp(30, 102, 1), false},
	}
	for _, test := range tests {
		for _, order := range [][2][]float64{{test.a, test.b}, {test.b, test.a}} {
			if got := Differ(order[0], order[1]); got != test.want {
				t.Errorf("%s: %v, want %v", test.name, got, test.want)
			}
		}
	}
}

func TestDifferProperties(t *testing.T) {
	rng := seeded(23)
	differ := 0
	for range 2000 {
		a := sample(rng, 1+rng.IntN(14), 1000, 100)
		b := sample(rng, 1+rng.IntN(14), 1000+600*rng.Float64(), 100)
		beforeA, beforeB := slices.Clone(a), slices.Clone(b)
		got := Differ(a, b)
		if got {
			differ++
		}
		if !slices.Equal(a, beforeA) || !slices.Equal(b, beforeB) {
			t.Fatal("the values were reordered")
		}
		if Differ(b, a) != got {
			t.Fatalf("not symmetric: %v and %v", a, b)
		}
		if Differ(a, a) || Differ(b, b) {
			t.Fatalf("%v or %v differs from itself", a, b)
		}
		for i := range a {
			a[i] *= 1024 // exactly
		}
		for i := range b {
			b[i] *= 1024
		}
		if Differ(a, b) != got {
			t.Fatalf("another unit changes the answer: %v and %v", beforeA, beforeB)
		}
	}
	if differ < 200 || differ > 1800 {
		t.Errorf("%d of 2000 pairs differ: the test says little", differ)
	}
}

// Of equal things few are said to differ: 5 % by the test, and fewer by far
// from ranges alone.
func TestDifferFalseAlarms(t *testing.T) {
	rng := seeded(24)
	for _, test := range []struct {
		n     int
		limit float64
	}{{3, 0.001}, {6, 0.001}, {9, 0.001}, {10, 0.06}, {20, 0.06}} {
		const experiments = 2000
		alarms := 0
		for range experiments {
			if Differ(sample(rng, test.n, 1000, 100), sample(rng, test.n, 1000, 100)) {
				alarms++
			}
		}
		share := float64(alarms) / experiments
		if share > test.limit || test.n >= claimTrials && share < 0.02 {
			t.Errorf("%d trials: %.1f %% false alarms", test.n, 100*share)
		}
	}
}

func ExampleMedian() {
	iv := Median([]float64{980, 1010, 1000, 990, 1030, 1020})
	fmt.Printf("%.0f (%.0f .. %.0f), confident %v\n", iv.Center, iv.Lo, iv.Hi, iv.Confident)
	fmt.Println(math.IsInf(Median([]float64{980, 1010}).Hi, 0))
	// Output:
	// 1005 (980 .. 1030), confident true
	// false
}
