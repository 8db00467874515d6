package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/scripts"
	"rmwbench/strategies"
)

// grid is a plan with something of everything.
func grid(names ...string) *engine.Plan {
	p := plan(20 * time.Millisecond)
	p.Strategies, p.Workloads, p.Clients, p.Keys = names, []string{"counter", "debit", "feed"}, []int{1, 20}, []int{10}
	p.Dists, p.Skews, p.Hots = []string{"uniform", "zipf"}, []float64{0.99}, []contention.Hot{{Share: 0.5, Keys: 1}}
	p.Decisions, p.Thinks, p.RTTs = []time.Duration{0, time.Millisecond}, []time.Duration{0}, []time.Duration{200 * time.Microsecond}
	p.Backoffs, p.MaxTries, p.Trials = []string{"none", "full"}, []int{0}, 2
	return p
}

// lines simulates cells and answers their run lines as they are written.
func lines(t *testing.T, p *engine.Plan, cells []results.Cell) []string {
	t.Helper()
	return linesOn(t, reference, p, cells)
}

// linesOn are those of a profile.
func linesOn(t *testing.T, costs *profile.Profile, p *engine.Plan, cells []results.Cell) []string {
	t.Helper()
	var lines []string
	err := Run(p, Jobs(0, p.Trials, cells), costs, nil, func(i int, r *results.Run) error {
		text, err := json.Marshal(r)
		lines = append(lines, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func cellsOf(t *testing.T, p *engine.Plan) []results.Cell {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	cells, _ := p.Grid(strategies.Facts{})
	return cells
}

// The same seed gives the same lines, to the byte: on one core and on many, and
// for a cell that is alone in its grid.
func TestRunsAreReproducible(t *testing.T) {
	p := grid("watch", "watch-pipelined", "lua", "atomic", "unsafe")
	p.ScriptTimes = []time.Duration{0, 500 * time.Microsecond}
	cells := cellsOf(t, p)
	first := lines(t, p, cells)
	if len(first) != p.Trials*len(cells) {
		t.Fatalf("%d lines of %d cells", len(first), len(cells))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if again := lines(t, p, cells); !slices.Equal(first, again) {
		t.Error("on one core the lines are others")
	}
	runtime.GOMAXPROCS(4)
	if again := lines(t, p, cells); !slices.Equal(first, again) {
		t.Error("on four threads the lines are others")
	}
	for _, i := range []int{0, len(cells) / 2, len(cells) - 1} {
		alone := lines(t, p, cells[i:i+1])
		if alone[0] != first[i] || alone[1] != first[len(cells)+i] {
			t.Errorf("alone, the lines of %+v are others", cells[i])
		}
	}
	other := *p
	other.Seed = 2
	if lines(t, &other, cells[:1])[0] == first[0] {
		t.Error("another seed gives the same line")
	}
}

// Every run of a safe way is proven exact, keeps the identities (or it would
// end in an error), has no figure that is no number, and one client alone meets
// no conflict.
func TestEveryCellIsSound(t *testing.T) {
	p := grid("watch", "watch-pipelined", "lua", "eval", "function", "cas", "cas-lua", "lock", "atomic")
	p.Thinks = []time.Duration{0, 300 * time.Microsecond}
	p.ScriptTimeIsDecision = true
	cells := cellsOf(t, p)
	conflicts := int64(0)
	for _, line := range lines(t, p, cells) {
		var r results.Run
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Audit == nil || r.Audit.Verdict != results.AuditExact || r.Partial {
			t.Errorf("%+v: audit %v, partial %v", r.Cell, r.Audit, r.Partial)
		}
		if r.Clients == 1 && r.Conflicts > 0 {
			t.Errorf("%+v: %d conflicts alone", r.Cell, r.Conflicts)
		}
		if differing := r.Disagreements(); !r.Witnessed() || differing != nil {
			t.Errorf("%+v: the server counted otherwise: %v", r.Cell, differing)
		}
		conflicts += r.Conflicts
	}
	if conflicts == 0 {
		t.Error("nobody met a conflict")
	}
}

func TestWrongLoopsAreCaught(t *testing.T) {
	for _, name := range []string{"unsafe", "nil-as-success", "no-rewatch", "read-before-watch", "unlock-by-del"} {
		c := cell(name, 8, 1)
		c.DecisionNS = int64(time.Millisecond)
		if kind, _ := strategies.All.Get(name); kind.Retries {
			c.Backoff = "none"
		}
		r, err := Trial(plan(50*time.Millisecond), c, 0, reference)
		if err != nil {
			t.Fatal(err)
		}
		if r.Audit.Verdict != results.AuditLost {
			t.Errorf("%s: audit %s", name, r.Audit)
		}
	}
}

// With delays that are all alike one client wins every time.
func TestConstantDelaysLockPhases(t *testing.T) {
	constant := *reference
	constant.Network.Jitter.Shape = profile.ShapeConstant
	c := cell("watch-pipelined", 8, 1)
	c.DecisionNS = int64(time.Millisecond)
	r, err := Trial(plan(500*time.Millisecond), c, 0, &constant)
	if err != nil {
		t.Fatal(err)
	}
	if r.Fairness == nil || math.Abs(*r.Fairness-0.125) > 1e-9 {
		t.Errorf("Jain index %v, want 0.125", *r.Fairness)
	}
}

// A script of d caps its server at 1/(s + d), n servers at n times as much. One
// of twice the speed takes half of s, and d as asked for.
func TestCaps(t *testing.T) {
	for _, v := range []struct {
		shards    int
		speed     float64
		want, off float64
	}{
		{0, 0, 1 / 1.002e-3, 0.002}, {0, 2, 1 / 1.001e-3, 0.002},
		{4, 0, 4 / 1.002e-3, 0.02}, // slots do not share 1000 keys out evenly
	} {
		c := cell("lua", 200, 1000)
		c.ScriptTimeNS, c.Shards, c.ServerSpeed = int64(time.Millisecond), v.shards, v.speed
		p := plan(2 * time.Second)
		p.Warmup = time.Second
		r, err := Trial(p, c, 0, reference)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Goodput(); math.Abs(got/v.want-1) > v.off {
			t.Errorf("%d shards at speed %v: %.1f/s, want %.1f", v.shards, v.speed, got, v.want)
		}
		if r.Audit.Verdict != results.AuditExact {
			t.Errorf("%d shards: audit %s", v.shards, r.Audit)
		}
	}
}

// Saturated, a server does exactly one script in s + d, however it is called: not
// one more and none less, with s as profiled and d as asked for, or as it was on a
// machine.
func TestScriptTimeIsExact(t *testing.T) {
	const s, d = 2 * time.Microsecond, time.Millisecond
	for _, strategy := range []string{"lua", "eval", "function", "evalsha-bare"} {
		for name, m := range map[string]*Machine{
			"asked for": nil,
			"achieved":  {Cores: 100, Apart: true, ScriptTime: 1234 * time.Microsecond},
		} {
			want := d
			if m != nil {
				want = m.ScriptTime
			}
			c := cell(strategy, 20, 1)
			c.ScriptTimeNS = int64(d)
			p := plan(1000 * (s + want))
			p.Warmup = time.Second
			r, err := newSimulator(p, nil).trial(c, 0, reference, m)
			if err != nil {
				t.Fatal(err)
			}
			if r.Committed < 999 || r.Committed > 1001 {
				t.Errorf("%s, %s: %d ops committed in the time of 1000", strategy, name, r.Committed)
			}
			a := r.Achieved.ScriptTimeNS
			if a == nil || a.P50 != int64(want) || a.P99 != a.P50 || a.Mean != a.P50 || a.Quantiles[0] != a.P50 {
				t.Errorf("%s, %s: achieved %+v, want %v", strategy, name, a, want)
			}
			if r.Server.CPUNS == nil || r.Whole.Nested == nil {
				t.Errorf("%s, %s: no server time", strategy, name)
			}
		}
	}
}

// One op alone takes d longer, to the nanosecond; those that have no script of a
// workload's, or no script time, take what they took.
func TestScriptTimeIsTheWorkloads(t *testing.T) {
	for _, strategy := range []string{"lua", "eval", "function", "cas-lua", "lock"} {
		kind, _ := strategies.All.Get(strategy)
		var spent [2]time.Duration
		for i, d := range []time.Duration{0, 100 * time.Millisecond} {
			p := plan(time.Hour)
			p.Strategies, p.Workloads, p.Clients, p.Keys, p.Dists = []string{strategy}, []string{"counter"}, []int{1}, []int{1}, []string{"uniform"}
			p.Backoffs, p.MaxTries, p.RTTs, p.Decisions, p.Thinks = []string{"none"}, []int{0}, []time.Duration{0}, []time.Duration{0}, []time.Duration{0}
			p.Skews, p.Hots = []float64{0}, []contention.Hot{{Share: 0.5, Keys: 1}}
			p.Ops, p.Warmup, p.ScriptTimes = 1, 0, []time.Duration{d}
			r, err := Trial(p, cellsOf(t, p)[0], 0, reference)
			if err != nil {
				t.Fatal(err)
			}
			spent[i] = time.Duration(r.Whole.ElapsedNS)
			if (r.Achieved.ScriptTimeNS != nil) != (kind.Scripts && d > 0) {
				t.Errorf("%s of %v: achieved %+v", strategy, d, r.Achieved.ScriptTimeNS)
			}
		}
		want := map[bool]time.Duration{true: 100 * time.Millisecond}[kind.Scripts]
		if got := spent[1] - spent[0]; got != want || spent[0] == 0 {
			t.Errorf("%s takes %v longer, want %v", strategy, got, want)
		}
	}
}

// A lock that expires under its holder is told as such, the holder's update
// counts as acknowledged, and the audit finds what it has cost.
func TestLockThatExpires(t *testing.T) {
	for decision, expires := range map[time.Duration]bool{9 * time.Second: false, 11 * time.Second: true} {
		c := cell("lock", 4, 1)
		c.Backoff, c.BackoffBaseNS, c.BackoffCapNS = "full", int64(10*time.Millisecond), int64(100*time.Millisecond)
		c.DecisionNS = int64(decision)
		r, err := Trial(plan(5*time.Minute), c, 0, reference)
		if err != nil {
			t.Fatal(err)
		}
		notes := r.Notes[string(strategies.NoteLockExpired)]
		if (notes > 0) != expires || (r.Audit.Verdict == results.AuditLost) != expires || r.Audit.Acknowledged < r.Committed {
			t.Errorf("a decision of %v: %d locks expired, audit %s (%s), %d committed", decision, notes, r.Audit.Verdict, r.Audit, r.Committed)
		}
	}
}

// Whatever a plan may ask for ends well: times of a minute, servers of a
// thousandth of the speed, windows of a microsecond, a warm-up that is longer
// than the window.
func TestEdgesOfAPlan(t *testing.T) {
	minute := int64(time.Minute)
	for what, c := range map[string]struct {
		strategy      string
		clients       int
		warm, measure time.Duration
		change        func(*results.Cell)
	}{
		"rtt of a minute":        {"watch", 4, 0, time.Hour, func(c *results.Cell) { c.RTTNS = minute }},
		"script of a minute":     {"lua", 64, 0, 2 * time.Hour, func(c *results.Cell) { c.ScriptTimeNS = minute }},
		"a slow server":          {"atomic", 1000, 0, time.Second, func(c *results.Cell) { c.ServerSpeed = 0.001 }},
		"think of a minute":      {"watch", 3, 0, time.Hour, func(c *results.Cell) { c.ThinkNS = minute }},
		"a window of 1 us":       {"lua", 100, 0, time.Microsecond, func(*results.Cell) {}},
		"give up at once":        {"watch", 50, 0, time.Second, func(c *results.Cell) { c.MaxTries = 1 }},
		"most of it in back-off": {"watch", 64, 0, time.Second, func(c *results.Cell) { c.Backoff, c.BackoffBaseNS, c.BackoffCapNS = "exp", 1e9, minute }},
		"a long warm-up": {"watch", 2, 50 * time.Second, time.Second, func(c *results.Cell) {
			c.Backoff, c.BackoffBaseNS, c.BackoffCapNS = "decorrelated", 1e6, 1e8
		}},
	} {
		t.Run(what, func(t *testing.T) {
			p := plan(c.measure)
			p.Warmup = c.warm
			cell := cell(c.strategy, c.clients, 1)
			c.change(&cell)
			r, err := Trial(p, cell, 0, reference)
			if err != nil {
				t.Fatal(err)
			}
			if r.Partial || r.Audit.Verdict != results.AuditExact {
				t.Errorf("partial %v, audit %s, %q", r.Partial, r.Audit, r.Warnings)
			}
		})
	}
}

func TestHerd(t *testing.T) {
	p := plan(0)
	p.Herd, p.Warmup = true, 0
	c := cell("watch-pipelined", 50, 1)
	c.Herd = true
	r, err := Trial(p, c, 0, reference)
	if err != nil {
		t.Fatal(err)
	}
	if r.Committed != 50 || r.Unfinished != 0 || r.Audit.Acknowledged != 50 || r.AttemptsByAttempt.At(1) != 50 {
		t.Errorf("%d committed, %d unfinished, %d first attempts", r.Committed, r.Unfinished, r.AttemptsByAttempt.At(1))
	}
	// The longest op ends when the herd is through.
	if longest := r.Latency.Max(); math.Abs(float64(longest)/float64(r.ElapsedNS)-1) > 0.002 {
		t.Errorf("through after %v, the longest op took %v", time.Duration(r.ElapsedNS), longest)
	}
}

// One client's exchange takes exactly what the profile says.
func TestCostsAddUp(t *testing.T) {
	p := &profile.Profile{
		Server: profile.Server{ExchangeNS: 7000, CommandNS: 100, CommandsNS: map[string]float64{"EVALSHA": 5000, "GET": 300}, NestedNS: 50},
		Network: profile.Network{
			BaseNS: profile.Constant(20_000), Jitter: profile.Jitter{Shape: profile.ShapeConstant},
		},
	}
	for strategy, want := range map[string]time.Duration{
		"atomic":          20_000 + 7000 + 100,
		"lua":             20_000 + 7000 + 5000 + 2*50,
		"watch":           3*(20_000+7000) + 100 + 300 + 3*100,
		"watch-pipelined": 2*(20_000+7000) + 100 + 300 + 3*100,
	} {
		c := cell(strategy, 1, 1)
		c.RTTNS = 0
		r, err := Trial(plan(10*time.Millisecond), c, 0, p)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Latency.Max(); math.Abs(float64(got-want)) > float64(want)/1000 {
			t.Errorf("%s: an op takes %v, want %v", strategy, got, want)
		}
	}
}

// The cores that clients and server share cap them together.
func TestMachineIsAResource(t *testing.T) {
	p := *reference
	s := newSimulator(plan(200*time.Millisecond), nil)
	c := cell("atomic", 64, 1)
	c.RTTNS = 0
	for _, m := range []struct {
		machine Machine
		want    float64
	}{
		{Machine{Cores: 2, ExchangeNS: 20_000}, 2 / 22e-6},              // both cores busy
		{Machine{Cores: 1, ExchangeNS: 20_000}, 1 / 22e-6},              // one core does it all
		{Machine{Cores: 2, Apart: true, ExchangeNS: 20_000}, 2 / 20e-6}, // the server is elsewhere
		{Machine{Cores: 64, ExchangeNS: 20_000}, 1 / 2e-6},              // the server is the limit
	} {
		r, err := s.trial(c, 0, &p, &m.machine)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Goodput(); math.Abs(got/m.want-1) > 0.01 {
			t.Errorf("%+v: %.0f/s, want %.0f", m.machine, got, m.want)
		}
	}
}

// Waits last as long as they did on the machine, and so does the network.
func TestAchievedTimesAreInputs(t *testing.T) {
	s := newSimulator(plan(200*time.Millisecond), nil)
	c := cell("watch-pipelined", 1, 1)
	c.RTTNS, c.DecisionNS = int64(time.Millisecond), int64(time.Millisecond)
	m := &Machine{Cores: 2, Late: profile.Constant(100_000), RTT: profile.Constant(1_500_000)}
	r, err := s.trial(c, 0, reference, m)
	if err != nil {
		t.Fatal(err)
	}
	want := 2*1500*time.Microsecond + 1100*time.Microsecond + 10*time.Microsecond
	if got := r.Latency.Max(); math.Abs(float64(got-want)) > float64(want)/1000 {
		t.Errorf("an op takes %v, want %v", got, want)
	}
	if a := r.Achieved; a.RTTNS.P50/1000 != 1500 || a.DecisionNS.P50/1000 != 1100 {
		t.Errorf("achieved %+v and %+v", a.RTTNS, a.DecisionNS)
	}
}

// A connection that is cut ends its client's wait at once.
func TestCut(t *testing.T) {
	w := New(Config{Profile: reference}, 1)
	conn, err := w.Dial(0)
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	w.Alarm(time.Second, conn.Cut)
	w.Run(func() {
		session, _ := conn.Session("k")
		hour := strconv.FormatInt(int64(time.Hour), 10)
		_, failed = session.Exchange(resp.Cmd{"EVALSHA", scripts.MustGet("counter").Spinning().SHA1, "1", "k", "1", hour})
	})
	if failed == nil || w.Now() != time.Second {
		t.Errorf("ended at %v with %v", w.Now(), failed)
	}
	if _, err := conn.Session("k"); err == nil {
		t.Error("a cut connection came back")
	}
}

func TestCancelledAlarmsStaySilent(t *testing.T) {
	w := New(Config{Profile: reference}, 1)
	conn, _ := w.Dial(0)
	rang := 0
	cancel := w.Alarm(time.Millisecond, func() { rang++ })
	w.Alarm(2*time.Millisecond, func() { rang += 10 })
	w.Alarm(time.Hour, func() { rang += 100 }) // after all have gone
	cancel()
	w.Run(func() {
		session, _ := conn.Session("")
		session.Hold(time.Second)
	})
	if rang != 10 || w.Now() != time.Second {
		t.Errorf("alarms %d, ended at %v", rang, w.Now())
	}
}

func TestRunStops(t *testing.T) {
	p := grid("atomic")
	cells := cellsOf(t, p)
	stop := make(chan struct{})
	seen := 0
	err := Run(p, Jobs(0, 100, cells), reference, stop, func(i int, r *results.Run) error {
		if seen++; seen == 3 {
			close(stop)
		}
		return nil
	})
	if !errors.Is(err, engine.ErrInterrupted) || seen < 3 {
		t.Errorf("%v after %d runs", err, seen)
	}
	// A stop in the last of the trials is a stop too.
	stop = make(chan struct{})
	long := plan(24 * time.Hour)
	time.AfterFunc(20*time.Millisecond, func() { close(stop) })
	err = Run(long, []Job{{Cell: cell("atomic", 1, 1)}}, reference, stop, func(_ int, r *results.Run) error {
		if !r.Partial {
			t.Error("the trial that was stopped is whole")
		}
		return nil
	})
	if !errors.Is(err, engine.ErrInterrupted) {
		t.Errorf("stopped in the only trial: %v", err)
	}
	full := errors.New("disk full")
	err = Run(p, Jobs(0, 100, cells), reference, nil, func(i int, r *results.Run) error {
		if i == 2 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) {
		t.Errorf("%v, want the sink's error", err)
	}
}

// Keys of the cluster specification and of redis-cli CLUSTER KEYSLOT.
func TestSlots(t *testing.T) {
	for key, want := range map[string]uint16{
		"123456789": 0x31c3, "foo": 12182, "{user1000}.following": 3443, "{user1000}.followers": 3443,
		"foo{}{bar}": 8363, "foo{{bar}}zap": 4015, "": 0,
	} {
		if got := slot(key); got != want%slots {
			t.Errorf("slot of %q is %d, want %d", key, got, want%slots)
		}
	}
	seen := map[int]int{}
	for i := range 10_000 {
		seen[shard(fmt.Sprintf("p:{%d}", i), 3)]++
	}
	if len(seen) != 3 || seen[0] < 3000 || seen[1] < 3000 || seen[2] < 3000 {
		t.Errorf("10 000 keys on 3 servers: %v", seen)
	}
}

func TestQueueOrder(t *testing.T) {
	rng := contention.Stream(1, 0, contention.Network)
	var q queue
	var want []event
	for range 2000 {
		at := time.Duration(rng.IntN(50))
		want = append(want, event{at: at, made: q.made})
		q.push(at, wake, 0)
		if rng.IntN(3) == 0 {
			slices.SortFunc(want, func(a, b event) int {
				if a.before(&b) {
					return -1
				}
				return 1
			})
			if got := q.pop(); got.at != want[0].at || got.made != want[0].made {
				t.Fatalf("got %+v, want %+v", got, want[0])
			}
			want = want[1:]
		}
	}
}

func TestFifo(t *testing.T) {
	var f fifo[int]
	in, out := 0, 0
	rng := contention.Stream(2, 0, contention.Network)
	for range 5000 {
		if f.len() > 0 && rng.IntN(2) == 0 {
			if got := f.pop(); got != out {
				t.Fatalf("got %d, want %d", got, out)
			}
			out++
			continue
		}
		f.push(in)
		in++
	}
	if f.len() != in-out {
		t.Errorf("%d left, want %d", f.len(), in-out)
	}
}
