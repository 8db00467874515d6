package theme

import "math"

// span is a scale with its ends, in data units.
type span struct {
	kind   Scale
	lo, hi float64
}

// along maps a value to 0 at lo and 1 at hi.
func (s span) along(v float64) float64 {
	lo, hi := s.kind.apply(s.lo), s.kind.apply(s.hi)
	return (s.kind.apply(v) - lo) / (hi - lo)
}

func (s span) holds(v float64) bool {
	const slack = 1e-9
	at := s.along(v)
	return at >= -slack && at <= 1+slack
}

// apply maps a value to a length of which the scale is linear.
func (k Scale) apply(v float64) float64 {
	switch k {
	case Log:
		return math.Log10(v)
	case Percentile:
		return -math.Log10(1 - v)
	}
	return v
}

// extent is the least and the greatest of values; it needs one.
func extent(values []float64) (lo, hi float64) {
	lo, hi = values[0], values[0]
	for _, v := range values[1:] {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

// spanOf is the range of an axis: what was measured, the ticks, and the end that
// was asked for; never empty. Parts is about how many intervals between ticks
// there is room for.
func spanOf(a Axis, values []float64, parts int) span {
	all := append(append([]float64(nil), values...), a.Ticks...)
	if a.To != 0 {
		all = append(all, a.To)
	}
	if len(all) == 0 {
		all = append(all, map[Scale]float64{Linear: 0, Log: 1, Percentile: 0.5}[a.Scale])
	}
	lo, hi := extent(all)
	s := span{kind: a.Scale, lo: lo, hi: hi}
	switch {
	case a.Scale == Percentile:
		s.lo, s.hi = min(lo, 0.5), max(hi, 0.9)
	case a.Scale == Log && len(a.Ticks) > 0:
		if hi < lo*1.05 {
			s.lo, s.hi = lo/2, hi*2
		}
	case a.Scale == Log:
		s.lo, s.hi = logEnds(lo, hi)
	default:
		s.lo, s.hi = linearEnds(a, lo, hi, parts)
	}
	return s
}

// logEnds widens a range until at least three 1-2-5 steps can be numbered in it,
// and to the next step where that is near.
func logEnds(lo, hi float64) (float64, float64) {
	const near = 1.2
	if below := step125(floor125(lo)); lo <= below*near {
		lo = min(lo, below)
	}
	if above := step125(ceil125(hi)); hi >= above/near {
		hi = max(hi, above)
	}
	inside := func() int { return floor125(hi) - ceil125(lo) + 1 }
	if inside() < 3 {
		lo, hi = step125(floor125(lo)), step125(ceil125(hi))
	}
	if inside() < 3 {
		lo = step125(floor125(lo) - 1)
	}
	if inside() < 3 {
		hi = step125(ceil125(hi) + 1)
	}
	return lo, hi
}

// linearEnds widens a range to round steps.
func linearEnds(a Axis, lo, hi float64, parts int) (float64, float64) {
	if a.FromZero {
		lo, hi = min(lo, 0), max(hi, 0)
	}
	if width := hi - lo; width <= 1e-9*max(math.Abs(lo), math.Abs(hi)) || width == 0 {
		switch {
		case lo == 0:
			hi = 1
		case lo > 0 && !a.FromZero:
			lo, hi = 0, 2*hi
		default:
			lo, hi = 2*lo, 0
		}
	}
	if len(a.Ticks) > 0 {
		return lo, hi
	}
	step := roundStep(hi-lo, parts)
	return math.Floor(lo/step+1e-9) * step, math.Ceil(hi/step-1e-9) * step
}
