package sim

import (
	"math"
	"testing"
	"time"

	"rmwbench/results"
)

// open is a cell of an open loop on one key.
func open(strategy string, clients int, rate float64) results.Cell {
	c := cell(strategy, clients, 1)
	c.Rate = rate
	return c
}

// One client is one server of a queue with Poisson arrivals: its mean response
// is that of Pollaczek and Khinchine, W = S + rho S (1 + c2) / (2 (1 - rho)).
func TestOpenLoopIsAQueue(t *testing.T) {
	constant := *reference
	constant.Network.Jitter.Shape = "constant"
	p := plan(200 * time.Second)
	const service = 202e-6 // a command and its network, always the same
	for _, rho := range []float64{0.3, 0.8} {
		r, err := Trial(p, open("atomic", 1, rho/service), 0, &constant)
		if err != nil {
			t.Fatal(err)
		}
		want := service + rho*service/(2*(1-rho))
		if got := r.Latency.Mean().Seconds(); math.Abs(got/want-1) > 0.04 {
			t.Errorf("rho %v: %v s on average, want %v", rho, got, want)
		}
		if got := r.ServiceLatency.Mean().Seconds(); math.Abs(got/service-1) > 0.001 {
			t.Errorf("rho %v: service %v s, want %v", rho, got, service)
		}
		if late := float64(r.Arrivals.Late) / float64(r.Arrivals.Offered); math.Abs(late-rho) > 0.02 { // arrivals see time averages
			t.Errorf("rho %v: %v of the arrivals were late", rho, late)
		}
	}
}

// Below its capacity an open loop keeps its rate. Above, it does not, and the
// longer it runs the longer ops take.
func TestOpenLoopAboveItsCapacity(t *testing.T) {
	capacity := 1 / (202e-6 / 8) // eight clients, a server that is far from full
	run := func(share float64, length time.Duration) *results.Run {
		t.Helper()
		r, err := Trial(plan(length), open("atomic", 8, share*capacity), 0, reference)
		if err != nil {
			t.Fatal(err)
		}
		if r.Audit.Verdict != results.AuditExact {
			t.Errorf("audit %s", r.Audit)
		}
		return r
	}
	below := run(0.8, 5*time.Second)
	if got := below.Goodput(); math.Abs(got/(0.8*capacity)-1) > 0.02 || below.Arrivals.Unserved > 50 {
		t.Errorf("at 80 %%: %.0f/s of %.0f, %d unserved", got, 0.8*capacity, below.Arrivals.Unserved)
	}
	short, long := run(1.5, time.Second), run(1.5, 4*time.Second)
	if got := short.Goodput(); got > 1.02*capacity || short.Arrivals.Unserved == 0 {
		t.Errorf("at 150 %%: %.0f/s of %.0f, %d unserved", got, capacity, short.Arrivals.Unserved)
	}
	early, _ := short.Latency.Quantile(0.99)
	late, _ := long.Latency.Quantile(0.99)
	if ratio := float64(late) / float64(early); ratio < 3 || ratio > 5 {
		t.Errorf("p99 of %v after a second and of %v after four", early, late)
	}
}

// Every strategy meets the same arrivals.
func TestOpenLoopsShareTheirArrivals(t *testing.T) {
	var offered []int64
	for _, strategy := range []string{"watch", "watch-pipelined", "lua", "atomic"} {
		r, err := Trial(plan(time.Second), open(strategy, 4, 1234), 0, reference)
		if err != nil {
			t.Fatal(err)
		}
		offered = append(offered, r.Arrivals.Offered)
	}
	for _, n := range offered {
		if n != offered[0] {
			t.Errorf("offered %v", offered)
		}
	}
}
