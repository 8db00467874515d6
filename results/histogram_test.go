package results

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

func recorded(values ...time.Duration) *Histogram {
	h := NewHistogram()
	for _, d := range values {
		h.Record(d)
	}
	return h
}

// The library drops what is beyond its range; here it must be counted.
func TestHistogramClamps(t *testing.T) {
	tests := []struct {
		name    string
		values  []time.Duration
		clamped int64
		max     time.Duration
	}{
		{"empty", nil, 0, 0},
		{"inside", []time.Duration{0, 1, time.Millisecond, histogramMax}, 0, histogramMax},
		{"just beyond", []time.Duration{histogramMax + 1}, 1, histogramMax},
		{"far beyond", []time.Duration{time.Hour, math.MaxInt64}, 2, histogramMax},
		{"negative", []time.Duration{-1, math.MinInt64}, 2, 0},
		{"mixed", []time.Duration{-1, time.Second, time.Hour}, 2, histogramMax},
	}
	for _, test := range tests {
		h := recorded(test.values...)
		if h.Count() != int64(len(test.values)) || h.Clamped() != test.clamped {
			t.Errorf("%s: %d counted, %d clamped, want %d and %d",
				test.name, h.Count(), h.Clamped(), len(test.values), test.clamped)
		}
		if !near(float64(h.Max()), float64(test.max), 0.001) {
			t.Errorf("%s: max %v, want %v", test.name, h.Max(), test.max)
		}
	}
}

// From 1 ns to 60 s a duration is known to three digits.
func TestHistogramAccuracy(t *testing.T) {
	rng := seeded(2)
	h := NewHistogram()
	check := func(d time.Duration) {
		h.Reset()
		for range 20 {
			h.Record(d)
		}
		median, ok := h.Quantile(0.5)
		if !ok || !near(float64(median), float64(d), 0.001) {
			t.Errorf("median of %d ns is %d ns (%v)", d, median, ok)
		}
		if !near(float64(h.Max()), float64(d), 0.001) || !near(float64(h.Mean()), float64(d), 0.001) {
			t.Errorf("of %d ns the max is %d ns, the mean %d ns", d, h.Max(), h.Mean())
		}
	}
	for d := time.Duration(1); d <= histogramMax; d *= 10 {
		check(d)
		check(2*d - 1)
	}
	for range 300 {
		check(time.Duration(math.Exp(rng.Float64() * math.Log(float64(histogramMax)))))
	}
}

func TestHistogramQuantiles(t *testing.T) {
	h := NewHistogram()
	for i := range 10_000 {
		h.Record(time.Duration(i+1) * time.Microsecond)
	}
	for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999} {
		got, ok := h.Quantile(q)
		want := max(q*10_000, 1) * 1000
		if !ok || !near(float64(got), want, 0.0011) {
			t.Errorf("the %v quantile of 1..10000 µs is %v (%v), want %v ns", q, got, ok, want)
		}
	}
	if mean := h.Mean(); !near(float64(mean), 5_000_500, 0.001) {
		t.Errorf("mean %v, want 5.0005 ms", mean)
	}
}

// A quantile needs ten samples beyond it.
func TestHistogramQuantileNeedsSamples(t *testing.T) {
	tests := []struct {
		q     float64
		needs int // 0: no number is enough
	}{
		{0, 10}, {0.5, 20}, {0.75, 40}, {0.9, 100}, {0.95, 200}, {0.99, 1000}, {0.999, 10_000}, {0.9999, 100_000}, {1, 0},
	}
	for _, test := range tests {
		h := NewHistogram()
		for n := 1; n <= max(test.needs, 20_000); n++ {
			h.Record(time.Millisecond)
			if test.needs > 0 && n != test.needs-1 && n != test.needs {
				continue
			}
			d, ok := h.Quantile(test.q)
			if want := test.needs > 0 && n >= test.needs; ok != want {
				t.Errorf("quantile %v of %d samples: %v, %v; want %v", test.q, n, d, ok, want)
			} else if !ok && d != 0 {
				t.Errorf("quantile %v of %d samples: %v though there are too few", test.q, n, d)
			}
		}
	}
	if d, ok := NewHistogram().Quantile(0.5); ok || d != 0 {
		t.Errorf("the median of nothing is %v (%v)", d, ok)
	}
}

func randomDuration(rng *rand.Rand) time.Duration {
	return time.Duration(math.Exp(rng.Float64()*30)) - 2 // some negative, some beyond 60 s
}

func TestHistogramMerge(t *testing.T) {
	rng := seeded(3)
	whole, merged := NewHistogram(), NewHistogram()
	parts := []*Histogram{NewHistogram(), NewHistogram(), NewHistogram()}
	for range 5000 {
		d := randomDuration(rng)
		whole.Record(d)
		parts[rng.IntN(len(parts))].Record(d)
	}
	for _, p := range parts {
		before := mustJSON(t, p)
		merged.Merge(p)
		if mustJSON(t, p) != before {
			t.Error("merging changed the one that was merged in")
		}
	}
	if whole.Clamped() == 0 {
		t.Fatal("no value was clamped: the test says nothing of them")
	}
	if mustJSON(t, merged) != mustJSON(t, whole) {
		t.Errorf("merged: %d samples, %d clamped; recorded in one: %d and %d",
			merged.Count(), merged.Clamped(), whole.Count(), whole.Clamped())
	}
}

func TestHistogramReset(t *testing.T) {
	h := recorded(-1, time.Second, time.Hour)
	h.Reset()
	if got, want := mustJSON(t, h), mustJSON(t, NewHistogram()); got != want {
		t.Errorf("after Reset %s, want %s", got, want)
	}
	if h.Count() != 0 || h.Clamped() != 0 || h.Max() != 0 || h.Mean() != 0 {
		t.Errorf("after Reset: count %d, clamped %d, max %v, mean %v", h.Count(), h.Clamped(), h.Max(), h.Mean())
	}
	h.Record(time.Millisecond)
	if h.Count() != 1 {
		t.Errorf("count %d after Reset and one record", h.Count())
	}
}

func TestHistogramJSON(t *testing.T) {
	rng := seeded(4)
	random := NewHistogram()
	for range 3000 {
		random.Record(randomDuration(rng))
	}
	for name, h := range map[string]*Histogram{
		"empty": NewHistogram(), "zeros": recorded(0, 0), "ends": recorded(-1, 1, histogramMax, time.Hour), "random": random,
	} {
		text := mustJSON(t, h)
		var read Histogram
		if err := json.Unmarshal([]byte(text), &read); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !read.samples().Equals(h.samples()) || read.clamped != h.clamped {
			t.Errorf("%s: read back with %d samples, %d clamped, wrote %d and %d",
				name, read.Count(), read.Clamped(), h.Count(), h.Clamped())
		}
		if again := mustJSON(t, &read); again != text {
			t.Errorf("%s: written again as\n%s\nwas\n%s", name, again, text)
		}
		read.Record(time.Second) // it can be used on
		read.Merge(h)
		if read.Count() != 2*h.Count()+1 {
			t.Errorf("%s: %d samples after merging and recording", name, read.Count())
		}
	}
}

// A packed histogram says the same as before, in a fraction of the memory, and
// can be used on.
func TestPackedHistogram(t *testing.T) {
	h := recorded(time.Microsecond, time.Millisecond, time.Hour)
	before := mustJSON(t, h)
	if err := h.Pack(); err != nil {
		t.Fatal(err)
	}
	if h.h != nil || len(h.packed) == 0 || len(h.packed) > 4<<10 {
		t.Errorf("packed into %d bytes", len(h.packed))
	}
	if err := h.Pack(); err != nil {
		t.Fatal(err)
	}
	if after := mustJSON(t, h); after != before || h.Count() != 3 || h.Clamped() != 1 || h.Max() < 59*time.Second {
		t.Errorf("packed: %s, was %s", after, before)
	}
	h.Record(time.Second)
	h.Merge(recorded(time.Second))
	if h.Count() != 5 {
		t.Errorf("%d samples", h.Count())
	}
}

// encodedAs is a histogram of the library as it stands in a file.
func encodedAs(t testing.TB, h *hdr.Histogram, count, clamped int64) string {
	t.Helper()
	code, err := h.Encode(hdr.V2CompressedEncodingCookieBase)
	if err != nil {
		t.Fatal(err)
	}
	return mustJSON(t, encodedHistogram{Count: count, Clamped: clamped, HDR: string(code)})
}

func TestHistogramRefuses(t *testing.T) {
	with := func(h *hdr.Histogram, samples int64) *hdr.Histogram {
		if err := h.RecordValues(1000, samples); err != nil {
			t.Fatal(err)
		}
		return h
	}
	ours := func(samples int64) *hdr.Histogram {
		return with(hdr.New(1, int64(histogramMax), histogramDigits), samples)
	}
	good := encodedAs(t, ours(5), 5, 0)
	if err := json.Unmarshal([]byte(good), &Histogram{}); err != nil {
		t.Fatalf("a good one: %v", err)
	}
	var e encodedHistogram
	if err := json.Unmarshal([]byte(good), &e); err != nil {
		t.Fatal(err)
	}
	damaged := func(text string) string {
		return mustJSON(t, encodedHistogram{Count: 5, HDR: text})
	}
	middle := len(e.HDR) / 2
	tests := []struct{ name, text, want string }{
		{"another kind", `[1,2]`, "cannot unmarshal"},
		{"no fields", `{}`, "damaged"},
		{"no samples", damaged(""), "damaged"},
		{"not base64", damaged("*" + e.HDR), "damaged"},
		{"cut short", damaged(e.HDR[:middle/4*4]), "damaged"},
		{"a letter changed", damaged(e.HDR[:middle] + string(e.HDR[middle]^1) + e.HDR[middle+1:]), "damaged"},
		{"longer range", encodedAs(t, with(hdr.New(1, int64(time.Hour), 3), 5), 5, 0), "range 1..3600000000000 with 3 digits"},
		{"shorter range", encodedAs(t, with(hdr.New(1, int64(time.Second), 3), 5), 5, 0), "range 1..1000000000"},
		{"coarser unit", encodedAs(t, with(hdr.New(1000, int64(histogramMax), 3), 5), 5, 0), "range 1000..60000000000"},
		{"two digits", encodedAs(t, with(hdr.New(1, int64(histogramMax), 2), 5), 5, 0), "with 2 digits"},
		{"one too many announced", encodedAs(t, ours(5), 6, 0), "5 samples, 6 are announced"},
		{"one too few announced", encodedAs(t, ours(5), 4, 0), "5 samples, 4 are announced"},
		{"clamped below none", encodedAs(t, ours(5), 5, -1), "-1 clamped of 5"},
		{"clamped above all", encodedAs(t, ours(5), 5, 6), "6 clamped of 5"},
		{"more than can be", encodedAs(t, ours(maxCount+1), maxCount+1, 0), "more than a trial can have"},
	}
	for _, test := range tests {
		h := recorded(time.Second)
		before := mustJSON(t, h)
		err := json.Unmarshal([]byte(test.text), h)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
		if mustJSON(t, h) != before {
			t.Errorf("%s: refused, and yet the histogram has changed", test.name)
		}
	}
	if err := json.Unmarshal([]byte(encodedAs(t, ours(maxCount), maxCount, maxCount)), &Histogram{}); err != nil {
		t.Errorf("the largest count: %v", err)
	}
}

func TestHistogramDoesNotAllocate(t *testing.T) {
	h := NewHistogram()
	d := time.Duration(1)
	if n := testing.AllocsPerRun(1000, func() { h.Record(d); d *= 3 }); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

func ExampleHistogram_Quantile() {
	h := NewHistogram()
	for i := range 999 {
		h.Record(time.Duration(i) * time.Millisecond)
	}
	_, ok := h.Quantile(0.99)
	fmt.Println(ok)
	h.Record(time.Second)
	_, ok = h.Quantile(0.99)
	fmt.Println(ok)
	// Output:
	// false
	// true
}

func TestOverCountsWhatIsNotBelow(t *testing.T) {
	h := NewHistogram()
	for ms := range 1000 {
		h.Record(time.Duration(ms) * time.Millisecond)
	}
	for d, want := range map[time.Duration]int64{0: 1000, 500 * time.Millisecond: 500, 2 * time.Second: 0} {
		if got := h.Over(d); got < want-1 || got > want+1 { // three digits
			t.Errorf("%d not below %v, want %d", got, d, want)
		}
	}
}
