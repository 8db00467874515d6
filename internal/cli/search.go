package cli

import (
	"fmt"
	"io"

	"rmwbench/internal/goal"
	"rmwbench/internal/report"
	"rmwbench/results"
)

// goalFlag says what loads are held to.
type goalFlag struct {
	Goal string `placeholder:"LIMITS" group:"goal" help:"Limits like p99<20ms,retries<1 over p50, p99, p99.9, retries, gave-up and server. With -c each load is held to them; without, the most clients that meet them are searched for."`
}

// goal is what the flag says; nil if it is not given.
func (f *goalFlag) goal() (goal.Goal, error) {
	if f.Goal == "" {
		return nil, nil
	}
	g, err := goal.Parse(f.Goal)
	if err != nil {
		return nil, fmt.Errorf("--goal %w", err)
	}
	return g, nil
}

// probe runs n trials of a cell, the first of them with that number, and logs
// them.
type probe func(cell results.Cell, first, n int) error

// moreTrials bounds, as a multiple of the trials asked for, how many are run
// until percentiles have the samples they need.
const moreTrials = 16

// search finds for each way of the log's cells the most clients that meet its
// goal, up to the most that it may have. What it finds shows in the log: the
// report says it.
func search(log *runLog, most func(results.Cell) int, trials int, run probe) error {
	g, err := goal.Parse(log.header.Goal)
	if err != nil {
		return err
	}
	for _, c := range log.cells {
		_, err := goal.Largest(most(c), func(clients int) (bool, error) {
			c.Clients = clients
			return meets(g, c, trials, log, run)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// telling is a probe that says on w what it tries: a search can take long.
func telling(w io.Writer, quiet bool, run probe) probe {
	return func(cell results.Cell, first, n int) error {
		if !quiet {
			fmt.Fprintf(w, "trying %s\n", report.Who(cell))
		}
		return run(cell, first, n)
	}
}

// meets runs a cell until it is known whether it meets the goal. Where the
// samples will not do, as with one client of a herd, the search goes on: larger
// loads have more.
func meets(g goal.Goal, c results.Cell, trials int, log *runLog, run probe) (bool, error) {
	for have, n := 0, trials; ; n = have {
		if err := run(c, have, n); err != nil {
			return false, err
		}
		have += n
		answer, why := g.Judge(log.summary(c))
		switch {
		case answer == goal.Met:
			return true, nil
		case answer == goal.Missed:
			return false, nil
		case answer == goal.Untold:
			return false, fmt.Errorf("--goal %s cannot be judged: %s", g, why)
		case have >= moreTrials*trials:
			return true, nil
		}
	}
}
