package engine

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
	"rmwbench/strategies"
)

func validPlan() Plan {
	return Plan{
		Strategies: []string{"watch", "lua"}, Workloads: []string{"counter"}, Clients: []int{1, 4}, Keys: []int{1},
		Dists: []string{"uniform"}, Skews: []float64{0.99}, Hots: []contention.Hot{{Share: 0.3, Keys: 1}},
		Decisions: []time.Duration{0}, Thinks: []time.Duration{0}, RTTs: []time.Duration{0},
		Backoffs: []string{"none", "full"}, MaxTries: []int{0},
		BackoffBase: 100 * time.Microsecond, BackoffCap: 10 * time.Millisecond,
		Duration: time.Second, Trials: 1, Seed: 1,
	}
}

// twice is a burst that a second holds.
var twice = contention.Burst{Factor: 2, From: 400 * time.Millisecond, Length: 200 * time.Millisecond}

func TestPlansAreRefusedWithFlagValueAndRange(t *testing.T) {
	for _, c := range []struct {
		change func(*Plan)
		want   []string // each in the message
	}{
		{func(p *Plan) { p.Clients = []int{0} }, []string{"-c 0", "1 to 10000"}},
		{func(p *Plan) { p.Clients = []int{4, 10_001} }, []string{"-c 10001", "1 to 10000"}},
		{func(p *Plan) { p.Clients = []int{4, 4} }, []string{"-c 4", "twice"}},
		{func(p *Plan) { p.Clients = nil }, []string{"-c", "at least one"}},
		{func(p *Plan) { p.Keys = []int{-1} }, []string{"--keys -1", "1 to 1000000"}},
		{func(p *Plan) { p.Skews = []float64{math.NaN()} }, []string{"--skew NaN", "finite"}},
		{func(p *Plan) { p.Skews = []float64{math.Inf(1)} }, []string{"--skew +Inf", "finite"}},
		{func(p *Plan) { p.Skews = []float64{-0.5} }, []string{"--skew -0.5", "at least 0"}},
		{func(p *Plan) { p.Duration = 0 }, []string{"--duration 0s"}},
		{func(p *Plan) { p.Duration = -5 * time.Second }, []string{"--duration -5s"}},
		{func(p *Plan) { p.Decisions = []time.Duration{2 * time.Minute} }, []string{"--decision 2m0s", "0s to 1m0s"}},
		{func(p *Plan) { p.RTTs = []time.Duration{-1} }, []string{"--rtt -1ns"}},
		{func(p *Plan) { p.Thinks = []time.Duration{-1} }, []string{"--think -1ns"}},
		{func(p *Plan) { p.BackoffBase = time.Second }, []string{"--backoff-base 1s", "--backoff-cap 10ms"}},
		{func(p *Plan) { p.MaxTries = []int{-1} }, []string{"--max-tries -1"}},
		{func(p *Plan) { p.Trials = 0 }, []string{"--trials 0"}},
		{func(p *Plan) { p.Ops = -1 }, []string{"-n -1"}},
		{func(p *Plan) { p.Strategies = []string{"nope"} }, []string{"-t nope", "known: atomic"}},
		{func(p *Plan) { p.Workloads = []string{"nope"} }, []string{"--workload nope", "counter"}},
		{func(p *Plan) { p.Dists = []string{"hotspot"} }, []string{"--dist hotspot --keys 1", "30%:1"}},
		{func(p *Plan) { p.Bystanders.Clients = -1 }, []string{"--bystanders -1", "0 to 1000"}},
		{func(p *Plan) { p.Bystanders.Clients = 1001 }, []string{"--bystanders 1001", "0 to 1000"}},
		{func(p *Plan) { p.Bystanders.Closed = true }, []string{"--bystanders 0:closed", "1:closed to 1000:closed"}},
		{func(p *Plan) { p.Burst = twice }, []string{"--burst x2@400ms+200ms", "closed loop", "--rps above 0"}},
		{func(p *Plan) { p.Burst, p.Rates = twice, []float64{100, 0} }, []string{"--burst x2@400ms+200ms", "--rps above 0"}},
		{func(p *Plan) { p.Burst, p.Rates = twice, []float64{MaxRate} }, []string{"--burst x2@400ms+200ms", "--rps 1e+07"}},
		{func(p *Plan) { p.Burst, p.Rates, p.Herd, p.Duration = twice, []float64{100}, true, 0 }, []string{"--burst x2@400ms+200ms", "--herd"}},
		{func(p *Plan) { p.Burst, p.Rates, p.Ops, p.Duration = twice, []float64{100}, 10, 0 }, []string{"--burst x2@400ms+200ms", "-n alone", "--duration"}},
		{func(p *Plan) { p.Burst, p.Rates, p.Duration = twice, []float64{100}, 600*time.Millisecond }, []string{"--burst x2@400ms+200ms", "600ms into", "--duration 600ms"}},
		{func(p *Plan) { p.Workloads, p.ValueBytes = []string{"document"}, []int{15} }, []string{"-d 15", "16 to 1048576"}},
		{func(p *Plan) { p.Workloads, p.ValueBytes = []string{"document"}, []int{16, 1<<20 + 1} }, []string{"-d 1048577"}},
		{func(p *Plan) { p.ValueBytes = []int{100} }, []string{"-d 100", "document"}},
		{func(p *Plan) {
			p.Workloads, p.ValueBytes, p.Keys = []string{"document"}, []int{1 << 20}, []int{1025}
		}, []string{"--keys 1025", "at most 1024", "-d"}},
		{func(p *Plan) { p.Backoffs = []string{"none", "linear"} }, []string{"--backoff linear", "decorrelated"}},
	} {
		p := validPlan()
		c.change(&p)
		err := p.Validate()
		if err == nil {
			t.Errorf("accepted, want a refusal with %q", c.want)
			continue
		}
		for _, word := range c.want {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q lacks %q", err, word)
			}
		}
	}
	p := validPlan()
	if err := p.Validate(); err != nil {
		t.Errorf("a valid plan is refused: %v", err)
	}
	bursting := validPlan()
	bursting.Rates, bursting.Burst, bursting.Ops = []float64{100, 200}, twice, 10
	if err := bursting.Validate(); err != nil {
		t.Errorf("a valid plan with a burst is refused: %v", err)
	}
	p.Clients, p.Trials = []int{0}, 0
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "-c 0") || !strings.Contains(err.Error(), "--trials 0") {
		t.Errorf("two faults are not both named: %v", err)
	}
}

func TestGridMultipliesOnlyByAxesThatMeanSomething(t *testing.T) {
	p := validPlan()
	p.Strategies = []string{"watch", "lua", "atomic", "unsafe"}
	p.Dists, p.Skews, p.Keys = []string{"uniform", "zipf"}, []float64{0.5, 0.99}, []int{10, 100}
	p.MaxTries = []int{0, 3}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	cells, na := p.Grid(strategies.Facts{})
	if len(na) != 0 {
		t.Errorf("n/a: %v", na)
	}
	// Settings: uniform once, zipf for each skew; times keys. Ways: watch with 2
	// back-offs x 2 tries, and three without either. Times clients.
	if want := (1 + 2) * 2 * (2*2 + 3) * 2; len(cells) != want {
		t.Errorf("%d cells, want %d", len(cells), want)
	}
	for i, c := range cells {
		if slices.Contains(cells[:i], c) {
			t.Errorf("cell %d comes twice: %+v", i, c)
		}
		if c.Strategy != "watch" && (c.Backoff != "" || c.MaxTries != 0) {
			t.Errorf("%s has back-off %q and %d tries", c.Strategy, c.Backoff, c.MaxTries)
		}
		if c.Dist == "uniform" && c.Skew != 0 || c.Hot != "" {
			t.Errorf("%s has skew %v and hot spot %q", c.Dist, c.Skew, c.Hot)
		}
		if waits := c.Backoff == "full"; waits != (c.BackoffCapNS != 0) {
			t.Errorf("back-off %q has cap %d", c.Backoff, c.BackoffCapNS)
		}
	}
}

// A size multiplies the workloads that have one, which always name it.
func TestGridOfSizes(t *testing.T) {
	p := validPlan()
	p.Strategies, p.Clients, p.Workloads = []string{"lua"}, []int{1}, []string{"counter", "document"}
	for _, c := range []struct{ flag, want []int }{{nil, []int{0, 4096}}, {[]int{100, 5000}, []int{0, 100, 5000}}} {
		p.ValueBytes = c.flag
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		cells, _ := p.Grid(strategies.Facts{})
		var got []int
		for _, cell := range cells {
			if got = append(got, cell.ValueBytes); (cell.ValueBytes == 0) != (cell.Workload == "counter") {
				t.Errorf("%s of %d bytes", cell.Workload, cell.ValueBytes)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("-d %v: sizes %v, want %v", c.flag, got, c.want)
		}
	}
}

func TestGridNamesWhatCannotRun(t *testing.T) {
	p := validPlan()
	p.Strategies, p.Workloads, p.Keys = []string{"atomic", "lua"}, []string{"counter", "debit"}, []int{1, 2}
	cells, na := p.Grid(strategies.Facts{})
	if len(na) != 1 || na[0].Strategy != "atomic" || na[0].Workload != "debit" || !strings.Contains(na[0].Reason, "DECRBY") {
		t.Errorf("n/a: %+v", na)
	}
	for _, c := range cells {
		if c.Strategy == "atomic" && c.Workload == "debit" {
			t.Errorf("runs all the same: %+v", c)
		}
	}
}

func TestSeedsAreOfTheLoadAlone(t *testing.T) {
	p := validPlan()
	p.Keys = []int{1, 10}
	cells, _ := p.Grid(strategies.Facts{})
	byLoad := map[results.Cell]uint64{}
	loads := map[uint64]results.Cell{}
	for _, c := range cells {
		seed := TrialSeed(1, c, 0)
		if before, ok := byLoad[c.Load()]; ok && before != seed {
			t.Errorf("two ways under the same load have seeds %d and %d", before, seed)
		}
		if other, ok := loads[seed]; ok && other != c.Load() {
			t.Errorf("%+v and %+v share a seed", other, c.Load())
		}
		byLoad[c.Load()], loads[seed] = seed, c.Load()
	}
	if len(byLoad) != 4 { // 2 numbers of clients x 2 of keys
		t.Errorf("%d loads", len(byLoad))
	}
	c := cells[0]
	if TrialSeed(1, c, 0) == TrialSeed(1, c, 1) || TrialSeed(1, c, 0) == TrialSeed(2, c, 0) {
		t.Error("trial and --seed do not change the seed")
	}
	watched := c
	watched.Bystanders, watched.BystandersClosed = 4, true
	if TrialSeed(1, watched, 0) != TrialSeed(1, c, 0) {
		t.Error("who is watched meets another sequence of keys")
	}
	burst := c
	if burst.Burst = twice.String(); TrialSeed(1, burst, 0) != TrialSeed(1, c, 0) {
		t.Error("a burst changes the seed, and with it what comes before the burst")
	}
	// Pinned: a published command line must keep its meaning.
	if got := TrialSeed(1, results.Cell{Strategy: "watch", Workload: "counter", Clients: 4, Keys: 1, Dist: "uniform", Conn: "dedicated"}, 0); got != pinnedSeed {
		t.Errorf("the seed of a plain cell is %d, was %d", got, uint64(pinnedSeed))
	}
}

const pinnedSeed = 7057925164310180523
