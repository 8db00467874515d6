package results

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Interval is the median of a quantity over trials. Lo and Hi bound it at 95 %
// where there are trials enough (six), and are the least and the largest value
// otherwise.
type Interval struct {
	Center, Lo, Hi float64
	N              int
	Confident      bool // Lo and Hi are a 95 % interval
}

const confidence = 0.95

// Median is the median of values with an order-statistic interval, which
// assumes nothing of the distribution. No values give a zero Interval.
func Median(values []float64) Interval {
	if len(values) == 0 {
		return Interval{}
	}
	values = slices.Clone(values) // the library sorts in place
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), confidence)
	iv := Interval{Center: s.Center, Lo: s.Lo, Hi: s.Hi, N: len(values), Confident: true}
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		iv.Lo, iv.Hi, iv.Confident = slices.Min(values), slices.Max(values), false
	}
	return iv
}

// What it takes to claim a difference: trials enough for a test, or values
// that lie apart and are far apart.
const (
	claimTrials = 10
	rangeTrials = 3 // fewer values make no range
	claimRatio  = 1.5
)

// Differ reports whether two samples differ beyond doubt: by a Mann-Whitney U
// test at 5 % from ten trials each, and from three to nine only if their ranges
// do not overlap and their medians are apart by a factor of 1.5.
func Differ(a, b []float64) bool {
	if len(a) < rangeTrials || len(b) < rangeTrials {
		return false
	}
	if len(a) >= claimTrials && len(b) >= claimTrials {
		t := &benchmath.DefaultThresholds
		c := benchmath.AssumeNothing.Compare(
			benchmath.NewSample(slices.Clone(a), t), benchmath.NewSample(slices.Clone(b), t))
		return c.P < c.Alpha
	}
	low, high := a, b
	if Median(a).Center > Median(b).Center {
		low, high = b, a
	}
	return slices.Max(low) < slices.Min(high) && Median(high).Center >= claimRatio*Median(low).Center
}
