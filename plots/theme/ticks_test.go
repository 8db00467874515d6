package theme

import (
	"math"
	"strings"
	"testing"
)

func labels(ticks []tick) string {
	var out []string
	for _, t := range ticks {
		if t.label != "" {
			out = append(out, t.label)
		}
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	pitch := func(s string) float64 { return 6*float64(len(s)) + 9 }
	flatPitch := func(string) float64 { return 17 }
	powers := make([]float64, 12)
	for i := range powers {
		powers[i] = math.Pow(2, float64(i))
	}
	for _, c := range []struct {
		name   string
		axis   Axis
		values []float64
		length float64
		pitch  measure
		want   string
	}{
		{"measured", Axis{Scale: Log, Ticks: []float64{64, 1, 4, 16}}, []float64{1, 64}, 400, pitch, "1 4 16 64"},
		{"one measured", Axis{Scale: Log, Ticks: []float64{16}}, []float64{16}, 400, pitch, "16"},
		{"measured, tight", Axis{Scale: Log, Ticks: powers}, powers, 200, pitch, "1 4 16 64 256 2048"},
		{"measured, linear", Axis{Ticks: []float64{1, 4, 16, 64}}, []float64{1, 64}, 200, pitch, "1 16 64"},
		{"log", Axis{Scale: Log}, []float64{200, 28000}, 300, flatPitch, "200 500 1k 2k 5k 10k 20k"},
		{"log, 20 to 80", Axis{Scale: Log}, []float64{22, 78}, 300, flatPitch, "20 50 100"},
		{"log, all one", Axis{Scale: Log}, []float64{1, 1}, 300, flatPitch, "0.5 1 2"},
		{"log, narrow", Axis{Scale: Log}, []float64{101, 104}, 300, flatPitch, "50 100 200"},
		{"log, decades", Axis{Scale: Log}, []float64{0.1, 1e5}, 250, flatPitch, "0.1 1 10 100 1k 10k 100k"},
		{"log, tight", Axis{Scale: Log}, []float64{1e-3, 1e12}, 120, flatPitch, "0.001 1 1k 1M 1G 1T"},
		{"linear", Axis{FromZero: true}, []float64{12, 38}, 250, flatPitch, "0 10 20 30 40"},
		{"linear, zeros", Axis{FromZero: true}, []float64{0, 0}, 100, flatPitch, "0 0.5 1"},
		{"linear, one value", Axis{}, []float64{7}, 100, flatPitch, "0 5 10 15"},
		{"linear, negative", Axis{}, []float64{-7, -7}, 100, flatPitch, "-15 -10 -5 0"},
		{"to", Axis{FromZero: true, To: 1}, []float64{0.2}, 250, flatPitch, "0 0.2 0.4 0.6 0.8 1"},
		{"nothing", Axis{}, nil, 250, flatPitch, "0 0.2 0.4 0.6 0.8 1"},
		{"percentile", Axis{Scale: Percentile}, []float64{0, 0.9999}, 400, pitch, "min p50 p90 p99 p99.9 p99.99"},
		{"percentile, short", Axis{Scale: Percentile}, []float64{0.5, 0.95}, 400, pitch, "p50 p90"},
		{"percentile, one", Axis{Scale: Percentile}, []float64{0.99}, 400, pitch, "p50 p90 p99"},
	} {
		a := newAxis(c.axis, c.values, c.length, c.pitch)
		if got := labels(a.ticks); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, v := range append(c.values, c.axis.Ticks...) {
			if !a.holds(v) {
				t.Errorf("%s: %v..%v does not hold %v", c.name, a.lo, a.hi, v)
			}
		}
	}
}

func TestNumber(t *testing.T) {
	for want, v := range map[string]float64{
		"0": 0, "0.5": 0.5, "2": 2, "10": 10, "200": 200, "5k": 5000, "1M": 1e6, "1.5k": 1500, "20k": 2e4, "0.001": 1e-3,
		"0.3": 3 * 0.1, "-2k": -2000, "1e-5": 1e-5, "1024": 1024, "10035": 10035, "2G": 2e9, "1e+30": 1e30,
	} {
		if got := number(v, 1e3); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	if got := number(1000, 1e4); got != "1000" {
		t.Errorf("measured 1000: %q", got)
	}
}

func TestSteps125(t *testing.T) {
	for k := -60; k < 60; k++ {
		v := step125(k)
		if floor125(v) != k || ceil125(v) != k || floor125(v*1.1) != k || ceil125(v*1.1) != k+1 {
			t.Errorf("step %d, %v: floor %d, ceil %d", k, v, floor125(v), ceil125(v))
		}
	}
}
