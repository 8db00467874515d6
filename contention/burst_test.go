package contention

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestParseBurst(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    Burst
		written string
	}{
		{"x2@10s+5s", Burst{2, 10 * time.Second, 5 * time.Second}, "x2@10s+5s"},
		{"x2@10+5", Burst{2, 10 * time.Second, 5 * time.Second}, "x2@10s+5s"},
		{"x1.5@0+100ms", Burst{1.5, 0, 100 * time.Millisecond}, "x1.5@0s+100ms"},
		{"x0.5@1m30s+.5", Burst{0.5, 90 * time.Second, 500 * time.Millisecond}, "x0.5@1m30s+500ms"},
		{"x1000@1h+1ns", Burst{1000, time.Hour, 1}, "x1000@1h0m0s+1ns"},
		{"x0.001@1us+2us", Burst{0.001, time.Microsecond, 2 * time.Microsecond}, "x0.001@1µs+2µs"},
	} {
		got, err := ParseBurst(c.text)
		if err != nil || got != c.want {
			t.Errorf("ParseBurst(%q) = %+v, %v; want %+v", c.text, got, err, c.want)
		}
		if got.String() != c.written {
			t.Errorf("ParseBurst(%q) is written %q, want %q", c.text, got, c.written)
		}
	}
	if got := (Burst{}).String(); got != "" {
		t.Errorf("the zero Burst is written %q", got)
	}
}

func TestParseBurstRefuses(t *testing.T) {
	for _, text := range []string{
		"", "x", "x2", "x2@", "x2@10s", "x2@10s+", "x2@+5s", "@10s+5s", "x@10s+5s", "2@10s+5s", "X2@10s+5s", "x2x@10s+5s",
		"x2@10s+5s+5s", "x2@10s@5s", "x2@10s-5s", "x2@-10s+5s", "x2@10s+-5s", "x2@10s++5s", "x2@10s+0s", "x2@10s+0", "x2@.+1",
		"x0@10s+5s", "x0.0009@10s+5s", "x1001@1+1", "x-2@10s+5s", "x+2@10s+5s", "x2e1@10s+5s", "xNaN@10s+5s", "xInf@10s+5s", "x0x2@1+1",
		"x1.2.3@1+1", "x2@1x+5s", "x2@10s+5 s", " x2@10s+5s", "x2@10s+5s ", "x2 @10s+5s", "x2@NaN+1", "x2@1e3+1", "x٢@1+1", "burst",
		"x2@2562047h+2562047h", "x2@99999999999999+1",
	} {
		got, err := ParseBurst(text)
		if err == nil {
			t.Errorf("ParseBurst(%q) = %+v", text, got)
			continue
		}
		if got != (Burst{}) {
			t.Errorf("ParseBurst(%q) = %+v beside its error", text, got)
		}
		for _, part := range []string{"x2@10s+5s", "0.001 to 1000", "(seconds)", "above 0"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("ParseBurst(%q): error %q does not say %q", text, err, part)
			}
		}
	}
}

func FuzzParseBurst(f *testing.F) {
	for _, seed := range []string{"x2@10s+5s", "x0.5@0+1", "x1.5@1m30s+100ms", "x1000@1us+1ns", "", "x@+", "xNaN@1+1", "x2@1e9+1", "x2@-1+1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBurst(text)
		if err != nil {
			return
		}
		if !(b.Factor >= MinFactor && b.Factor <= MaxFactor) || b.From < 0 || b.Length <= 0 || b.End() < b.From {
			t.Fatalf("%q is read as %#v", text, b)
		}
		if back, err := ParseBurst(b.String()); err != nil || back != b {
			t.Fatalf("%q is read as %#v, written %q, read back as %#v, %v", text, b, b, back, err)
		}
	})
}

// After inverts the cumulated rate: what lies between two times at rate 1, or Factor, is the wait.
func TestBurstAfter(t *testing.T) {
	b := Burst{Factor: 4, From: 100, Length: 50}
	for _, c := range []struct{ at, wait, want float64 }{
		{0, 40, 40}, {0, 100, 100}, // up to the burst
		{0, 140, 110}, {90, 210, 150}, {120, 40, 130}, // into it
		{120, 140, 170}, {0, 310, 160}, {150, 7, 157}, {1000, 7, 1007}, // and beyond
	} {
		if got := b.After(c.at, c.wait); got != c.want {
			t.Errorf("a wait of %v from %v on is over at %v, want %v", c.wait, c.at, got, c.want)
		}
	}
	cumulated := func(t float64) float64 { return min(t, 100) + 4*min(max(t-100, 0), 50) + max(t-150, 0) }
	rng := rngOf(3)
	for range 10_000 {
		at, wait := 200*rng.Float64(), 300*rng.ExpFloat64()
		if got := b.After(at, wait); got < at || math.Abs(cumulated(got)-cumulated(at)-wait) > 1e-9 {
			t.Fatalf("a wait of %v from %v on is over at %v", wait, at, got)
		}
		if got := (Burst{}).After(at, wait); got != at+wait {
			t.Fatalf("without a burst a wait of %v from %v on is over at %v", wait, at, got)
		}
	}
}
