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
	// Kept and Answered are the shares of the arrivals before the burst, and in
	// it, that there were answers to meanwhile. Answered is 0 where no interval
	// lies inside the burst.
	Kept, Answered float64
	due            float64 // arrivals before the burst, on average, all trials together
}

// keeps is the share of arrivals from which on a row kept up with the rate before
// the burst. A row that did not has nothing to get back to.
const keeps = 0.9

// Overloaded reports whether the rate was too much for the row without a burst,
// beyond what arrivals vary by.
func (r Recovery) Overloaded() bool { return r.Kept*r.due < keeps*r.due-3*math.Sqrt(r.due) }

// The rule by which latency is back. It is back in the first interval after the
// burst from which on p50 and p99 stay within 10 % of what they were before, for
// five intervals in a row. What they were before is the median over the
// intervals before the burst; where one in twenty of those was more than 10 %
// above it, their level counts instead, since what was usual before is no trace
// of a burst. An interval after it counts as the median of itself and two
// neighbours on either side, as far as they are after the burst: that keeps
// steps where they are and takes away single outliers.
const (
	withinLevel = 1.1
	usualShare  = 0.95
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
	low, high := smooth(s.Points[after:], p50), smooth(s.Points[after:], p99)
	lowLevel, highLevel := level(s.Points[:first], p50), level(s.Points[:first], p99)
	row := 0
	for i := range low {
		if row++; low[i] > lowLevel || high[i] > highLevel {
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
	r.due = rate * (time.Duration(first) * interval).Seconds()
	r.Kept = answered(s.Points[:first], rate*interval.Seconds())
	if from, to := int((b.From+interval-1)/interval), min(int(b.End()/interval), len(s.Points)); from < to {
		r.Answered = answered(s.Points[from:to], rate*b.Factor*interval.Seconds())
	}
	return r, true
}

// answered is the share of arrivals, so many in each interval, that there were
// answers to.
func answered(points []results.Point, arrivals float64) float64 {
	var ops int64
	for _, p := range points {
		ops += p.Committed + p.Rejected
	}
	return float64(ops) / (arrivals * float64(len(points)))
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

// level is what counts as back to what a percentile was at points before.
func level(before []results.Point, of func(results.Point) *int64) float64 {
	return max(withinLevel*quantile(values(before, of), 0.5), quantile(values(before, of), usualShare))
}

// smooth is the median of each point's neighbourhood. It is infinite where
// nothing committed in all of it.
func smooth(points []results.Point, of func(results.Point) *int64) []float64 {
	all := make([]float64, len(points))
	for i := range points {
		all[i] = math.Inf(1)
		if near := values(points[max(i-neighbours, 0):min(i+neighbours+1, len(points))], of); near != nil {
			all[i] = quantile(near, 0.5)
		}
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
	var before, worst, took, watched, kept, answered []float64
	var due float64
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
		watched = append(watched, float64(one.Watched))
		due += one.due
		kept, answered = append(kept, one.Kept), append(answered, one.Answered)
	}
	if took == nil {
		return r, false
	}
	median := func(values []float64) time.Duration { return time.Duration(results.Median(values).Center) }
	r = Recovery{
		Before: median(before), Worst: median(worst), Watched: median(watched),
		Kept: results.Median(kept).Center, Answered: results.Median(answered).Center, due: due,
	}
	if most := results.Median(took).Center; most <= float64(r.Watched) {
		r.Took, r.Back = time.Duration(most), true
	}
	return r, true
}
