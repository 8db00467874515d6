package results

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestSeriesInterval(t *testing.T) {
	for window, want := range map[time.Duration]time.Duration{
		0: 0, time.Second - 1: 0, time.Second: 100 * time.Millisecond, 30 * time.Second: 100 * time.Millisecond,
		30*time.Second + 1: time.Second, 5 * time.Minute: time.Second, 5*time.Minute + 1: 2 * time.Second, 24 * time.Hour: 288 * time.Second,
	} {
		got := SeriesInterval(window)
		if got != want {
			t.Errorf("%v in points of %v, want %v", window, got, want)
		}
		if got > 0 && (window+got-1)/got > maxPoints {
			t.Errorf("%v in more than %d points of %v", window, maxPoints, got)
		}
	}
}

func TestBinsAreWithinOnePercent(t *testing.T) {
	rng := seeded(5)
	last := -1
	for ns := range time.Duration(100_000) { // no gap and no step back
		if got := bin(ns); got != last && got != last+1 {
			t.Fatalf("%v is in bin %d, the one before in %d", ns, got, last)
		}
		last = bin(ns)
	}
	for range 100_000 {
		d := time.Duration(math.Exp(rng.Float64() * math.Log(float64(histogramMax))))
		if got := middle(bin(d)); !near(float64(got), float64(d), 0.01) {
			t.Fatalf("%v counts as %v", d, time.Duration(got))
		}
	}
	for d, like := range map[time.Duration]time.Duration{-1: 0, math.MinInt64: 0, histogramMax + 1: histogramMax, math.MaxInt64: histogramMax} {
		if bin(d) != bin(like) {
			t.Errorf("%v is not counted like %v", d, like)
		}
	}
	if top := bin(histogramMax); top >= len(bins{}) || top < len(bins{})-64 {
		t.Errorf("a minute is in bin %d of %d", top, len(bins{}))
	}
}

// trace is one record of a window.
type trace struct {
	attempt bool
	at      time.Duration
	verdict Verdict
	outcome OpOutcome
	latency time.Duration
}

func (e trace) tell(r *Recorder) {
	if e.attempt {
		r.Attempt(AttemptRecord{Number: 1, Verdict: e.verdict, At: e.at, Latency: e.latency}, true)
	} else {
		r.Op(OpRecord{Outcome: e.outcome, Attempts: 1, At: e.at, Latency: e.latency})
	}
}

// traces are records of a window in the order of time, as far as several clients
// keep it.
func traces(rng *rand.Rand, window time.Duration, n int) (all []trace) {
	for i := range n {
		at := time.Duration(float64(window)*float64(i)/float64(n)) + time.Duration(rng.Int64N(int64(window/10)))
		all = append(all, trace{
			attempt: rng.IntN(2) > 0, at: min(at, window-1), verdict: Verdict(rng.IntN(int(verdicts))),
			outcome: OpOutcome(rng.IntN(int(opOutcomes))), latency: randomDuration(rng),
		})
	}
	return all
}

// exact is what the series of traces must be.
func exact(all []trace, interval, window time.Duration) *Series {
	s := &Series{IntervalNS: int64(interval), Points: make([]Point, (window+interval-1)/interval)}
	latencies := make([][]int64, len(s.Points))
	for _, e := range all {
		i := int(e.at / interval)
		p := &s.Points[i]
		switch {
		case e.attempt:
			p.Attempts++
			if e.verdict == Conflict {
				p.Conflicts++
			}
		case e.outcome == OpRejected:
			p.Rejected++
		case e.outcome == OpCommitted:
			p.Committed++
			latencies[i] = append(latencies[i], int64(min(max(e.latency, 0), histogramMax)))
		}
	}
	for i, l := range latencies {
		if slices.Sort(l); len(l) > 0 {
			s.Points[i].P50NS, s.Points[i].P99NS = &l[(len(l)+1)/2-1], &l[int(math.Ceil(0.99*float64(len(l))))-1]
		}
	}
	return s
}

// alike says how two series differ, percentiles by more than 1 %, or "".
func alike(got, want *Series) string {
	if got.IntervalNS != want.IntervalNS || len(got.Points) != len(want.Points) {
		return fmt.Sprintf("%d points of %v, want %d of %v", len(got.Points), got.IntervalNS, len(want.Points), want.IntervalNS)
	}
	for i, g := range got.Points {
		w := want.Points[i]
		for _, q := range [][2]*int64{{g.P50NS, w.P50NS}, {g.P99NS, w.P99NS}} {
			if (q[0] == nil) != (q[1] == nil) || q[0] != nil && !near(float64(*q[0]), float64(*q[1]), 0.01) {
				return fmt.Sprintf("point %d has percentiles of %s, want %s", i, asText(g), asText(w))
			}
		}
		g.P50NS, g.P99NS, w.P50NS, w.P99NS = nil, nil, nil, nil
		if g != w {
			return fmt.Sprintf("point %d is %+v, want %+v", i, g, w)
		}
	}
	return ""
}

// Counts are exact, percentiles to 1 %, however many recorders shared the work;
// points add up to the run; and a recorder can be used again.
func TestSeries(t *testing.T) {
	recorders := []*Recorder{newRecorder(1), newRecorder(1), newRecorder(1)}
	for i, window := range []time.Duration{2 * time.Second, 1050 * time.Millisecond, 20 * time.Minute, time.Second} {
		all := traces(seeded(uint64(i)), window, 5000)
		for _, r := range recorders {
			r.Reset(1)
			r.Follow(window, false)
		}
		for j, e := range all {
			e.tell(recorders[j%3])
		}
		recorders[0].Merge(recorders[1])
		recorders[0].Merge(recorders[2])
		run := filled(recorders[0])
		got := recorders[0].Series(window)
		if text := alike(got, exact(all, SeriesInterval(window), window)); text != "" {
			t.Errorf("window of %v: %s", window, text)
		}
		var sum Point
		for _, p := range got.Points {
			sum.Committed, sum.Rejected, sum.Attempts, sum.Conflicts = sum.Committed+p.Committed, sum.Rejected+p.Rejected, sum.Attempts+p.Attempts, sum.Conflicts+p.Conflicts
		}
		if want := (Point{Committed: run.Committed, Rejected: run.Rejected, Attempts: run.Attempts, Conflicts: run.Conflicts}); sum != want {
			t.Errorf("window of %v: points come to %+v, want %+v", window, sum, want)
		}
	}
	recorders[0].Reset(1)
	trace{attempt: true}.tell(recorders[0])
	if s := recorders[0].Series(time.Second); s != nil {
		t.Errorf("a series that nobody asked for: %+v", s)
	}
}

// A window that ended early has the points up to its end, and all that was
// recorded.
func TestSeriesOfAWindowThatEndedEarly(t *testing.T) {
	for _, c := range []struct {
		elapsed time.Duration
		points  int
	}{{1, 1}, {100 * time.Millisecond, 1}, {250 * time.Millisecond, 3}, {400 * time.Millisecond, 4}, {time.Second, 10}} {
		r := newRecorder(1)
		r.Follow(time.Second, false)
		trace{attempt: true}.tell(r)
		trace{attempt: true, at: c.elapsed}.tell(r) // the attempt that ended it
		s := r.Series(c.elapsed)
		if len(s.Points) != c.points || s.Points[0].Attempts+s.Points[c.points-1].Attempts < 2 {
			t.Errorf("ended after %v: %+v", c.elapsed, s)
		}
	}
	r := newRecorder(1)
	r.Follow(time.Second, false)
	if s := r.Series(0); s != nil {
		t.Errorf("ended before it began: %+v", s)
	}
}

func TestMergingDifferentWindowsPanics(t *testing.T) {
	one, other := newRecorder(1), newRecorder(1)
	one.Follow(time.Second, false)
	other.Follow(2*time.Second, false)
	defer func() {
		if recover() == nil {
			t.Error("merged")
		}
	}()
	one.Merge(other)
}

// Looks see every record of the window once, also where there is no series.
func TestLook(t *testing.T) {
	for _, window := range []time.Duration{0, 2 * time.Second} {
		r := newRecorder(1)
		r.Follow(window, true)
		var seen Tally
		for i, e := range traces(seeded(1), 2*time.Second, 1000) {
			e.tell(r)
			if i%100 == 0 {
				r.Look(&seen)
			}
		}
		r.Look(&seen)
		run := filled(r)
		p := seen.Point()
		if p.Committed != run.Committed || p.Rejected != run.Rejected || p.Attempts != run.Attempts || p.Conflicts != run.Conflicts {
			t.Errorf("window %v: saw %+v", window, p)
		}
		if d, _ := run.Latency.Quantile(0.5); p.P50NS == nil || !near(float64(*p.P50NS), float64(d), 0.01) {
			t.Errorf("window %v: p50 is not %v", window, d)
		}
		var empty Tally
		if r.Look(&empty); empty != (Tally{}) {
			t.Errorf("window %v: looked at twice", window)
		}
	}
}

// asText writes a point with its percentiles.
func asText(p Point) string {
	text, _ := json.Marshal(p)
	return string(text)
}
