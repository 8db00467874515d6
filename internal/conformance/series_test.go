package conformance

import (
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/results"
)

// Over a burst the points of a series add up to the run, whatever the world and
// however many recorders there were, and so do the seconds that are told while
// it goes on. Every way meets the same arrivals.
func TestSeriesAddUp(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := plan("watch-pipelined", "lua")
		p.Workloads, p.Clients, p.Rates = []string{"debit"}, []int{6}, []float64{300}
		p.Ops, p.Duration, p.Warmup = 0, 2*time.Second, 50*time.Millisecond
		p.Burst = contention.Burst{Factor: 3, From: 500 * time.Millisecond, Length: 500 * time.Millisecond}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		cells, _ := p.Grid(w.facts)
		told := map[string]results.Point{}
		var runs []*results.Run
		runner := engine.Runner{
			Plan: p, World: w, Source: results.SourceLive, Cells: cells, Shards: 3,
			Sink: func(r *results.Run) error { runs = append(runs, r); return nil },
			Second: func(s engine.Second) {
				told[s.Strategy] = plus(told[s.Strategy], s.Point)
			},
		}
		if err := runner.Run(); err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			whole := results.Point{Committed: r.Committed, Rejected: r.Rejected, Attempts: r.Attempts, Conflicts: r.Conflicts}
			if r.Series == nil || len(r.Series.Points) != 20 || r.Series.IntervalNS != 1e8 {
				t.Fatalf("%s: series %+v", name(r), r.Series)
			}
			var sum results.Point
			for i, point := range r.Series.Points {
				sum = plus(sum, point)
				if (point.P50NS == nil) != (point.Committed == 0) || (point.P99NS == nil) != (point.Committed == 0) {
					t.Errorf("%s: point %d is %+v", name(r), i, point)
				}
			}
			if sum != whole {
				t.Errorf("%s: points come to %+v, want %+v", name(r), sum, whole)
			}
			if seen := told[r.Strategy]; seen.Committed > whole.Committed || seen.Attempts > whole.Attempts || seen.Conflicts > whole.Conflicts || seen.Attempts == 0 {
				t.Errorf("%s: %+v was told of %+v", name(r), seen, whole)
			}
			if r.Arrivals.Offered != runs[0].Arrivals.Offered || r.Arrivals.Offered < 700 || r.Arrivals.Offered > 1100 {
				t.Errorf("%s: %+v, want 900 or so like %+v", name(r), r.Arrivals, runs[0].Arrivals)
			}
		}
	})
}

// plus adds the counts of two points.
func plus(a, b results.Point) results.Point {
	return results.Point{Committed: a.Committed + b.Committed, Rejected: a.Rejected + b.Rejected, Attempts: a.Attempts + b.Attempts, Conflicts: a.Conflicts + b.Conflicts}
}
