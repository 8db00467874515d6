package cli

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"rmwbench/internal/calibrate"
	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// runCmd measures.
type runCmd struct {
	gridFlags
	Conn names `placeholder:"NAME,..." default:"dedicated" help:"dedicated: every client has a connection of its own; shared: all have one together, auto-pipelined, which is nothing for WATCH (${default})."`
	serverFlags
	outputFlags
	Predict bool `negatable:"" default:"true" group:"output" help:"Calibrate for some seconds before and after, and put the simulation's prediction beside each row."`
	Allowed bool `name:"yes-load-this-server" group:"faults" help:"Let --fault break exchanges with a named server."`
}

// startedRTT is the injected delay on a server that we start: loopback without
// a network is nobody's production.
const startedRTT = time.Millisecond

// Run is the verb. Everything that can be refused is refused before a server
// is started or touched, and nothing is written until the load can begin.
func (c *runCmd) Run(s *session) error {
	plan, err := c.request()
	if err != nil {
		return usage(err)
	}
	world, target, err := c.connect(s)
	if err != nil {
		return err
	}
	defer world.Close()
	header, err := c.header(s, world, plan)
	if err != nil {
		return err
	}
	if most, err := world.Capacity(); err != nil {
		return err
	} else if clients := slices.Max(plan.Clients); clients+plan.Bystanders.Clients > most {
		return fmt.Errorf("-c %d --bystanders %s: the server has room for %d clients beside those that are connected (its maxclients)",
			clients, plan.Bystanders, most)
	}
	if err := tryOut(world, plan, &header); err != nil {
		return fmt.Errorf("%s: %w", target.Address, err)
	}
	if header.Pings, err = c.pings(s, world, plan); err != nil {
		return err
	}
	predictor, err := c.calibrate(s, world, target, plan, &header)
	if err != nil {
		return err
	}
	log, err := c.open(header, c.searches())
	if err != nil {
		return err
	}
	failed := c.measure(s, world, plan, log)
	if failed == nil && predictor != nil {
		failed = predictor.complete(s, world, plan, log)
	}
	r, err := log.report()
	if err != nil {
		return errors.Join(failed, err, log.close())
	}
	if predictor != nil && len(r.Runs) > 0 {
		predictor.profile.Checked = r.Checked()
		err = writeFile(profilePath(c.Out), predictor.profile.Rounded().Write)
	}
	return errors.Join(c.report(s, log, r, failed), err, log.close())
}

// request is what the flags ask for, or why they cannot be obeyed.
func (c *runCmd) request() (*engine.Plan, error) {
	rtt := time.Duration(0)
	if !c.named() {
		rtt = startedRTT
	}
	plan, err := c.plan(rtt, keyPrefix())
	if err != nil {
		return nil, err
	}
	plan.Conns = c.Conn
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := c.checkScriptTime(plan); err != nil {
		return nil, err
	}
	if err := c.checkFaults(); err != nil {
		return nil, err
	}
	return plan, c.checkOut()
}

// checkFaults refuses to disturb a server that somebody else may use.
func (c *runCmd) checkFaults() error {
	switch {
	case c.Fault != nil && c.named() && !c.Allowed:
		return fmt.Errorf("--fault %v breaks exchanges with a server that you have named: say --yes-load-this-server, or let one be started", c.Fault[0])
	case c.Allowed && (c.Fault == nil || !c.named()):
		return errors.New("--yes-load-this-server goes with --fault and a named server")
	}
	return nil
}

// calibrate measures the server's costs, for predictions; nil where none are
// wanted or possible.
func (c *runCmd) calibrate(s *session, world *live.World, target live.Target, plan *engine.Plan, h *results.Header) (*predictor, error) {
	if !c.Predict || h.Server.Embedded || c.searches() || len(predictable(h.Cells)) == 0 {
		return nil, nil
	}
	p, err := calibrate.Measure(world, calibrationOf(h, plan.Prefix, calibrate.DefaultBudget, s.stop))
	var predict *predictor
	if err == nil {
		predict, err = newPredictor(world, p, target.Local(), h.Cells, s.stop)
	}
	if errors.Is(err, engine.ErrInterrupted) {
		return nil, coded{fmt.Errorf("%w: nothing was measured", err), exitInterrupted}
	}
	if err != nil {
		fmt.Fprintf(s.err, "rmwbench: no predictions: %v\n", err)
		return nil, nil
	}
	h.Profile, err = json.Marshal(p)
	return predict, err
}

// header says how the runs come about.
func (c *runCmd) header(s *session, world *live.World, plan *engine.Plan) (h results.Header, err error) {
	facts, err := world.Facts()
	if err != nil {
		return h, err
	}
	h = results.Header{
		Source: results.SourceLive, Version: version(), Command: masked(s.args, c.Pass), Started: world.Began().UTC().Truncate(time.Second),
		Goal: c.Goal, Seed: plan.Seed, Trials: plan.Trials,
		DurationNS: int64(plan.Duration), WarmupNS: int64(plan.Warmup), Ops: plan.Ops,
		Environment: live.Environment(), Server: facts,
	}
	known, err := world.Known(facts)
	if err != nil {
		return h, err
	}
	h.Cells, h.NA = plan.Grid(known)
	if len(h.Cells) == 0 {
		return h, usage(nothingToRun(h.NA))
	}
	h.ScriptTime = scriptTimeOf(plan, h.Cells)
	return h, nil
}

// tryOut does one op of everything that is to be measured: its log goes into
// the header, and what the server refuses leaves the grid.
func tryOut(world engine.World, plan *engine.Plan, h *results.Header) error {
	wire, refused, err := engine.WireLog(world, plan.Prefix, h.Cells)
	if err != nil {
		return err
	}
	h.Cells = slices.DeleteFunc(h.Cells, func(c results.Cell) bool {
		return slices.ContainsFunc(refused, func(n results.NotApplicable) bool {
			return n.Strategy == c.Strategy && n.Workload == c.Workload
		})
	})
	if len(h.Cells) == 0 {
		return nothingToRun(refused)
	}
	h.Wire, h.NA, h.Scripts = wire, append(h.NA, refused...), scriptsOf(h.Cells)
	return nil
}

func nothingToRun(na []results.NotApplicable) error {
	n := na[0]
	return fmt.Errorf("nothing to run: %s cannot do %s: %s", n.Strategy, n.Workload, n.Reason)
}

// measure runs the plan, or searches for the goal.
func (c *runCmd) measure(s *session, world *live.World, plan *engine.Plan, log *runLog) error {
	progress := newProgress(s.err, c.Quiet)
	defer progress.end()
	runner := engine.Runner{
		Plan: plan, World: world, Source: results.SourceLive, Cells: log.cells,
		Shards: runtime.GOMAXPROCS(0), Stop: s.stop, Progress: progress.show, Second: progress.seconds(),
		Sink: func(run *results.Run) error {
			if err := run.Pack(); err != nil {
				return err
			}
			return log.add(run)
		},
	}
	if !c.searches() {
		return runner.Run()
	}
	capacity, err := world.Capacity()
	if err != nil {
		return err
	}
	runner.Progress, runner.Second = nil, nil
	most := func(cell results.Cell) int { return mostClients(cell, capacity-plan.Bystanders.Clients) }
	return search(log, most, plan.Trials, telling(s.err, c.Quiet, func(cell results.Cell, first, n int) error {
		runner.Cells = []results.Cell{cell}
		return runner.Trials(first, n)
	}))
}

// scriptsOf lists the scripts that the cells' strategies run on the server.
func scriptsOf(cells []results.Cell) (used []results.Script) {
	for _, cell := range cells {
		workload, _ := workloads.All.Get(cell.Workload)
		kind, _ := strategies.All.Get(cell.Strategy)
		for _, script := range kind.ScriptsFor(workload, cell.ScriptTimeNS > 0) {
			s := results.Script{Name: script.Name, SHA1: script.SHA1, Body: script.Body}
			if !slices.Contains(used, s) {
				used = append(used, s)
			}
		}
	}
	return used
}

// keyPrefix is a prefix that no other run uses.
func keyPrefix() string {
	token := make([]byte, 6)
	_, _ = rand.Read(token) // never fails
	return "rmwbench:" + hex.EncodeToString(token) + ":"
}
