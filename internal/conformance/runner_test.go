package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// plan is a small experiment with bounded ops, so that tests assert counts and
// not times.
func plan(names ...string) *engine.Plan {
	return &engine.Plan{
		Strategies: names, Workloads: workloads.Ungrouped(), Clients: []int{1, 8}, Keys: []int{1},
		Dists: []string{"uniform"}, Skews: []float64{0}, Hots: []contention.Hot{{Share: 0.5, Keys: 1}},
		Decisions: []time.Duration{0}, Thinks: []time.Duration{0}, RTTs: []time.Duration{0},
		Backoffs: []string{"none"}, MaxTries: []int{0}, BackoffBase: time.Millisecond, BackoffCap: time.Millisecond,
		Ops: 400, Trials: 1, Seed: 1, Prefix: "rmwbench:conformance:",
	}
}

// execute runs a plan and answers its runs and the error it ended with.
func execute(t *testing.T, w world, p *engine.Plan, stop <-chan struct{}) ([]results.Run, error) {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	cells, _ := p.Grid(w.facts)
	return executeIn(w, p, cells, stop)
}

// executeIn runs cells of a plan in any world.
func executeIn(w engine.World, p *engine.Plan, cells []results.Cell, stop <-chan struct{}) (runs []results.Run, err error) {
	runner := engine.Runner{
		Plan: p, World: w, Source: results.SourceLive, Cells: cells, Shards: 3, Stop: stop,
		Sink: func(r *results.Run) error { runs = append(runs, *r); return nil },
	}
	err = runner.Run()
	return runs, err
}

// safe lists the strategies that must not lose updates.
func safe() (names []string) {
	for _, name := range strategies.All.Names() {
		if k, _ := strategies.All.Get(name); !k.Control {
			names = append(names, name)
		}
	}
	return names
}

func name(r *results.Run) string {
	return fmt.Sprintf("%s %s %d clients", r.Strategy, r.Workload, r.Clients)
}

// The main promise: under contention nothing is lost, the counts add up, every
// attempt took the promised exchanges, one client alone never conflicts, and
// the server counted the same commands.
func TestRunsOfSafeStrategies(t *testing.T) {
	everyProtocol(t, func(t *testing.T, w world) {
		p := plan(safe()...)
		switch w.name {
		case "simulated":
			p.Clients, p.Keys = []int{1, 64}, []int{4}
		case "redis RESP3":
			p.Clients, p.Keys, p.Ops = []int{1, 64}, []int{4}, 192 // in many runs
		default:
			p.Clients, p.Ops = []int{8}, 120
		}
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		contended := 0
		shapes := map[string]opShapes{}
		for _, name := range p.Workloads {
			shapes[name] = shapesOf(t, w, name)
		}
		for i := range runs {
			r := &runs[i]
			if r.Partial || r.Audit.Verdict != results.AuditExact {
				t.Errorf("%s: partial %v, audit %s (%s)", name(r), r.Partial, r.Audit.Verdict, r.Audit)
			}
			if got := r.Committed + r.Rejected; got != p.Ops || r.Unfinished != 0 {
				t.Errorf("%s: %d ops answered and %d unfinished of %d", name(r), got, r.Unfinished, p.Ops)
			}
			checkIdentities(t, r)
			if r.Clients == 1 && r.Conflicts != 0 {
				t.Errorf("%s: %d conflicts alone", name(r), r.Conflicts)
			}
			if r.Clients > 1 && r.Conflicts > 0 {
				contended++
			}
			checkExchanges(t, r, shapes[r.Workload])
			if w.embedded {
				continue
			}
			if !r.Witnessed() || len(r.Disagreements()) > 0 {
				t.Errorf("%s: witnessed %v, the server disagrees on %v", name(r), r.Witnessed(), r.Disagreements())
			}
			checkServersOwnP(t, r, shapes[r.Workload])
		}
		if contended == 0 {
			t.Error("no run of 8 clients met a conflict: contention was not tried")
		}
		leftovers(t, w)
	})
}

// Values of any size keep what is promised of them, with many keys too, and
// travel whole: once out and once in, however they are written.
func TestSizes(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := plan("watch", "watch-pipelined", "lua", "cas-lua", "lock")
		p.Workloads, p.ValueBytes, p.Clients, p.Keys, p.Ops = []string{"document"}, append(sizes, workloads.MaxSize), []int{1, 4}, []int{1, 9}, 16
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			if r.Audit.Verdict != results.AuditExact || r.Committed != p.Ops || r.Audit.Keys != int64(r.Keys) {
				t.Errorf("%s of %d bytes: %d committed, audit %s of %d keys", name(r), r.ValueBytes, r.Committed, r.Audit, r.Audit.Keys)
			}
			whole := (r.Attempts - r.Notes["noscript"]) * int64(r.ValueBytes)
			if travels := r.Strategy != "lua" && r.Strategy != "lock"; travels && (r.BytesOut < whole || r.BytesIn < whole) {
				t.Errorf("%s of %d bytes: %d attempts sent %d bytes and got %d", name(r), r.ValueBytes, r.Attempts, r.BytesOut, r.BytesIn)
			}
		}
		leftovers(t, w)
	})
}

// checkIdentities holds a run's counts against each other.
func checkIdentities(t *testing.T, r *results.Run) {
	t.Helper()
	var sum int64
	for _, n := range r.Verdicts {
		sum += n
	}
	if sum != r.Attempts {
		t.Errorf("%s: verdicts sum to %d, attempts are %d", name(r), sum, r.Attempts)
	}
	if r.Verdicts["committed"] != r.Committed || r.Latency.Count() != r.Committed || r.AttemptsHistogram.Total() != r.Committed {
		t.Errorf("%s: %d committed, %d by verdict, %d latencies, %d in the histogram of attempts",
			name(r), r.Committed, r.Verdicts["committed"], r.Latency.Count(), r.AttemptsHistogram.Total())
	}
	if other := r.Rejected + r.GaveUp + r.FailedOps() + r.Unknown; r.OtherLatency.Count() != other {
		t.Errorf("%s: %d other latencies of %d other ops", name(r), r.OtherLatency.Count(), other)
	}
	if r.AttemptLatency.Count() != r.Attempts || r.AttemptsByAttempt.Total() != r.Attempts || r.ConflictsByAttempt.Total() != r.Conflicts {
		t.Errorf("%s: attempts by number do not sum to attempts", name(r))
	}
	if answered := r.Committed + r.Rejected; r.Attempts != answered+r.Conflicts {
		t.Errorf("%s: %d attempts, %d answered, %d conflicts", name(r), r.Attempts, answered, r.Conflicts)
	}
}

// checkExchanges holds a run to its strategy's promise: each verdict at its
// price, and one exchange more for each note of something to load.
func checkExchanges(t *testing.T, r *results.Run, shapes opShapes) {
	t.Helper()
	kind, _ := strategies.All.Get(r.Strategy)
	want := r.Committed*int64(kind.Exchanges(shapes.commit, strategies.Committed)) +
		r.Conflicts*int64(kind.Exchanges(shapes.commit, strategies.Conflict)) +
		r.Rejected*int64(kind.Exchanges(shapes.reject, strategies.Rejected))
	for _, note := range loads {
		want += r.Notes[string(note)]
	}
	if r.Exchanges != want {
		t.Errorf("%s: %d exchanges, %d promised", name(r), r.Exchanges, want)
	}
}

// opShapes is how much a workload's ops read and write.
type opShapes struct {
	commit, reject strategies.Shape
	writes         []string // the commands that write, in lower case
}

// shapesOf plays ops of a workload. All that commit must have one shape, and so
// must all that are rejected.
func shapesOf(t *testing.T, w world, name string) (shapes opShapes) {
	t.Helper()
	workload, _ := workloads.All.Get(name)
	side, base := w.dial(t, 0), "conformance:shapes:"+name+":{1}"
	do(t, side, workload.Setup(base)...)
	seen := map[workloads.StepKind]strategies.Shape{}
	rng := rand.New(rand.NewPCG(31, 32))
	for n := range 200 {
		step, shape := reference(t, side, workload, workload.Next(rng, n, base))
		if before, known := seen[step.Kind]; known && before != shape {
			t.Errorf("%s: ops that end alike read and write %+v and %+v", name, before, shape)
		}
		seen[step.Kind] = shape
		for _, cmd := range step.Cmds {
			if write := strings.ToLower(cmd[0]); !slices.Contains(shapes.writes, write) {
				shapes.writes = append(shapes.writes, write)
			}
		}
		do(t, side, step.Cmds...)
	}
	shapes.commit = seen[workloads.Commit]
	var known bool
	if shapes.reject, known = seen[workloads.Reject]; !known { // by one client alone
		shapes.reject = shapes.commit
		shapes.reject.Writes = 0
	}
	return shapes
}

// checkServersOwnP compares p with what the server's counters alone say: a
// write inside an EXEC that did not run is not counted.
func checkServersOwnP(t *testing.T, r *results.Run, shapes opShapes) {
	t.Helper()
	execs := r.Server.Commands["exec"].Calls
	if kind, _ := strategies.All.Get(r.Strategy); execs == 0 || kind.Tokens { // a token is written by a command that also writes the op's keys
		return
	}
	var writes int64
	for _, name := range shapes.writes {
		writes += r.Server.Commands[name].Calls
	}
	theirs := 1 - float64(writes)/float64(execs*int64(shapes.commit.Writes))
	ours := float64(r.Whole.Verdicts["conflict"]) / float64(r.Whole.Verdicts["conflict"]+r.Whole.Verdicts["committed"])
	if math.Abs(theirs-ours) > 1e-9 {
		t.Errorf("%s: p = %v, the server's counters say %v", name(r), ours, theirs)
	}
}

// Whoever else uses the server during a trial is seen, whatever the strategy,
// and so are counters that were reset. The embedded server counts nothing.
func TestOthersAreWitnessed(t *testing.T) {
	realWorld(t, func(t *testing.T, w world) {
		for what, c := range map[string]struct {
			command []string
			warning string
		}{
			"another client": {[]string{"LPUSH", "somebody:else", "x"}, "lpush: 0 sent, 1 served"},
			"a reset":        {[]string{"CONFIG", "RESETSTAT"}, "counters were reset"},
		} {
			for _, strategy := range []string{"watch", "lua", "atomic"} {
				p := plan(strategy)
				p.Workloads, p.Clients, p.Ops = []string{"counter"}, []int{2}, 600
				cells, _ := p.Grid(strategies.Facts{})
				runs, err := executeIn(afterExchanges(w, 300, func() {
					redistest.Command(t, w.server, c.command...)
				}), p, cells, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(runs[0].Warnings, func(s string) bool { return strings.Contains(s, c.warning) }) {
					t.Errorf("%s during %s: warnings %q", what, strategy, runs[0].Warnings)
				}
			}
		}
	})
}

// leftovers fails if a run has left a key, or touched one that is not ours.
func leftovers(t *testing.T, w world) {
	t.Helper()
	if keys := w.stored(t, "rmwbench:"); len(keys) > 0 {
		t.Errorf("left behind: %v", keys)
	}
}

func TestForeignKeysAreNotTouched(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		side := w.dial(t, 0)
		do(t, side, resp.Cmd{"SET", "somebody:else", "42"}, resp.Cmd{"SET", "rmwbench:another-run:{0}", "43"})
		p := plan("watch", "lua")
		p.Clients, p.Ops = []int{8}, 50
		if _, err := execute(t, w, p, nil); err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]string{"somebody:else": "42", "rmwbench:another-run:{0}": "43"} {
			if got := do(t, side, resp.Cmd{"GET", key})[0].Str; got != want {
				t.Errorf("%s is %q, was %q", key, got, want)
			}
		}
		if got := do(t, side, resp.Cmd{"DBSIZE"})[0].Int; got != 2 {
			t.Errorf("%d keys on the server, want the 2 foreign ones", got)
		}
	})
}

// Every wrong loop loses updates with 8 clients on one key, and the audit says
// so and counts them, unless it is one that fails. The decision makes room for
// the others.
func TestWrongLoopsAreCaught(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := plan(wrong(t)...)
		p.Workloads, p.Clients, p.Decisions = []string{"counter", "debit"}, []int{8}, []time.Duration{time.Millisecond}
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			checkLost(t, &runs[i])
		}
	})
}

// wrong lists the strategies that lose updates on purpose.
func wrong(t *testing.T) (names []string) {
	for _, name := range strategies.All.Names() {
		if k, _ := strategies.All.Get(name); k.Control && !k.FailsOnly && !k.OnRetry {
			names = append(names, name)
		}
	}
	if len(names) < 4 {
		t.Fatalf("only %v are controls", names)
	}
	return names
}

func checkLost(t *testing.T, r *results.Run) {
	t.Helper()
	if r.Audit.Verdict != results.AuditLost || r.Audit.Lost == 0 || !r.Audit.Void() {
		t.Errorf("%s: audit %s (%s), want lost updates", name(r), r.Audit.Verdict, r.Audit)
	}
	if r.Audit.Stored+r.Audit.Lost != r.Audit.Acknowledged {
		t.Errorf("%s: %d stored + %d lost != %d acknowledged", name(r), r.Audit.Stored, r.Audit.Lost, r.Audit.Acknowledged)
	}
}

// Bounded tries end in giving up, which is an outcome of its own.
func TestGivingUp(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := plan("watch-pipelined")
		p.Workloads, p.Clients, p.MaxTries, p.Decisions = []string{"counter"}, []int{8}, []int{1, 3}, []time.Duration{time.Millisecond}
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			if r.GaveUp == 0 || r.Committed+r.GaveUp != p.Ops || r.Audit.Verdict != results.AuditExact {
				t.Errorf("%s with %d tries: %d committed, %d gave up, audit %s", name(r), r.MaxTries, r.Committed, r.GaveUp, r.Audit)
			}
			var most int64
			r.AttemptsByAttempt.Each(func(upTo, _ int64) { most = upTo })
			if most != int64(r.MaxTries) {
				t.Errorf("%s with %d tries: an attempt has number %d", name(r), r.MaxTries, most)
			}
		}
	})
}

// Many keys under every distribution: the audit is per key.
func TestManyKeys(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := plan("watch-pipelined", "lua", "unsafe")
		p.Workloads = []string{"counter", "swap", "transfer"}
		p.Clients, p.Keys = []int{8}, []int{7, 1201} // more than one batch of keys
		p.Dists, p.Skews = contention.Dists.Names(), []float64{0.99}
		p.Ops = 300
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			if r.Audit.Keys != int64(r.Keys) {
				t.Errorf("%s, %s: %d of %d keys audited", name(r), r.Dist, r.Audit.Keys, r.Keys)
			}
			if r.Strategy != "unsafe" && r.Audit.Verdict != results.AuditExact {
				t.Errorf("%s, %s: audit %s", name(r), r.Dist, r.Audit)
			}
		}
		leftovers(t, w)
	})
}

// Injected times are spent, and reported as they really were.
func TestInjectedTimesAreReported(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := plan("watch", "lua")
		p.Workloads, p.Clients, p.Ops = []string{"counter"}, []int{2}, 20
		p.RTTs, p.Decisions, p.Thinks = []time.Duration{2 * time.Millisecond}, []time.Duration{3 * time.Millisecond}, []time.Duration{time.Millisecond}
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			if a := r.Achieved.RTTNS; a == nil || a.P50 < int64(2*time.Millisecond) {
				t.Errorf("%s: achieved network delay %+v", name(r), a)
			}
			a := r.Achieved.DecisionNS
			if (a == nil) != (r.Strategy == "lua") || a != nil && a.P50 < int64(3*time.Millisecond) {
				t.Errorf("%s: achieved decision time %+v", name(r), a)
			}
			exchanges := map[string]time.Duration{"watch": 3, "lua": 1}[r.Strategy]
			if least := time.Duration(r.Latency.Max()); least < exchanges*2*time.Millisecond {
				t.Errorf("%s: the slowest op took %v, less than its network delay", name(r), least)
			}
		}
	})
}

// One client's connection holds nothing from one op for the next, although
// many of its transactions are given up before EXEC.
func TestOneClientNeverConflicts(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		p := plan(safe()...)
		p.Workloads, p.Clients, p.Ops = []string{"debit"}, []int{1}, 2000
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			if r.Conflicts != 0 || r.Whole.Verdicts["conflict"] != 0 || r.Rejected == 0 {
				t.Errorf("%s: %d conflicts, %d rejected", name(r), r.Conflicts, r.Rejected)
			}
		}
	})
}
