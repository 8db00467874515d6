package cli

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/report"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// runCmd measures.
type runCmd struct {
	gridFlags
	serverFlags
	drawFlags
	Out   string `placeholder:"DIR" default:"rmwbench-out" group:"output" help:"Directory for the results file and the report (${default})."`
	Force bool   `group:"output" help:"Overwrite the results file that is there."`
	CSV   bool   `name:"csv" group:"output" help:"Print the table as CSV."`
	Quiet bool   `short:"q" group:"output" help:"Print the table and what makes rows void, nothing else."`
}

// startedRTT is the injected delay on a server that we start: loopback without
// a network is nobody's production.
const startedRTT = time.Millisecond

// Run is the verb. Everything that can be refused is refused before a server
// is started or touched, and nothing is written until the load can begin.
func (c *runCmd) Run(s *session) error {
	plan, target, err := c.request()
	if err != nil {
		return usage(err)
	}
	if !c.named() {
		if target, err = c.startServer(s); err != nil {
			return err
		}
	}
	target.Protocol = c.protocol()
	world, err := live.Open(target, s.stop)
	if err != nil {
		return err
	}
	defer world.Close()
	header, err := c.header(s, world, plan)
	if err != nil {
		return err
	}
	if err := world.CheckCapacity(slices.Max(plan.Clients)); err != nil {
		return err
	}
	if err := tryOut(world, plan, &header); err != nil {
		return fmt.Errorf("%s: %w", target.Address, err)
	}
	file, err := createResults(c.Out, c.Force)
	if err != nil {
		return err
	}
	writer, err := results.NewWriter(file, header)
	if err == nil {
		err = c.measure(s, world, plan, header, writer)
	}
	return errors.Join(err, file.Close())
}

// request is what the flags ask for, or why they cannot be obeyed.
func (c *runCmd) request() (*engine.Plan, live.Target, error) {
	var target live.Target
	rtt := time.Duration(0)
	if !c.named() {
		rtt = startedRTT
	}
	plan, err := c.plan(rtt, keyPrefix())
	if err != nil {
		return nil, target, err
	}
	if err := c.check(); err != nil {
		return nil, target, err
	}
	if c.named() {
		if target, err = c.target(); err != nil {
			return nil, target, err
		}
	}
	return plan, target, checkOut(c.Out, c.Force)
}

// header says how the runs come about.
func (c *runCmd) header(s *session, world *live.World, plan *engine.Plan) (h results.Header, err error) {
	facts, err := world.Facts()
	if err != nil {
		return h, err
	}
	h = results.Header{
		Version: version(), Command: masked(s.args, c.Pass), Started: world.Began().UTC().Truncate(time.Second),
		Seed: plan.Seed, Trials: plan.Trials,
		DurationNS: int64(plan.Duration), WarmupNS: int64(plan.Warmup), Ops: plan.Ops,
		Environment: live.Environment(), Server: facts,
	}
	h.Cells, h.NA = plan.Grid(live.Known(facts))
	if len(h.Cells) == 0 {
		return h, usage(nothingToRun(h.NA))
	}
	return h, nil
}

// tryOut does one op of everything that is to be measured: its log goes into
// the header, and what the server refuses leaves the grid.
func tryOut(world *live.World, plan *engine.Plan, h *results.Header) error {
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

// measure runs the plan and reports whatever came of it.
func (c *runCmd) measure(s *session, world *live.World, plan *engine.Plan, header results.Header, writer *results.Writer) error {
	var runs []results.Run
	progress := newProgress(s.err, c.Quiet)
	runner := engine.Runner{
		Plan: plan, World: world, Source: results.SourceLive, Cells: header.Cells,
		Shards: runtime.GOMAXPROCS(0), Stop: s.stop, Progress: progress.show,
		Sink: func(run *results.Run) error {
			if err := run.Pack(); err != nil {
				return err
			}
			if err := writer.Write(run); err != nil {
				return err
			}
			runs = append(runs, *run)
			return nil
		},
	}
	failed := runner.Run()
	progress.end()
	if len(runs) == 0 {
		_ = os.Remove(resultsPath(c.Out)) // holds nothing, and would be in the way of the next run
		return c.outcome(&report.Report{Headers: []results.Header{header}}, failed)
	}
	r, err := report.New(&results.File{Headers: []results.Header{header}, Runs: runs})
	if err != nil {
		return err
	}
	said := io.Discard
	switch {
	case c.CSV:
		for i := range r.Settings {
			lines(s.err, r.Settings[i].Remarks())
		}
		if err := printCSV(s.out, r); err != nil {
			return err
		}
	default:
		printReport(s.out, r, c.Quiet)
	}
	if !c.Quiet && !c.CSV {
		sketch(s.out, s.terminal, r)
		fmt.Fprintf(s.out, "\nResults: %s\n", resultsPath(c.Out))
		said = s.out
	}
	return errors.Join(c.outcome(r, failed), draw(said, c.Out, r, c.options()))
}

// outcome is the error that stands for the run's exit code.
func (c *runCmd) outcome(r *report.Report, failed error) error {
	switch {
	case errors.Is(failed, engine.ErrInterrupted):
		return coded{fmt.Errorf("%w: %s", failed, c.kept(r)), exitInterrupted}
	case failed != nil:
		return fmt.Errorf("%w: %s", failed, c.kept(r))
	case r.Dead() != "":
		return errors.New(r.Dead())
	case r.Void():
		return coded{errSilent, exitAudit}
	}
	return nil
}

// kept says what there is of a run that ended early.
func (c *runCmd) kept(r *report.Report) string {
	if len(r.Runs) == 0 {
		return "nothing was measured"
	}
	return fmt.Sprintf("%d of %d trials were finished and kept in %s", r.Whole(), r.Planned(), resultsPath(c.Out))
}

// scriptsOf lists the scripts of the cells' workloads, where a strategy runs
// them.
func scriptsOf(cells []results.Cell) (used []results.Script) {
	for _, cell := range cells {
		workload, _ := workloads.All.Get(cell.Workload)
		scripted, ok := workload.(workloads.Scripted)
		if kind, _ := strategies.All.Get(cell.Strategy); !ok || !kind.Scripts {
			continue
		}
		s := results.Script{Name: scripted.Script().Name, SHA1: scripted.Script().SHA1, Body: scripted.Script().Body}
		if !slices.Contains(used, s) {
			used = append(used, s)
		}
	}
	return used
}

// startServer starts a throw-away server, which ends with the program.
func (c *runCmd) startServer(s *session) (live.Target, error) {
	server, err := c.start()
	if err != nil {
		return live.Target{}, err
	}
	s.cleanup.add(func() { _ = server.Stop() })
	return live.Target{Network: server.Network, Address: server.Address, Embedded: server.Embedded, Started: true}, nil
}

// keyPrefix is a prefix that no other run uses.
func keyPrefix() string {
	token := make([]byte, 6)
	_, _ = rand.Read(token) // never fails
	return "rmwbench:" + hex.EncodeToString(token) + ":"
}
