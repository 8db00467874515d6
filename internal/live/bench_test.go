package live

import (
	"context"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/results"
	"rmwbench/strategies"
)

const (
	benchClients = 50
	benchWindow  = time.Second
	benchRounds  = 6 // a multiple of the ways, so that each goes first as often
)

// BenchmarkOverhead is the price of measuring: goodput of the engine's atomic
// strategy at 50 clients without injected delay over that of a bare loop of
// the same library on as many connections, and over redis-benchmark where it
// is on PATH. The ways are interleaved, each going first in turn, and the
// median ratio is reported: on a machine that others use too, only ratios mean
// something, and who runs after whom is worth some percent.
func BenchmarkOverhead(b *testing.B) {
	server := redistest.Start(b)
	w := opened(b, targetOf(server))
	ways := []func() float64{
		func() float64 { return engineGoodput(b, w) },
		func() float64 { return bareGoodput(b, w) },
	}
	if program, err := exec.LookPath("redis-benchmark"); err == nil {
		ways = append(ways, func() float64 { return redisBenchmarkGoodput(b, program, server) })
	}
	for b.Loop() {
		rates := make([][]float64, len(ways))
		for round := range benchRounds {
			for i := range ways {
				way := (round + i) % len(ways)
				rates[way] = append(rates[way], ways[way]())
			}
		}
		for i, unit := range []string{"", "x-bare-rueidis", "x-redis-benchmark"}[1:len(ways)] {
			ratios := make([]float64, benchRounds)
			for round := range ratios {
				ratios[round] = rates[0][round] / rates[i+1][round]
			}
			b.ReportMetric(middle(ratios), unit)
		}
		b.ReportMetric(middle(rates[0]), "ops/s")
	}
}

func middle(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// engineGoodput runs one trial of atomic.
func engineGoodput(b testing.TB, w *World) float64 {
	b.Helper()
	p := &engine.Plan{
		Strategies: []string{"atomic"}, Workloads: []string{"counter"}, Clients: []int{benchClients}, Keys: []int{1},
		Dists: []string{"uniform"}, Skews: []float64{0}, Hots: []contention.Hot{{Share: 0.5, Keys: 1}},
		Decisions: []time.Duration{0}, Thinks: []time.Duration{0}, RTTs: []time.Duration{0},
		Backoffs: []string{"none"}, MaxTries: []int{0},
		Duration: benchWindow, Warmup: benchWindow / 10, Trials: 1, Seed: 1, Prefix: "rmwbench:bench:",
	}
	if err := p.Validate(); err != nil {
		b.Fatal(err)
	}
	cells, _ := p.Grid(strategies.Facts{})
	var goodput float64
	runner := engine.Runner{
		Plan: p, World: w, Source: results.SourceLive, Cells: cells, Shards: 2,
		Sink: func(r *results.Run) error { goodput = r.Goodput(); return nil },
	}
	if err := runner.Run(); err != nil {
		b.Fatal(err)
	}
	return goodput
}

// bareGoodput counts INCRs of a loop without any engine on connections like
// the engine's.
func bareGoodput(b testing.TB, w *World) float64 {
	b.Helper()
	conns := make([]*conn, benchClients)
	for i := range conns {
		c, err := w.connect()
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		conns[i] = c
	}
	counts := make([]int64, benchClients)
	var wg sync.WaitGroup
	start := time.Now()
	from, to := start.Add(benchWindow/10), start.Add(benchWindow/10+benchWindow)
	for i, c := range conns {
		wg.Go(func() { counts[i] = incrUntil(b, c.wire, w.client, from, to) })
	}
	wg.Wait()
	var total int64
	for _, n := range counts {
		total += n
	}
	return float64(total) / benchWindow.Seconds()
}

func incrUntil(b testing.TB, wire rueidis.DedicatedClient, client rueidis.Client, from, to time.Time) (n int64) {
	ctx := context.Background()
	for {
		if err := wire.Do(ctx, client.B().Incr().Key("rmwbench:bench:bare").Build()).Error(); err != nil {
			b.Error(err)
			return n
		}
		now := time.Now()
		if !now.Before(to) {
			return n
		}
		if !now.Before(from) {
			n++
		}
	}
}

var requestsPerSecond = regexp.MustCompile(`([0-9.]+) requests per second`)

func redisBenchmarkGoodput(b *testing.B, program string, server *redisd.Server) float64 {
	b.Helper()
	args := []string{"-s", server.Address, "-t", "incr", "-c", strconv.Itoa(benchClients), "-n", "100000", "-q"}
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	all := requestsPerSecond.FindAllSubmatch(out, -1)
	if len(all) == 0 {
		b.Fatalf("no rate in %q", out)
	}
	rate, err := strconv.ParseFloat(string(all[len(all)-1][1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return rate
}
