package sim

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/report"
	"rmwbench/results"
)

// bursting is a cell of an open loop with a burst.
func bursting(strategy string, clients int, rate float64, b contention.Burst) results.Cell {
	c := open(strategy, clients, rate)
	c.Burst = b.String()
	return c
}

// A burst beyond the capacity of a row leaves a backlog of
//
//	(factor x rate - capacity) x length
//
// ops, which is worked off at capacity - rate. That is how long latency takes to
// be back, and while it lasts the row commits at its capacity.
func TestABurstDrainsAsAQueue(t *testing.T) {
	constant := *reference
	constant.Network.Jitter.Shape = "constant"
	const clients, service = 2, 202e-6
	const capacity = clients / service
	b := contention.Burst{Factor: 2.5, From: 2 * time.Second, Length: 4 * time.Second}
	for _, strategy := range []string{"atomic", "lua"} {
		for _, rho := range []float64{0.5, 0.6} {
			rate := rho * capacity
			want := (b.Factor*rate - capacity) * b.Length.Seconds() / (capacity - rate)
			c := bursting(strategy, clients, rate, b)
			run, err := Trial(plan(b.End()+time.Duration(1.5e9*want)+time.Second), c, 0, &constant)
			if err != nil {
				t.Fatal(err)
			}
			r, ok := report.RecoveryOf(run.Series, b, rate, time.Duration(run.ElapsedNS))
			if !ok || !r.Back || math.Abs(r.Took.Seconds()/want-1) > 0.1 {
				t.Errorf("%s at %v of its capacity: %+v, want %.2f s", strategy, rho, r, want)
			}
			if got := r.Answered * b.Factor * rate; math.Abs(got/capacity-1) > 0.01 {
				t.Errorf("%s at %v of its capacity: %.0f/s in the burst, want %.0f/s", strategy, rho, got, capacity)
			}
			// The last to arrive in the burst waits for the whole backlog.
			if most := (b.Factor*rho - 1) * b.Length.Seconds(); math.Abs(r.Worst.Seconds()/most-1) > 0.05 {
				t.Errorf("%s at %v of its capacity: latency up to %v, want %.2f s", strategy, rho, r.Worst, most)
			}
		}
	}
}

// Up to the burst nothing knows of it: the same arrivals, the same points. And
// the same seed gives the same line.
func TestBeforeTheBurstNothingChanges(t *testing.T) {
	b := contention.Burst{Factor: 3, From: time.Second, Length: 500 * time.Millisecond}
	p := plan(2 * time.Second)
	for _, strategy := range []string{"watch", "atomic"} {
		var runs [3]*results.Run
		for i, c := range []results.Cell{open(strategy, 8, 1000), bursting(strategy, 8, 1000, b), bursting(strategy, 8, 1000, b)} {
			var err error
			if runs[i], err = Trial(p, c, 0, reference); err != nil {
				t.Fatal(err)
			}
		}
		var texts [3]string
		for i, run := range runs {
			text, err := json.Marshal(run.Series.Points[:10])
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = string(text)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: before the burst\n%s\nwithout one\n%s", strategy, texts[1], texts[0])
		}
		one, _ := json.Marshal(runs[1])
		other, _ := json.Marshal(runs[2])
		if string(one) != string(other) {
			t.Errorf("%s: two lines of one seed", strategy)
		}
		if got, want := runs[1].Arrivals.Offered, int64(3000); got < want-200 || got > want+200 {
			t.Errorf("%s: %d arrivals, want %d or so", strategy, got, want)
		}
	}
}

// A burst that is none is not felt: what latency varies by anyhow is not taken
// for one, a few trials in a hundred aside.
func TestABurstOfNothingIsNotFelt(t *testing.T) {
	b := contention.Burst{Factor: 1, From: 2 * time.Second, Length: time.Second}
	for _, strategy := range []string{"lua", "watch-pipelined"} {
		const trials, rate = 40, 200
		felt := 0
		for number := range trials {
			run, err := Trial(plan(6*time.Second), bursting(strategy, 32, rate, b), number, reference)
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := report.RecoveryOf(run.Series, b, rate, time.Duration(run.ElapsedNS)); !ok || r.Overloaded() || !r.Back || r.Took > 100*time.Millisecond {
				felt++
			}
		}
		if felt > trials/8 {
			t.Errorf("%s: felt in %d of %d trials", strategy, felt, trials)
		}
	}
}

// The retry storm: at a rate that WATCH carries with ease, a burst that a script
// does not feel sets its clients against each other. Their conflicts hold up the
// ops that came after it too, and longer without back-off than with full jitter.
func TestRetryStorm(t *testing.T) {
	const rate = 2500
	b := contention.Burst{Factor: 3, From: 2 * time.Second, Length: time.Second}
	p := plan(8 * time.Second)
	recovery := func(strategy, backoff string) report.Recovery {
		t.Helper()
		c := bursting(strategy, 64, rate, b)
		if c.Backoff = backoff; backoff == "full" {
			c.BackoffBaseNS, c.BackoffCapNS = int64(p.BackoffBase), int64(p.BackoffCap)
		}
		run, err := Trial(p, c, 0, reference)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := report.RecoveryOf(run.Series, b, rate, time.Duration(run.ElapsedNS))
		if !ok || r.Overloaded() {
			t.Fatalf("%s %s: %+v, %v", strategy, backoff, r, ok)
		}
		return r
	}
	script, naive, full := recovery("lua", ""), recovery("watch-pipelined", "none"), recovery("watch-pipelined", "full")
	if !script.Back || script.Took > 100*time.Millisecond || script.Answered < 0.95 || script.Worst > 2*script.Before {
		t.Errorf("lua: %+v", script)
	}
	if naive.Back && naive.Took < time.Second || naive.Answered > 0.7 || naive.Worst < 100*naive.Before {
		t.Errorf("watch-pipelined without back-off: %+v", naive)
	}
	if !full.Back || full.Took == 0 || naive.Back && naive.Took < 2*full.Took {
		t.Errorf("watch-pipelined with full jitter: %+v, without back-off %+v", full, naive)
	}
}
