package sim

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/results"
)

// reference is the idealised system of the model: 2 µs for each command, half
// of each way exponential.
var reference = &profile.Profile{
	Server:  profile.Server{CommandNS: 2000},
	Network: profile.Network{Jitter: profile.Jitter{Shape: profile.ShapeExponential, Share: 0.5}},
}

// plan is an experiment of one trial.
func plan(duration time.Duration) *engine.Plan {
	return &engine.Plan{
		Duration: duration, Warmup: 10 * time.Millisecond, Trials: 1, Seed: 1,
		BackoffBase: 50 * time.Microsecond, BackoffCap: 10 * time.Millisecond, Prefix: "p:",
	}
}

func cell(strategy string, clients, keys int) results.Cell {
	c := results.Cell{
		Strategy: strategy, Workload: "counter", Clients: clients, Keys: keys, Dist: "uniform",
		RTTNS: 200_000, Conn: "dedicated",
	}
	if strategy == "watch" || strategy == "watch-pipelined" {
		c.Backoff = "none"
	}
	return c
}

// BenchmarkEvents tells what one event, the resumption of a client, costs with
// everything that hangs on it: engine, strategy, store and recorder. An exchange
// is one event, its two delays included; a decision, a back-off and a think time
// are one each.
func BenchmarkEvents(b *testing.B) {
	for name, change := range map[string]func(*results.Cell){
		"atomic":                   func(c *results.Cell) { c.Strategy, c.Backoff = "atomic", "" },
		"watch-pipelined":          func(*results.Cell) {},
		"watch-pipelined+decision": func(c *results.Cell) { c.DecisionNS = int64(time.Millisecond) },
		"hot+decision+full": func(c *results.Cell) {
			c.DecisionNS, c.Keys = int64(time.Millisecond), 10
			c.Backoff, c.BackoffBaseNS, c.BackoffCapNS = "full", 50_000, 10_000_000
		},
	} {
		for _, clients := range []int{64, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", name, clients), func(b *testing.B) {
				c := cell("watch-pipelined", clients, 1000)
				change(&c)
				var events, exchanges float64
				s := newSimulator(plan(2*time.Second), nil)
				before := cpu(b)
				for b.Loop() {
					run, err := s.trial(c, 0, reference, nil)
					if err != nil {
						b.Fatal(err)
					}
					events += float64(s.World.(*World).resumed)
					exchanges += float64(run.Whole.Exchanges)
				}
				b.ReportMetric(events/b.Elapsed().Seconds()/1e6, "Mevents/s")
				b.ReportMetric(exchanges/b.Elapsed().Seconds()/1e6, "Mexchanges/s")
				// Beside busy neighbours only the process's own time means something.
				b.ReportMetric(events/(cpu(b)-before).Seconds()/1e6, "Mevents/cpu-s")
			})
		}
	}
}

// cpu is the time of this process on all cores, the collector's included.
func cpu(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Skip(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
