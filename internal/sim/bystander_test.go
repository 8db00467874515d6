package sim

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/internal/model"
	"rmwbench/internal/profile"
	"rmwbench/results"
)

// beside is a cell with bystanders.
func beside(c results.Cell, n int, closed bool) results.Cell {
	c.Bystanders, c.BystandersClosed = n, closed
	return c
}

// script is a cell of clients that each keep the server for a time.
func script(clients int, d time.Duration) results.Cell {
	c := cell("lua", clients, 1)
	c.ScriptTimeNS = int64(d)
	return c
}

// looped is the reference system with a server that works in rounds.
var looped = func() *profile.Profile {
	p := *reference
	p.Server.Rounds = true
	return &p
}()

func tried(t *testing.T, p *engine.Plan, c results.Cell) *results.Run {
	t.Helper()
	r, err := Trial(p, c, 0, looped)
	if err != nil {
		t.Fatal(err)
	}
	if r.Partial || r.Audit.Verdict != results.AuditExact || len(r.Warnings) > 0 || !r.Witnessed() || r.BystanderFailed > 0 {
		t.Errorf("%+v: partial %v, audit %s, witnessed %v, warnings %q, %d reads failed",
			c, r.Partial, r.Audit, r.Witnessed(), r.Warnings, r.BystanderFailed)
	}
	return r
}

// The law of the turn: while C clients keep the server busy with scripts of d, B
// closed readers get B/(C d) together.
func TestClosedBystandersGetOneTurnInEachRound(t *testing.T) {
	for _, readers := range []int{1, 4, 16} {
		for _, clients := range []int{2, 4, 16} {
			for _, d := range []time.Duration{time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond} {
				c := beside(script(clients, d), readers, true)
				r := tried(t, plan(300*time.Duration(clients)*d), c)
				got := float64(r.BystanderReads) / time.Duration(r.ElapsedNS).Seconds()
				want := model.BystanderLimit(readers, clients, d.Seconds())
				if math.Abs(got/want-1) > 0.03 {
					t.Errorf("%d readers beside %d clients of %v: %.1f/s, want %.1f/s", readers, clients, d, got, want)
				}
				if got := r.Goodput(); math.Abs(got*d.Seconds()-1) > 0.03 {
					t.Errorf("%d readers cost %d clients of %v their rate: %.1f/s", readers, clients, d, got)
				}
			}
		}
	}
}

// A paced reader that has always something to send waits for the rest of the
// round under way and for the next one: its latencies are spread evenly between
// one round and two.
func TestPacedBystandersWaitForOneRoundOrTwo(t *testing.T) {
	for _, c := range []struct {
		clients int
		script  time.Duration
	}{{16, 5 * time.Millisecond}, {4, 20 * time.Millisecond}, {100, time.Millisecond}} {
		round := time.Duration(c.clients) * c.script
		r := tried(t, plan(400*round), beside(script(c.clients, c.script), 3, false))
		if got, want := r.BystanderReads, 3*400*float64(round)/float64(5*time.Millisecond); math.Abs(float64(got)/want-1) > 0.03 {
			t.Errorf("%+v: %d reads, want %.0f", c, got, want)
		}
		for q, want := range map[float64]float64{0.1: 1.1, 0.5: 1.5, 0.9: 1.9} {
			got, ok := r.BystanderLatency.Quantile(q)
			if !ok || math.Abs(float64(got)/float64(round)-want) > 0.03*want {
				t.Errorf("%+v: quantile %v is %v, want %v rounds of %v", c, q, got, want, round)
			}
		}
		if most := r.BystanderLatency.Max(); float64(most) > 2.1*float64(round) {
			t.Errorf("%+v: a read took %v", c, most)
		}
	}
}

// Beside a load that leaves the server idle a read takes what it takes alone.
func TestBystandersOfAnIdleServer(t *testing.T) {
	constant := *reference
	constant.Network.Jitter.Shape = "constant"
	for _, closed := range []bool{false, true} {
		r, err := Trial(plan(2*time.Second), beside(cell("atomic", 1, 1), 2, closed), 0, &constant)
		if err != nil {
			t.Fatal(err)
		}
		if p50, ok := r.BystanderLatency.Quantile(0.5); !ok || p50 < 201*time.Microsecond || p50 > 205*time.Microsecond {
			t.Errorf("closed %v: %v, want 202µs", closed, p50)
		}
		reads := 2 * 2 / 0.005
		if closed {
			reads = 2 * 2 / 202e-6
		}
		if math.Abs(float64(r.BystanderReads)/reads-1) > 0.05 {
			t.Errorf("closed %v: %d reads, want %.0f", closed, r.BystanderReads, reads)
		}
	}
}

// Bystanders are beside the load: no count of ops, attempts, exchanges, bytes,
// fairness or delays has them in it, and the clients meet the same keys.
func TestBystandersAreNoClients(t *testing.T) {
	p := plan(0)
	p.Warmup, p.Ops = 0, 300
	c := cell("atomic", 1, 20)
	c.DecisionNS = int64(time.Millisecond)
	alone := tried(t, p, c)
	for _, closed := range []bool{false, true} {
		r := tried(t, p, beside(c, 5, closed))
		if r.BystanderReads == 0 || r.Whole.Commands["get"] < r.BystanderReads || r.Server.Commands["get"].Calls != r.Whole.Commands["get"] {
			t.Errorf("%d reads, %d sent, %d served", r.BystanderReads, r.Whole.Commands["get"], r.Server.Commands["get"].Calls)
		}
		if r.ElapsedNS > alone.ElapsedNS*11/10 {
			t.Errorf("elapsed %v, alone %v", r.ElapsedNS, alone.ElapsedNS)
		}
		same := func(r *results.Run) []any {
			return []any{
				r.Seed, r.Committed, r.Attempts, r.Exchanges, r.BytesOut, r.BytesIn, *r.Fairness, r.Achieved.RTTNS,
				r.Whole.Attempts, r.Whole.Exchanges, r.Whole.Commands["incrby"], *r.Audit,
			}
		}
		if got, want := same(r), same(alone); !reflect.DeepEqual(got, want) {
			t.Errorf("closed %v: got %v\nalone %v", closed, got, want)
		}
	}
	if alone.BystanderLatency != nil || alone.BystanderReads != 0 {
		t.Error("reads of nobody")
	}
}

// In a sharded system bystanders are on the servers of the load, the hottest
// key's first.
func TestBystandersFeelTheServersOfTheLoad(t *testing.T) {
	const d = 5 * time.Millisecond
	c := beside(script(8, d), 3, true)
	c.Shards = 7
	r := tried(t, plan(4*time.Second), c)
	if got, want := float64(r.BystanderReads)/4, model.BystanderLimit(3, 8, d.Seconds()); math.Abs(got/want-1) > 0.03 {
		t.Errorf("%.1f/s, want %.1f/s: there are readers on idle servers", got, want)
	}
}

// With bystanders too, a seed gives the same lines on one core and on many, and
// every way keeps the identities, or it would end in an error.
func TestRunsWithBystandersAreSoundAndReproducible(t *testing.T) {
	for _, b := range []contention.Bystanders{{Clients: 3}, {Clients: 2, Closed: true}} {
		p := grid("watch", "lua", "lock", "atomic")
		p.Workloads, p.Dists, p.Clients = []string{"counter", "debit"}, []string{"zipf"}, []int{20}
		p.Thinks, p.Bystanders, p.Trials = []time.Duration{300 * time.Microsecond}, b, 1
		p.ScriptTimes = []time.Duration{0, time.Millisecond}
		cells := cellsOf(t, p)
		first := linesOn(t, looped, p, cells)
		reads := int64(0)
		for _, line := range first {
			var r results.Run
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if r.Audit == nil || r.Audit.Verdict != results.AuditExact || r.Partial || r.Bystanders != b.Clients || r.BystandersClosed != b.Closed {
				t.Errorf("%+v: audit %v, partial %v", r.Cell, r.Audit, r.Partial)
			}
			if differing := r.Disagreements(); !r.Witnessed() || differing != nil {
				t.Errorf("%+v: the server counted otherwise: %v", r.Cell, differing)
			}
			reads += r.BystanderReads
		}
		if reads == 0 {
			t.Error("nobody read")
		}
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			if again := linesOn(t, looped, p, cells); !slices.Equal(first, again) {
				t.Error("on one core the lines are others")
			}
		}()
	}
}

// Bystanders end with the load, whatever ends it.
func TestBystandersEndWithTheLoad(t *testing.T) {
	for _, closed := range []bool{false, true} {
		for what, change := range map[string]func(*engine.Plan, *results.Cell){
			"ops":      func(p *engine.Plan, c *results.Cell) { p.Duration, p.Warmup, p.Ops = 0, 0, 40 },
			"ops soon": func(p *engine.Plan, c *results.Cell) { p.Warmup, p.Ops = 0, 40 },
			"a herd":   func(p *engine.Plan, c *results.Cell) { p.Duration, p.Warmup, p.Herd, c.Herd = 0, 0, true, true },
		} {
			t.Run(fmt.Sprint(what, closed), func(t *testing.T) {
				p, c := plan(time.Hour), beside(script(8, 5*time.Millisecond), 2, closed)
				change(p, &c)
				r := tried(t, p, c)
				ops := int64(40)
				if c.Herd {
					ops = 8
				}
				if length := time.Duration(r.ElapsedNS); r.Committed != ops || math.Abs(length.Seconds()/(float64(ops)*0.005)-1) > 0.03 {
					t.Errorf("%d committed in %v", r.Committed, length)
				}
				if over := time.Duration(r.Whole.ElapsedNS - r.ElapsedNS); over > 200*time.Millisecond {
					t.Errorf("over %v after the load", over)
				}
				if closed && math.Abs(float64(r.BystanderReads)-2*float64(ops)/8) > 2 {
					t.Errorf("%d reads in %d rounds", r.BystanderReads, ops/8)
				}
			})
		}
	}
}
