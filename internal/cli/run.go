package cli

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/results"
)

// runCmd measures.
type runCmd struct {
	gridFlags
	serverFlags
	Out   string `placeholder:"DIR" default:"rmwbench-out" group:"output" help:"Directory for the results file (${default})."`
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
	rtt := time.Duration(0)
	if !c.named() {
		rtt = startedRTT
	}
	plan, err := c.plan(rtt, keyPrefix())
	if err == nil {
		err = c.check()
	}
	var target live.Target
	if err == nil && c.named() {
		target, err = c.target()
	}
	if err == nil {
		err = checkOut(c.Out, c.Force)
	}
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
	facts, err := world.Facts()
	if err != nil {
		return err
	}
	header := results.Header{
		Version: version(), Command: masked(s.args), Started: world.Began().UTC().Truncate(time.Second),
		Seed: plan.Seed, Trials: plan.Trials,
		DurationNS: int64(plan.Duration), WarmupNS: int64(plan.Warmup), Ops: plan.Ops,
		Environment: live.Environment(), Server: facts,
	}
	header.Cells, header.NA = plan.Grid(live.Known(facts))
	if len(header.Cells) == 0 {
		n := header.NA[0]
		return usage(fmt.Errorf("nothing to run: %s cannot do %s: %s", n.Strategy, n.Workload, n.Reason))
	}
	most := 0
	for _, n := range plan.Clients {
		most = max(most, n)
	}
	if err := world.CheckCapacity(most); err != nil {
		return err
	}
	file, err := createResults(c.Out)
	if err != nil {
		return err
	}
	defer file.Close()
	writer, err := results.NewWriter(file, header)
	if err != nil {
		return err
	}
	return c.measure(s, world, plan, header, writer)
}

// measure runs the plan and reports whatever came of it.
func (c *runCmd) measure(s *session, world *live.World, plan *engine.Plan, header results.Header, writer *results.Writer) error {
	var runs []results.Run
	progress := newProgress(s.err, c.Quiet)
	runner := engine.Runner{
		Plan: plan, World: world, Source: results.SourceLive, Cells: header.Cells,
		Shards: runtime.GOMAXPROCS(0), Stop: s.stop, Progress: progress.show,
		Sink: func(run *results.Run) error {
			runs = append(runs, *run)
			return writer.Write(run)
		},
	}
	failed := runner.Run()
	progress.end()
	report := newReport(header, runs)
	switch {
	case c.CSV:
		if err := report.csv(s.out); err != nil {
			return err
		}
	default:
		report.text(s.out, c.Quiet)
	}
	if !c.Quiet && !c.CSV {
		fmt.Fprintf(s.out, "\nResults: %s\n", resultsPath(c.Out))
	}
	return c.outcome(report, failed)
}

// outcome is the error that stands for the run's exit code.
func (c *runCmd) outcome(report *report, failed error) error {
	switch {
	case errors.Is(failed, engine.ErrInterrupted):
		return coded{fmt.Errorf("interrupted: %d of %d trials were finished and kept in %s",
			report.whole(), report.planned(), resultsPath(c.Out)), exitInterrupted}
	case failed != nil:
		return fmt.Errorf("%w: %d of %d trials were finished and kept in %s",
			failed, report.whole(), report.planned(), resultsPath(c.Out))
	case report.dead() != "":
		return errors.New(report.dead())
	case report.void():
		return coded{errSilent, exitAudit}
	}
	return nil
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
