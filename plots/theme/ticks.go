package theme

import (
	"math"
	"slices"
)

// tick is a place on an axis; one without label is only marked.
type tick struct {
	at    float64
	label string
}

// axis is an axis ready to be drawn.
type axis struct {
	span
	ticks []tick
}

// newAxis chooses range and ticks. Length is that of the axis, pitch gives the
// room a tick label needs along it.
func newAxis(a Axis, values []float64, length float64, pitch measure) axis {
	parts := max(2, min(int(length/max(pitch("0000"), 26)), 6))
	out := axis{span: spanOf(a, values, parts)}
	place := func(v float64) float64 { return out.along(v) * length }
	switch {
	case len(a.Ticks) > 0:
		out.ticks = thin(named(a.Ticks, measuredName(a)), place, pitch)
	case a.Scale == Log:
		out.ticks = logTicks(out.span, place, pitch)
	case a.Scale == Percentile:
		out.ticks = percentileTicks(out.span, place, pitch)
	default:
		step := roundStep(out.hi-out.lo, parts)
		out.ticks = thin(named(multiples(step, out.lo, out.hi), roundName), place, pitch)
	}
	return out
}

func roundName(v float64) string { return number(v, 1e3) }

// measuredName names the ticks that a chart has chosen.
func measuredName(a Axis) func(float64) string {
	if a.Scale == Percentile {
		return percentile
	}
	return func(v float64) string { return number(v, 1e4) }
}

func named(values []float64, name func(float64) string) []tick {
	values = slices.Clone(values)
	slices.Sort(values)
	values = slices.Compact(values)
	ticks := make([]tick, len(values))
	for i, v := range values {
		ticks[i] = tick{v, name(v)}
	}
	return ticks
}

// logTicks numbers 1-2-5 steps where there is room, else decades, else every
// second one and so on.
func logTicks(s span, place func(float64) float64, pitch measure) []tick {
	first, last := ceil125(s.lo), floor125(s.hi)
	var steps []float64
	for k := first; k <= last; k++ {
		steps = append(steps, step125(k))
	}
	if all := named(steps, roundName); fits(all, place, pitch) {
		return all
	}
	for every := 1; every <= 20; every++ {
		var decades []float64
		for k := first; k <= last; k++ {
			if k%(3*every) == 0 {
				decades = append(decades, step125(k))
			}
		}
		if ticks := named(decades, roundName); len(ticks) >= 2 && fits(ticks, place, pitch) {
			return ticks
		}
	}
	return namedOnly(thin(named(steps, roundName), place, pitch))
}

func namedOnly(ticks []tick) []tick {
	return slices.DeleteFunc(slices.Clone(ticks), func(t tick) bool { return t.label == "" })
}

// percentileTicks are p50, p90, p99 and so on as far as the axis goes, and the
// least sample where the axis begins there and has room.
func percentileTicks(s span, place func(float64) float64, pitch measure) []tick {
	qs := []float64{0.5}
	for nines := 1; nines <= 12; nines++ {
		// 1 - 10^-n as the double that is written 0.9, 0.99, ...
		if q := (math.Pow10(nines) - 1) / math.Pow10(nines); q <= s.hi+1e-15 {
			qs = append(qs, q)
		}
	}
	ticks := thin(named(qs, percentile), place, pitch)
	if least := (tick{0, percentile(0)}); s.lo == 0 && apart(least, ticks[0], place, pitch) {
		ticks = append([]tick{least}, ticks...)
	}
	return ticks
}

// fits says whether no two neighbouring labels touch.
func fits(ticks []tick, place func(float64) float64, pitch measure) bool {
	for i := 1; i < len(ticks); i++ {
		if !apart(ticks[i-1], ticks[i], place, pitch) {
			return false
		}
	}
	return true
}

func apart(a, b tick, place func(float64) float64, pitch measure) bool {
	return math.Abs(place(b.at)-place(a.at)) >= (pitch(a.label)+pitch(b.label))/2
}

// thin takes labels away where they would touch, keeping both ends: the densest
// regular choice if there is one, else from the left whatever fits.
func thin(ticks []tick, place func(float64) float64, pitch measure) []tick {
	n := len(ticks)
	if n < 3 || fits(ticks, place, pitch) {
		return ticks
	}
	for every := 2; every <= 4; every++ {
		last := (n - 2) / every * every // the last before the end
		if last > 0 && !apart(ticks[last], ticks[n-1], place, pitch) {
			last -= every
		}
		kept := func(i int) bool { return i == n-1 || i <= last && i%every == 0 }
		if fits(namedOnly(unnamed(ticks, kept)), place, pitch) {
			return unnamed(ticks, kept)
		}
	}
	keep := map[int]bool{0: true, n - 1: true}
	last := 0
	for i := 1; i < n-1; i++ {
		if apart(ticks[last], ticks[i], place, pitch) && apart(ticks[i], ticks[n-1], place, pitch) {
			keep[i], last = true, i
		}
	}
	return unnamed(ticks, func(i int) bool { return keep[i] })
}

func unnamed(ticks []tick, keep func(int) bool) []tick {
	out := slices.Clone(ticks)
	for i := range out {
		if !keep(i) {
			out[i].label = ""
		}
	}
	return out
}
