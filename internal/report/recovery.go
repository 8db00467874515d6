package report

import (
	"math"
	"slices"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
)

// Recovery is what a burst did to a row: medians over its trials.
type Recovery struct {
	Before  time.Duration // p50 before the burst
	Worst   time.Duration // the highest p50 of any interval from the burst's start on
	Took    time.Duration // from the burst's end until latency was back; 0: in the first interval after it
	Back    bool          // it was back; else not within Watched
	Watched time.Duration // from the burst's end to the window's
	// Answered is the share of the burst's arrivals that there were answers to
	// while it lasted; 0 if no interval lies inside it.
	Answered float64
}

// The rule by which latency is back. It is back in the first interval after the
// burst from which on p50 and p99 stay within 10 % of what they were before, for
// five intervals in a row. What they were before is the median over the
// intervals before the burst; where one in ten of those was more than 10 %
// above it, its own level counts instead, since what was usual before is no
// trace of a burst. An interval counts as the median of itself and two
// neighbours on either side, as far as they are after the burst: that keeps
// steps where they are and takes away single outliers.
const (
	withinLevel = 1.1
	usualShare  = 0.9
	neighbours  = 2
	stays       = 5
	leastBefore = 5 // intervals in which something committed
)

// RecoveryOf holds one trial's series against the burst in it; ok is false where
// there are too few intervals before or after it to tell.
func RecoveryOf(s *results.Series, b contention.Burst, rate float64, window time.Duration) (r Recovery, ok bool) {
	if s == nil || s.IntervalNS <= 0 || len(s.Points) == 0 {
		return r, false
	}
	interval := time.Duration(s.IntervalNS)
	first := min(int(b.From/interval), len(s.Points))               // that is not whole before the burst
	after := min(int((b.End()+interval-1)/interval), len(s.Points)) // the first that is whole behind it
	p50 := func(p results.Point) *int64 { return p.P50NS }
	p99 := func(p results.Point) *int64 { return p.P99NS }
	before := values(s.Points[:first], p50)
	if len(before) < leastBefore || len(s.Points)-after < stays {
		return r, false
	}
	r.Before = time.Duration(quantile(before, 0.5))
	r.Worst = time.Duration(quantile(values(s.Points[first:], p50), 1))
	r.Watched = window - b.End()
	low := within(s.Points[after:], p50, level(before))
	high := within(s.Points[after:], p99, level(values(s.Points[:first], p99)))
	row := 0
	for i := range low {
		if row++; !low[i] || !high[i] {
			row = 0
		}
		if row == stays {
			start := time.Duration(after+i+1-stays) * interval
			r.Took, r.Back = max(start-b.End(), 0), true
			if start-b.End() < interval {
				r.Took = 0
			}
			break
		}
	}
	r.Answered = answered(s, b, rate, interval)
	return r, true
}

// answered is the share of arrivals that there were answers to in the intervals
// that lie inside the burst.
func answered(s *results.Series, b contention.Burst, rate float64, interval time.Duration) float64 {
	from := int((b.From + interval - 1) / interval)
	to := min(int(b.End()/interval), len(s.Points))
	if from >= to {
		return 0
	}
	var ops int64
	for _, p := range s.Points[from:to] {
		ops += p.Committed + p.Rejected
	}
	return float64(ops) / (rate * b.Factor * (time.Duration(to-from) * interval).Seconds())
}

// values lists a percentile of the points that have it.
func values(points []results.Point, of func(results.Point) *int64) (all []float64) {
	for _, p := range points {
		if ns := of(p); ns != nil {
			all = append(all, float64(*ns))
		}
	}
	return all
}

// quantile is the value that a share q of the values does not exceed; 0 of none.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	values = slices.Sorted(slices.Values(values))
	return values[max(int(math.Ceil(q*float64(len(values))))-1, 0)]
}

// level is what counts as back to these values.
func level(before []float64) float64 {
	return max(withinLevel*quantile(before, 0.5), quantile(before, usualShare))
}

// within says of each point whether the median of its neighbourhood is within a
// level. A neighbourhood in which nothing committed is not.
func within(points []results.Point, of func(results.Point) *int64, level float64) []bool {
	all := make([]bool, len(points))
	for i := range points {
		near := values(points[max(i-neighbours, 0):min(i+neighbours+1, len(points))], of)
		all[i] = near != nil && quantile(near, 0.5) <= level
	}
	return all
}

// burst is the setting's burst; ok is false if there is none, or none that this
// version can read.
func (s *Setting) burst() (b contention.Burst, ok bool) {
	if s.Burst == "" {
		return b, false
	}
	b, err := contention.ParseBurst(s.Burst)
	return b, err == nil
}

// Recovery is what the setting's burst did to a row; ok is false where no trial
// can tell.
func (s *Setting) Recovery(row *results.Summary) (r Recovery, ok bool) {
	b, ok := s.burst()
	if !ok || row.Audit.Void() {
		return r, false
	}
	var before, worst, took, watched, answered []float64
	for _, run := range s.Trials(row.Cell) {
		one, ok := RecoveryOf(run.Series, b, s.Rate, time.Duration(run.ElapsedNS))
		if !ok {
			continue
		}
		if !one.Back {
			one.Took = math.MaxInt64
		}
		took = append(took, float64(one.Took))
		before, worst = append(before, float64(one.Before)), append(worst, float64(one.Worst))
		watched, answered = append(watched, float64(one.Watched)), append(answered, one.Answered)
	}
	if took == nil {
		return r, false
	}
	median := func(values []float64) time.Duration { return time.Duration(results.Median(values).Center) }
	r = Recovery{Before: median(before), Worst: median(worst), Watched: median(watched), Answered: results.Median(answered).Center}
	if most := results.Median(took).Center; most <= float64(r.Watched) {
		r.Took, r.Back = time.Duration(most), true
	}
	return r, true
}
