package engine

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// Plan is an experiment. Slices are axes; their product is the grid. A plan is
// refused when it is wrong and never repaired.
type Plan struct {
	Strategies []string // names, no groups
	Workloads  []string
	Clients    []int // in all
	Keys       []int
	Dists      []string
	Skews      []float64
	Hots       []contention.Hot
	Decisions  []time.Duration
	Thinks     []time.Duration
	RTTs       []time.Duration // injected network delay, both ways together
	Backoffs   []string
	MaxTries   []int // 0: until done

	// These may be empty: what they change is not offered everywhere.
	Conns        []string                 // results.ConnDedicated, ConnShared; empty: dedicated
	ValueBytes   []int                    // of workloads that are workloads.Sized; empty: their own
	Rates        []float64                // arrivals per second, by all clients; 0: a closed loop
	ScriptTimes  []time.Duration          // that the server spends in a script, beyond the script's own work
	Faults       []contention.FaultShares // of exchanges that are broken on purpose
	OnUnknowns   []string                 // what follows an unknown attempt: PolicyStop, PolicyRetry, PolicyReadBack
	OnFaileds    []string                 // what follows a failed one: PolicyStop, PolicyRetry
	Shards       []int                    // simulated servers
	ServerSpeeds []float64                // of simulated servers; 1: as in the profile

	// ScriptTimeIsDecision says, in place of ScriptTimes, that a script spends on
	// the server what a client spends on its decision.
	ScriptTimeIsDecision bool

	Bystanders contention.Bystanders // beside the clients of every cell

	BackoffBase time.Duration
	BackoffCap  time.Duration

	Burst contention.Burst // of the arrivals of every cell; zero: none

	Duration time.Duration // measured window of a trial; 0: until Ops
	Warmup   time.Duration // before the window, not counted
	Ops      int64         // of a trial, by all clients; 0: until Duration
	Herd     bool          // every client does one op, all at once; neither Warmup nor Ops
	Trials   int
	Seed     uint64
	Prefix   string // of every key
}

// Limits of a plan. They keep a slip of the finger from occupying a machine.
const (
	MaxClients  = 10_000
	MaxKeys     = 1_000_000
	MaxBeside   = 1_000   // bystanders
	MaxBytes    = 1 << 30 // of all values together
	MaxRate     = 10_000_000.0
	MaxShards   = 1_000
	MaxSpeed    = 1_000.0
	MaxTrials   = 1_000
	MaxTries    = 1_000_000
	MaxOps      = 1_000_000_000
	MaxHold     = time.Minute    // decision, think, rtt, back-off
	MaxDuration = 24 * time.Hour // window and warm-up
)

// Validate answers everything that is wrong with the plan, each line naming
// the flag, the value and what is allowed, or nil.
func (p *Plan) Validate() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	known(refuse, "-t", p.Strategies, func(name string) error { _, err := strategies.All.Get(name); return err })
	known(refuse, "--workload", p.Workloads, func(name string) error { _, err := workloads.All.Get(name); return err })
	known(refuse, "--dist", p.Dists, func(name string) error { _, err := contention.Dists.Get(name); return err })
	known(refuse, "--backoff", p.Backoffs, func(name string) error { _, err := contention.Backoffs.Get(name); return err })
	for _, conn := range p.Conns {
		if conn != results.ConnDedicated && conn != results.ConnShared {
			refuse("--conn %s: want %s or %s", conn, results.ConnDedicated, results.ConnShared)
		}
	}
	if p.Conns != nil {
		once(refuse, "--conn", p.Conns)
	}
	axis(refuse, "-c", p.Clients, 1, MaxClients)
	axis(refuse, "--keys", p.Keys, 1, MaxKeys)
	axis(refuse, "--max-tries", p.MaxTries, 0, MaxTries)
	axis(refuse, "--decision", p.Decisions, 0, MaxHold)
	axis(refuse, "--think", p.Thinks, 0, MaxHold)
	axis(refuse, "--rtt", p.RTTs, 0, MaxHold)
	optional(refuse, "--script-time", p.ScriptTimes, 0, MaxHold)
	optional(refuse, "--rps", p.Rates, 0, MaxRate)
	policies(refuse, "--on-unknown", p.OnUnknowns, PolicyStop, PolicyRetry, PolicyReadBack)
	policies(refuse, "--on-failed", p.OnFaileds, PolicyStop, PolicyRetry)
	if len(p.Faults) > 0 {
		once(refuse, "--fault", p.Faults)
		if slices.Contains(p.Conns, results.ConnShared) {
			refuse("--fault %v: a fault breaks a client's connection, and --conn shared is everybody's", p.Faults[0])
		}
	}
	optional(refuse, "-d", p.ValueBytes, workloads.MinSize, workloads.MaxSize)
	optional(refuse, "--shards", p.Shards, 1, MaxShards)
	optional(refuse, "--server-speed", p.ServerSpeeds, 1/MaxSpeed, MaxSpeed)
	axis(refuse, "--bystanders", []int{p.Bystanders.Clients}, 0, MaxBeside)
	if p.Bystanders.Closed && p.Bystanders.Clients == 0 {
		refuse("--bystanders %s: want 1:closed to %d:closed, or 0", p.Bystanders, MaxBeside)
	}
	axis(refuse, "--backoff-base", []time.Duration{p.BackoffBase}, 0, MaxHold)
	axis(refuse, "--backoff-cap", []time.Duration{p.BackoffCap}, 0, MaxHold)
	axis(refuse, "--trials", []int{p.Trials}, 1, MaxTrials)
	axis(refuse, "-n", []int64{p.Ops}, 0, MaxOps)
	axis(refuse, "--warmup", []time.Duration{p.Warmup}, 0, MaxDuration)
	for _, s := range p.Skews {
		if !(s >= 0) || math.IsInf(s, 0) {
			refuse("--skew %v: want a finite number of at least 0", s)
		}
	}
	once(refuse, "--skew", p.Skews)
	once(refuse, "--hot", p.Hots)
	if len(p.ValueBytes) > 0 && !slices.ContainsFunc(p.Workloads, sized) {
		refuse("-d %d: want a workload whose values have a size: %s", p.ValueBytes[0],
			strings.Join(slices.DeleteFunc(workloads.All.Names(), func(name string) bool { return !sized(name) }), ", "))
	}
	if open := slices.ContainsFunc(p.Rates, func(r float64) bool { return r > 0 }); open && p.Herd {
		refuse("--rps %v: --herd has all ops arrive at once", slices.Max(p.Rates))
	} else if open && slices.ContainsFunc(p.Thinks, func(d time.Duration) bool { return d > 0 }) {
		refuse("--think %v: clients of an open loop (--rps) do not rest, they wait for arrivals", slices.Max(p.Thinks))
	}
	p.validateBurst(refuse)
	if p.Herd && p.Ops != 0 {
		refuse("-n %d: --herd is one op of each client", p.Ops)
	}
	if p.Herd && p.Duration != 0 {
		refuse("--duration %v: --herd is one op of each client, however long it takes", p.Duration)
	}
	if !p.Herd && p.Ops == 0 || p.Duration != 0 {
		axis(refuse, "--duration", []time.Duration{p.Duration}, time.Nanosecond, MaxDuration)
	}
	if p.BackoffBase > p.BackoffCap {
		refuse("--backoff-base %v: want at most --backoff-cap %v", p.BackoffBase, p.BackoffCap)
	}
	if len(errs) == 0 {
		for _, c := range p.settings() {
			if _, err := newDist(c); err != nil {
				refuse("--dist %s --keys %d: %w", c.Dist, c.Keys, err)
			}
			if c.Keys*c.ValueBytes > MaxBytes {
				refuse("--keys %d: want at most %d, so that values of %d bytes (-d) come to %d in all", c.Keys, MaxBytes/c.ValueBytes, c.ValueBytes, MaxBytes)
			}
		}
	}
	return errors.Join(errs...)
}

// validateBurst refuses a burst that does not lie inside a window of arrivals.
// Whatever else is wrong is said elsewhere.
func (p *Plan) validateBurst(refuse refusal) {
	b := p.Burst
	switch {
	case b == contention.Burst{}:
	case p.Herd:
		refuse("--burst %v: --herd has all ops arrive at once", b)
	case len(p.Rates) == 0 || slices.Min(p.Rates) == 0:
		refuse("--burst %v: a burst is of arrivals, and a closed loop has none: give --rps above 0", b)
	case slices.Max(p.Rates) <= MaxRate && slices.Max(p.Rates)*b.Factor > MaxRate:
		refuse("--burst %v: %v times --rps %v is more than %v", b, b.Factor, slices.Max(p.Rates), MaxRate)
	case p.Duration == 0:
		refuse("--burst %v: a window that ends by -n alone need not hold it: give --duration too", b)
	case p.Duration > 0 && b.End() >= p.Duration:
		refuse("--burst %v: it ends %v into the window: want --duration %v to be longer", b, b.End(), p.Duration)
	}
}

func sized(workload string) bool {
	w, _ := workloads.All.Get(workload)
	_, ok := w.(workloads.Sized)
	return ok
}

type refusal = func(format string, args ...any)

// known refuses names that are not registered.
func known(refuse refusal, flag string, names []string, get func(string) error) {
	for _, name := range names {
		if err := get(name); err != nil {
			refuse("%s %s: %w", flag, name, err)
		}
	}
	once(refuse, flag, names)
}

// axis refuses values outside lo..hi; NaN is outside.
func axis[T cmp.Ordered](refuse refusal, flag string, values []T, lo, hi T) {
	for _, v := range values {
		if !(v >= lo && v <= hi) {
			refuse("%s %v: want %v to %v", flag, v, lo, hi)
		}
	}
	once(refuse, flag, values)
}

// optional is an axis that may be empty.
func optional[T cmp.Ordered](refuse refusal, flag string, values []T, lo, hi T) {
	if len(values) > 0 {
		axis(refuse, flag, values, lo, hi)
	}
}

// policies refuses names that are not among those allowed.
func policies(refuse refusal, flag string, names []string, allowed ...string) {
	for _, name := range names {
		if !slices.Contains(allowed, name) {
			refuse("%s %s: want %s", flag, name, strings.Join(allowed, ", "))
		}
	}
	if len(names) > 0 {
		once(refuse, flag, names)
	}
}

// once refuses an empty axis and values that come twice.
func once[T comparable](refuse refusal, flag string, values []T) {
	if len(values) == 0 {
		refuse("%s: want at least one value", flag)
	}
	seen := make(map[T]bool, len(values))
	for _, v := range values {
		if seen[v] {
			refuse("%s %v: given twice", flag, v)
		}
		seen[v] = true
	}
}

// newDist builds the distribution of a cell.
func newDist(c results.Cell) (contention.Dist, error) {
	return contention.New(c.Dist, c.Keys, c.Skew, c.Hot)
}
