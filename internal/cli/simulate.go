package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/profile"
	"rmwbench/internal/sim"
	"rmwbench/results"
	"rmwbench/strategies"
)

// simulateCmd predicts.
type simulateCmd struct {
	gridFlags
	Conn        names  `hidden:"" default:"dedicated"` // known, so that it can be refused with a reason
	Profile     string `placeholder:"NAME|FILE" default:"${profile}" group:"simulation" help:"Costs of the server: a built-in profile or a file that 'calibrate' wrote (${default})."`
	Shards      ints   `placeholder:"N,..." default:"1" group:"simulation" help:"Servers that the keys are spread over by slot (${default})."`
	ServerSpeed floats `placeholder:"X,..." default:"1" group:"simulation" help:"Speed of the servers, as a multiple of the profile's (${default})."`
	outputFlags
}

// simulatedPrefix is as long as the prefix of a live run, so that as many bytes
// travel.
const simulatedPrefix = "rmwbench:000000000000:"

// simulatedRTT is the network delay where none is asked for.
const simulatedRTT = startedRTT

// Run is the verb.
func (c *simulateCmd) Run(s *session) error {
	plan, err := c.gridFlags.plan(simulatedRTT, simulatedPrefix)
	if err != nil {
		return usage(err)
	}
	plan.Conns, plan.Shards, plan.ServerSpeeds = c.Conn, c.Shards, c.ServerSpeed
	if err := plan.Validate(); err != nil {
		return usage(err)
	}
	if slices.Contains(c.Conn, results.ConnShared) {
		return usage(fmt.Errorf("--conn %s: a simulation has dedicated connections only: how many exchanges travel together on a shared one is in no profile", results.ConnShared))
	}
	p, err := profile.Open(c.Profile)
	if err != nil {
		return usage(fmt.Errorf("--profile %s: %w", c.Profile, err))
	}
	if err := c.checkOut(); err != nil {
		return usage(err)
	}
	watch := live.StartStopwatch()
	header, err := c.header(s, plan, p, watch)
	if err != nil {
		return err
	}
	log, err := c.open(header, c.searches())
	if err != nil {
		return err
	}
	failed := c.simulate(s, plan, p, watch, log)
	r, err := log.report()
	if err != nil {
		return errors.Join(failed, err, log.close())
	}
	return errors.Join(c.report(s, log, r, failed), log.close())
}

// simulate runs the plan, or searches for the goal.
func (c *simulateCmd) simulate(s *session, plan *engine.Plan, p *profile.Profile, watch live.Stopwatch, log *runLog) error {
	if c.searches() {
		return search(log, func(results.Cell) int { return engine.MaxClients }, plan.Trials, telling(s.err, c.Quiet, func(cell results.Cell, first, n int) error {
			return sim.Run(plan, sim.Jobs(first, n, []results.Cell{cell}), p, s.stop, func(_ int, run *results.Run) error { return log.add(run) })
		}))
	}
	jobs := sim.Jobs(0, plan.Trials, log.cells)
	progress := newProgress(s.err, c.Quiet)
	defer progress.end()
	return sim.Run(plan, jobs, p, s.stop, func(i int, run *results.Run) error {
		progress.show(engine.ProgressAt(i+1, len(jobs), run.Cell, watch.Elapsed()))
		return log.add(run)
	})
}

// header says how the runs come about.
func (c *simulateCmd) header(s *session, plan *engine.Plan, p *profile.Profile, watch live.Stopwatch) (h results.Header, err error) {
	h = results.Header{
		Source: results.SourceSimulated, Version: version(), Command: masked(s.args, ""), Started: watch.Began.UTC().Truncate(time.Second),
		Goal: c.Goal, Seed: plan.Seed, Trials: plan.Trials,
		DurationNS: int64(plan.Duration), WarmupNS: int64(plan.Warmup), Ops: plan.Ops,
		Checked: p.Checked, Server: results.ServerFacts{Product: p.Product, Version: p.Version, Address: p.Name},
	}
	if h.Profile, err = json.Marshal(p); err != nil {
		return h, err
	}
	h.Cells, h.NA = plan.Grid(strategies.Facts{Product: p.Product, Version: p.Version})
	if len(h.Cells) == 0 {
		return h, usage(nothingToRun(h.NA))
	}
	h.ScriptTime = scriptTimeOf(plan, h.Cells)
	return h, tryOut(sim.New(sim.Config{Profile: p, Shards: slices.Max(plan.Shards)}, plan.Seed), plan, &h)
}
