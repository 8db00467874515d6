package gates

import (
	"flag"
	"math"
	"sync"
	"testing"

	"rmwbench/internal/model"
	"rmwbench/internal/profile"
)

var full = flag.Bool("gates.full", false, "hold the simulator to the gates on the whole grid, for some minutes")

// longer is how much longer trials are on the whole grid.
func longer() float64 {
	if *full {
		return 2
	}
	return 1
}

// grid is all points of the reference simulation.
func grid() (points []point) {
	for _, p := range settings() {
		for p.clients = 1; p.clients <= 256; p.clients *= 2 {
			points = append(points, p)
		}
	}
	return points
}

// settings is the grid but for the clients.
func settings() (points []point) {
	for _, decision := range []float64{0, 1000} {
		for _, keys := range []int{1, 10, 100, 1000} {
			for _, skew := range []float64{0, 0.99} {
				if keys > 1 || skew == 0 {
					points = append(points, point{decision: decision, keys: keys, skew: skew})
				}
			}
		}
	}
	return points
}

// oracle foretells what a point comes to with a kind of loop.
type oracle func(keys model.Keys, clients int, decision float64, l loop) prediction

// optimistic simulates a way with retries, for as many commits as tell the
// goodput to about half a percent, or to 1.5 % where keys differ. There the
// commits on the hottest key, q of all, decide: the relative variance of n
// commits is about 1/(q n). On one key without back-off it falls with the
// clients, as commits become periodic.
//
// The warm-up is twenty times what an op takes on average, C/X; on one key
// without back-off nothing but windows has to settle.
func optimistic(t *testing.T, w way, keys model.Keys, expected prediction, l loop) prediction {
	t.Helper()
	perUS := expected.goodput / 1e6
	commits, warmup := 10_000*longer(), 20*float64(w.clients)/perUS
	switch {
	case w.skew > 0:
		commits *= 0.5 / keys[0].Mass
	case w.keys == 1 && w.backoff == "none":
		commits *= min(1, 16/float64(w.clients))
		warmup = min(warmup, 100*l.attempt(w.decision, l.wait(w.clients, w.decision)))
	}
	return found(simulate(t, w.plan(warmup, commits/perUS), 0, jittered))
}

// bounds are those of a gate.
type bounds struct {
	each, mean float64 // relative error of X
	p          float64 // error of p
	pFrom      int     // clients from which p is held to it
}

var (
	withoutBackoff = bounds{each: 0.08, mean: 0.025, p: 0.06}
	fullJitter     = bounds{each: 0.12, mean: 0.03, p: 0.07, pFrom: 8}
)

// errorsOf collects what points that run in parallel find.
type errorsOf struct {
	mu       sync.Mutex
	n        int
	sum      float64 // of the errors of X, without their signs
	x, p     float64 // the largest
	atX, atP point
}

func (e *errorsOf) addX(at point, err float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.n++
	e.sum += math.Abs(err)
	if math.Abs(err) >= e.x {
		e.x, e.atX = math.Abs(err), at
	}
}

func (e *errorsOf) addP(at point, err float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if math.Abs(err) >= e.p {
		e.p, e.atP = math.Abs(err), at
	}
}

func (e *errorsOf) mean() float64 { return e.sum / float64(e.n) }

// hold simulates points and holds them against an oracle.
func hold(t *testing.T, name string, strategy, backoff string, l loop, o oracle, b bounds) {
	var all errorsOf
	t.Run("points", func(t *testing.T) {
		for _, p := range points() {
			t.Run(p.String(), func(t *testing.T) {
				t.Parallel()
				keys := keysOf(p.keys, p.skew)
				want := o(keys, p.clients, p.decision, l)
				got := optimistic(t, way{p, strategy, backoff}, keys, want, l)
				x, dp := want.goodput/got.goodput-1, want.p-got.p
				t.Logf("simulated X %.0f, p %.4f; %s X %.0f (%+.2f %%), p %.4f (%+.4f)", got.goodput, got.p, name, want.goodput, 100*x, want.p, dp)
				if all.addX(p, x); math.Abs(x) > b.each {
					t.Errorf("X: %s is off by %.2f %%", name, 100*x)
				}
				if p.clients < b.pFrom {
					return
				}
				if all.addP(p, dp); math.Abs(dp) > b.p {
					t.Errorf("p: %s is off by %.3f", name, dp)
				}
			})
		}
	})
	t.Logf("%s, %d points: X off by %.2f %% on average, at worst by %.2f %% (%v); p at worst by %.3f (%v)",
		name, all.n, 100*all.mean(), 100*all.x, all.atX, all.p, all.atP)
	if all.mean() > b.mean {
		t.Errorf("%s: X off by %.2f %% on average", name, 100*all.mean())
	}
}

// points are those of the grid, or a sample of them: every 17th.
func points() (sample []point) {
	if *full {
		return grid()
	}
	for i, p := range grid() {
		if i%17 == 12 {
			sample = append(sample, p)
		}
	}
	return sample
}

func TestWithoutBackoff(t *testing.T) {
	hold(t, "M5", "watch-pipelined", "none", pipelined, firstCompletion, withoutBackoff)
}

func TestWithoutBackoffNotPipelined(t *testing.T) {
	hold(t, "M5", "watch", "none", plain, firstCompletion, withoutBackoff)
}

func TestFullJitter(t *testing.T) {
	hold(t, "M8", "watch-pipelined", "full", pipelined, meanField, fullJitter)
}

// The points of which figures of the independent simulation were kept. p is to
// three digits, and ours has a standard error of up to 0.002.
func TestAgainstIndependentSimulation(t *testing.T) {
	for _, r := range references {
		w, o := way{r.point, "watch-pipelined", "none"}, firstCompletion
		if r.full {
			w.backoff, o = "full", meanField
		}
		t.Run(w.point.String()+" "+w.backoff, func(t *testing.T) {
			t.Parallel()
			keys := keysOf(r.keys, r.skew)
			expected := o(keys, r.clients, r.decision, pipelined)
			got := optimistic(t, w, keys, expected, pipelined)
			t.Logf("X %.0f, reference %.0f (%+.2f %%); p %.4f, reference %.3f", got.goodput, r.goodput, 100*(got.goodput/r.goodput-1), got.p, r.p)
			if math.Abs(got.goodput-r.goodput) > r.within {
				t.Errorf("X = %.0f, the reference is %v +- %v", got.goodput, r.goodput, r.within)
			}
			if r.p != unknown && math.Abs(got.p-r.p) > 0.007 {
				t.Errorf("p = %.4f, the reference is %v", got.p, r.p)
			}
		})
	}
}

// One client alone never conflicts, and X = 1/A but for chance: A has a
// variance of theta^2 for each way.
func TestOneClient(t *testing.T) {
	for _, p := range settings() {
		p.clients = 1
		for strategy, l := range map[string]loop{"watch-pipelined": pipelined, "watch": plain} {
			t.Run(strategy+", "+p.String(), func(t *testing.T) {
				t.Parallel()
				a := l.attempt(p.decision, 0)
				ops := 5000 * longer()
				run := simulate(t, way{p, strategy, "full"}.plan(20*a, ops*a), 0, jittered)
				if run.Conflicts != 0 || run.Attempts != run.Committed {
					t.Errorf("%d conflicts, %d attempts for %d commits", run.Conflicts, run.Attempts, run.Committed)
				}
				deviation := spread * math.Sqrt(2*l.exchanges) / a / math.Sqrt(ops)
				near(t, "X", run.Goodput(), 1e6/a, 4*deviation)
			})
		}
	}
}

// A script and a single command are customers of one queue, which mean value
// analysis describes but for a hair: its service is constant.
func TestScriptAndAtomic(t *testing.T) {
	clients, ways := []int{1, 16, 64, 256}, []way{
		{point{0, 1000, 0, 0}, "atomic", "none"},
		{point{1000, 10, 0, 0}, "lua", "none"},
	}
	if *full {
		clients, ways = []int{1, 2, 4, 8, 16, 32, 64, 128, 256}, append(ways, way{point{0, 100, 0.99, 0}, "lua", "none"})
	}
	var all errorsOf
	t.Run("points", func(t *testing.T) {
		for _, c := range clients {
			for _, w := range ways {
				w.clients = c
				t.Run(w.strategy+", "+w.point.String(), func(t *testing.T) {
					t.Parallel()
					// One exchange deviates by sqrt(2) theta: its mean over so
					// many ops by 0.1 % of what it takes.
					service := command + w.decision
					deviation := math.Sqrt2 * spread / (roundTrip + service)
					ops := math.Pow(deviation/0.001, 2) * longer()
					want := model.Queue(c, roundTrip, service, 0).Throughput
					run := simulate(t, w.plan(20*float64(c)/want, max(ops, 5000)/want), 0, jittered)
					x := want*1e6/run.Goodput() - 1
					t.Logf("simulated X %.1f, MVA %.1f (%+.3f %%)", run.Goodput(), want*1e6, 100*x)
					if all.addX(w.point, x); run.Conflicts != 0 || math.Abs(x) > 0.005 {
						t.Errorf("%d conflicts; MVA is off by %.2f %%", run.Conflicts, 100*x)
					}
				})
			}
		}
	})
	t.Logf("MVA, %d points: X off by %.3f %% on average, at worst by %.3f %% (%v)", all.n, 100*all.mean(), 100*all.x, all.atX)
}

// Delays that are all alike lock the clients in phase: one wins every time, and
// Jain's index is 1/C.
func TestConstantDelays(t *testing.T) {
	w := way{point{1000, 1, 0, 8}, "watch-pipelined", "none"}
	constant := builtIn("ideal")
	constant.Network.Jitter.Shape = profile.ShapeConstant
	run := simulate(t, w.plan(100_000, 1_000_000), 0, constant)
	if run.Committed == 0 || run.Fairness == nil {
		t.Fatalf("%d commits, fairness %v", run.Committed, run.Fairness)
	}
	near(t, "Jain's index", *run.Fairness, 0.125, 1e-9)
}
