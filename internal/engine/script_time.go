package engine

import (
	"errors"
	"fmt"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// Spinner is a world whose servers can be kept busy by scripts that spin.
type Spinner interface {
	// Spin readies the world, whose servers are idle, for a load of scripts that
	// take d beyond their own work. work does one op of the load's kind, with a
	// script that does not spin: what scripts take by themselves.
	Spin(d time.Duration, work func(strategies.Session) error) (Spin, error)
}

// Spin keeps the script time of one load. Its methods may be called by many
// clients at once, End aside.
type Spin interface {
	// Iterations is how often the script of the next attempt is to spin.
	Iterations() int64
	// Ended tells of an attempt whose script was to spin that often.
	Ended(iterations int64)
	// End ends the load. lost says that a server does not answer any more. The
	// answer is what script time came to in the measured window, as far as servers
	// told times apart, nil where they do not tell, and a warning or "".
	End(from, to time.Duration, lost bool) (achieved *results.Spread, warning string)
}

// spin readies the world for the cell's script time; nil where there is none.
func (t *trial) spin() (spin Spin, err error) {
	d := time.Duration(t.cell.ScriptTimeNS)
	if d == 0 {
		return nil, nil
	}
	spinner, ok := t.Runner.World.(Spinner)
	if !ok {
		return nil, fmt.Errorf("%s: this server cannot be kept busy for a script time of %v", t.cell.Strategy, d)
	}
	t.Runner.World.Run(func() {
		base := t.Plan.Prefix + "{spin}"
		removal := t.removal(base)
		if err = t.sole(base); err == nil {
			spin, err = spinner.Spin(d, t.work(base, &removal))
		}
		replies, cleaned := t.exchange(removal)
		if text := firstError(replies); cleaned == nil && text != "" {
			cleaned = errors.New(text)
		}
		err = errors.Join(err, cleaned)
	})
	if err != nil {
		if spin != nil {
			spin.End(0, 0, true)
		}
		return nil, fmt.Errorf("script time of %v: %w", d, err)
	}
	return spin, nil
}

// sole brings the keys of one base, which takes no part in the load, into the
// state that a trial starts from.
func (t *trial) sole(base string) error {
	replies, err := t.exchange(append([]resp.Cmd{t.removal(base)}, t.workload.Setup(base)...)...)
	if err == nil && firstError(replies) != "" {
		err = fmt.Errorf("the server refuses to prepare it: %s", firstError(replies))
	}
	return err
}

// work does one op after the other on a base. What it leaves beside the base's
// own keys is added to their removal.
func (t *trial) work(base string, removal *resp.Cmd) func(strategies.Session) error {
	rng := contention.Stream(t.run.Seed, Control, contention.Ops)
	n := 0
	return func(s strategies.Session) error {
		op := t.workload.Next(rng, n, base)
		op.ID = workloads.OpID(0, n)
		n++
		if t.kind.LeavesTokens(t.workload) {
			*removal = append(*removal, op.TokenKey())
		}
		if out := t.kind.Strategy.Attempt(s, t.workload, op); out.Error != "" {
			return fmt.Errorf("an op of %s fails: %s", t.cell.Strategy, out.Error)
		}
		return nil
	}
}
