package cli

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/strategies"
)

// gridFlags say what is compared. Every axis takes a list.
type gridFlags struct {
	Tests    names `short:"t" name:"tests" placeholder:"NAME,..." default:"watch,watch-pipelined,lua,atomic" help:"Strategies or groups to run; 'rmwbench list' shows them (${default})."`
	Workload names `placeholder:"NAME,..." default:"counter" help:"What an operation does (${default})."`
	Clients  ints  `short:"c" placeholder:"N,..." help:"Clients in all (1,4,16,64)."`
	DataSize ints  `short:"d" placeholder:"N,..." help:"Bytes of a value, for workloads whose values have a size (document: 4096)."`
	Herd     bool  `help:"Let every client do one op, all at once: the flash sale. Instead of --duration, --warmup and -n."`

	RPS   floats `name:"rps" placeholder:"X,..." default:"0" help:"Arrivals per second, by all clients together: an open loop, in which latency counts from the intended start. 0: a closed loop (${default})."`
	Burst burst  `placeholder:"BURST" help:"More arrivals for a while: x2@10s+5s is twice the --rps from 10 s into the window on, for 5 s. The table says how long latency takes to be back. Wants a --duration that goes on after it."`

	Bystanders *bystanders `placeholder:"N" help:"Clients beside them that only read, to feel what the load does to others. N: about 200 times a second each; N:closed: as fast as they can (1 where --script-time is more than 0, else 0)."`

	Keys ints   `short:"r" placeholder:"N,..." default:"1" group:"contention" help:"Keys that the clients share (${default})."`
	Dist names  `placeholder:"NAME,..." default:"uniform" group:"contention" help:"How ops are spread over keys: uniform, zipf, hotspot (${default})."`
	Skew floats `placeholder:"S,..." default:"0.99" group:"contention" help:"Skew of zipf, 0 or more (${default})."`
	Hot  hots   `placeholder:"SHARE:KEYS,..." default:"30%:1" group:"contention" help:"Share of ops and number of keys of hotspot (${default})."`

	Decision durations `placeholder:"D,..." default:"0" group:"time" help:"Time a client takes to decide between read and write (${default})."`
	Script   durations `name:"script-time" placeholder:"D,..." group:"time" help:"Time that a script or function keeps the server busy, beyond its own work (--decision, element by element; required with one on a named server)."`
	Think    durations `placeholder:"D,..." default:"0" group:"time" help:"Time a client rests after each op (${default})."`
	RTT      durations `name:"rtt" placeholder:"D,..." group:"time" help:"Injected network delay, both ways together (1ms in a simulation and on a server that rmwbench starts, else 0)."`

	Backoff     names    `placeholder:"NAME,..." default:"none,full" group:"retries" help:"Wait before a retry: none, exp, equal, full, decorrelated (${default})."`
	BackoffBase duration `placeholder:"D" default:"100us" group:"retries" help:"Base of the back-off (${default})."`
	BackoffCap  duration `placeholder:"D" default:"10ms" group:"retries" help:"Cap of the back-off (${default})."`
	MaxTries    ints     `placeholder:"N,..." default:"0" group:"retries" help:"Attempts before an op gives up; 0: until done or the run ends (${default})."`

	Fault     faults `placeholder:"KIND=SHARE,..." group:"faults" help:"Break that share of the clients' exchanges: request-lost (nothing ran), request-cut (the first commands did), reply-lost (all ran and nobody is told); several with +."`
	OnUnknown names  `placeholder:"NAME,..." group:"faults" help:"After an attempt that may have been applied: stop, retry, or readback, which looks at the stored state (stop)."`
	OnFailed  names  `placeholder:"NAME,..." group:"faults" help:"After an attempt that failed: stop or retry (stop)."`

	Duration *duration `placeholder:"D" group:"length" help:"Measured window of a trial (400ms)."`
	Warmup   duration  `placeholder:"D" default:"100ms" group:"length" help:"Time before the window that is not counted (${default})."`
	Ops      *whole    `short:"n" placeholder:"N" group:"length" help:"Ops of a trial, by all clients; replaces --duration and --warmup. With --duration, whichever ends first."`
	Trials   whole     `placeholder:"N" default:"6" group:"length" help:"Trials of each cell; an interval needs 6, a claimed difference 10, or 3 that lie far apart (${default})."`
	Seed     seed      `placeholder:"N" default:"1" group:"length" help:"Seed of keys, ops and back-off (${default})."`

	goalFlag
}

// searches reports whether the number of clients is searched for.
func (f *gridFlags) searches() bool { return f.Goal != "" && f.Clients == nil }

const defaultDuration = 400 * time.Millisecond

var defaultClients = ints{1, 4, 16, 64}

// plan turns the flags into a plan that is valid, or says why not. rtt is the
// injected delay where none was asked for.
func (f *gridFlags) plan(rtt time.Duration, prefix string) (*engine.Plan, error) {
	p := &engine.Plan{
		Workloads: f.Workload, ValueBytes: f.DataSize, Clients: f.Clients, Keys: f.Keys,
		Dists: f.Dist, Skews: f.Skew, Hots: f.Hot,
		Rates: f.RPS, Burst: contention.Burst(f.Burst), Decisions: f.Decision, Thinks: f.Think, RTTs: f.RTT,
		ScriptTimes: f.Script, ScriptTimeIsDecision: f.Script == nil,
		Backoffs: f.Backoff, MaxTries: f.MaxTries,
		Faults: f.Fault, OnUnknowns: f.OnUnknown, OnFaileds: f.OnFailed,
		BackoffBase: time.Duration(f.BackoffBase), BackoffCap: time.Duration(f.BackoffCap),
		Warmup: time.Duration(f.Warmup), Trials: int(f.Trials), Seed: uint64(f.Seed), Prefix: prefix,
	}
	for _, name := range f.Tests {
		members, err := strategies.Select(name)
		if err != nil {
			return nil, fmt.Errorf("-t %s: %w", name, err)
		}
		p.Strategies = append(p.Strategies, members...)
	}
	f.watch(p)
	g, err := f.goal()
	if err != nil {
		return nil, err
	}
	switch {
	case p.Clients != nil:
	case g != nil && slices.ContainsFunc(f.RPS, func(r float64) bool { return r > 0 }):
		return nil, errors.New("--goal with --rps: give -c too: more clients help an open loop, so that there is no most to search for")
	case g != nil:
		p.Clients = ints{1} // where the search begins
	default:
		p.Clients = defaultClients
	}
	if p.RTTs == nil {
		p.RTTs = []time.Duration{rtt}
	}
	switch {
	case f.Duration != nil:
		p.Duration = time.Duration(*f.Duration)
		if p.Duration == 0 {
			return nil, fmt.Errorf("--duration 0s: want more than 0, up to %v", engine.MaxDuration)
		}
	case f.Ops == nil && !f.Herd:
		p.Duration = defaultDuration
	}
	if f.Herd {
		p.Herd, p.Warmup = true, 0
	}
	if f.Ops != nil {
		if *f.Ops < 1 {
			return nil, fmt.Errorf("-n %d: want 1 to %d", *f.Ops, int64(engine.MaxOps))
		}
		p.Ops, p.Warmup = int64(*f.Ops), 0
	}
	return p, p.Validate()
}
