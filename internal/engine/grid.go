package engine

import (
	"slices"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// cross multiplies cells by the values of one axis, the last axis fastest. An
// axis without values changes nothing.
func cross[T any](cells []results.Cell, values []T, set func(*results.Cell, T)) []results.Cell {
	if len(values) == 0 {
		return cells
	}
	product := make([]results.Cell, 0, len(cells)*len(values))
	for _, c := range cells {
		for _, v := range values {
			set(&c, v)
			product = append(product, c)
		}
	}
	return product
}

// unique drops cells that came before.
func unique(cells []results.Cell) []results.Cell {
	seen := make(map[results.Cell]bool, len(cells))
	kept := cells[:0]
	for _, c := range cells {
		if !seen[c] {
			seen[c] = true
			kept = append(kept, c)
		}
	}
	return kept
}

// settings lists everything of the grid but strategy, retry design and number
// of clients. An axis that means nothing to a distribution or a workload stays
// zero.
func (p *Plan) settings() []results.Cell {
	type cell = results.Cell
	cells := []cell{{
		Conn: results.ConnDedicated, Herd: p.Herd, Burst: p.Burst.String(),
		Bystanders: p.Bystanders.Clients, BystandersClosed: p.Bystanders.Closed,
	}}
	cells = cross(cells, p.Workloads, func(c *cell, v string) { c.Workload = v })
	cells = cross(cells, p.Dists, func(c *cell, v string) { c.Dist = v })
	cells = cross(cells, p.Skews, func(c *cell, v float64) { c.Skew = v })
	cells = cross(cells, p.Hots, func(c *cell, v contention.Hot) { c.Hot = v.String() })
	cells = cross(cells, p.Keys, func(c *cell, v int) { c.Keys = v })
	cells = cross(cells, p.Decisions, func(c *cell, v time.Duration) { c.DecisionNS = int64(v) })
	cells = cross(cells, p.Thinks, func(c *cell, v time.Duration) { c.ThinkNS = int64(v) })
	cells = cross(cells, p.RTTs, func(c *cell, v time.Duration) { c.RTTNS = int64(v) })
	cells = cross(cells, p.Rates, func(c *cell, v float64) { c.Rate = v })
	cells = cross(cells, p.Faults, func(c *cell, v contention.FaultShares) { c.Fault = v.String() })
	cells = cross(cells, p.ValueBytes, func(c *cell, v int) { c.ValueBytes = v })
	cells = cross(cells, p.Shards, func(c *cell, v int) {
		if v > 1 {
			c.Shards = v
		}
	})
	cells = cross(cells, p.ServerSpeeds, func(c *cell, v float64) {
		if v != 1 {
			c.ServerSpeed = v
		}
	})
	for i := range cells {
		kind, _ := contention.Dists.Get(cells[i].Dist) // Validate has seen the name
		if !kind.Skewed {
			cells[i].Skew = 0
		}
		if !kind.Hot {
			cells[i].Hot = ""
		}
		workload, _ := workloads.All.Get(cells[i].Workload)
		if sized, ok := workload.(workloads.Sized); !ok {
			cells[i].ValueBytes = 0
		} else if cells[i].ValueBytes == 0 {
			cells[i].ValueBytes = sized.Size()
		}
	}
	return unique(cells)
}

// Grid lists the cells in plan order and the combinations that cannot run,
// with their reasons. The plan must be valid.
func (p *Plan) Grid(facts strategies.Facts) (cells []results.Cell, na []results.NotApplicable) {
	refused := map[results.NotApplicable]bool{}
	for _, setting := range p.settings() {
		workload, _ := workloads.Get(setting.Workload, setting.ValueBytes)
		for _, name := range p.Strategies {
			kind, _ := strategies.All.Get(name)
			refuse := func(reason string) {
				n := results.NotApplicable{Strategy: name, Workload: setting.Workload, Reason: reason}
				if !refused[n] {
					refused[n] = true
					na = append(na, n)
				}
			}
			if reason := kind.NotApplicable(workload, facts); reason != "" {
				refuse(reason)
				continue
			}
			setting.Strategy = name
			for _, c := range cross([]results.Cell{setting}, p.Conns, func(c *results.Cell, v string) { c.Conn = v }) {
				if reason := kind.NotShared(); reason != "" && c.Conn == results.ConnShared {
					refuse("--conn " + c.Conn + ": " + reason)
					continue
				}
				ways := p.ways(c, kind)
				if reason := unread(workload); reason != "" && slices.ContainsFunc(ways, readsBack) {
					refuse(reason)
					ways = slices.DeleteFunc(ways, readsBack)
				}
				cells = append(cells, cross(ways, p.Clients,
					func(c *results.Cell, v int) { c.Clients = v })...)
			}
		}
	}
	return cells, na
}

// ways multiplies a cell by script times, which mean nothing to a strategy
// without a script; by what follows attempts without an answer; by back-offs and
// tries, which mean nothing to ops that are tried once, as base and cap do to a
// back-off that does not wait.
func (p *Plan) ways(cell results.Cell, kind strategies.Kind) []results.Cell {
	cells := []results.Cell{cell}
	switch {
	case !kind.Scripts:
	case p.ScriptTimeIsDecision:
		cells[0].ScriptTimeNS = cell.DecisionNS
	default:
		cells = cross(cells, p.ScriptTimes, func(c *results.Cell, v time.Duration) { c.ScriptTimeNS = int64(v) })
	}
	again := false // attempts are repeated, and so back-off means something
	cells = cross(cells, p.OnUnknowns, func(c *results.Cell, v string) {
		if c.OnUnknown = v; v == PolicyStop {
			c.OnUnknown = ""
		} else {
			again = true
		}
	})
	cells = cross(cells, p.OnFaileds, func(c *results.Cell, v string) {
		if c.OnFailed = v; v == PolicyStop {
			c.OnFailed = ""
		} else {
			again = true
		}
	})
	if !kind.Retries && !again {
		return cells
	}
	cells = cross(cells, p.Backoffs, func(c *results.Cell, v string) { c.Backoff = v })
	cells = cross(cells, p.MaxTries, func(c *results.Cell, v int) { c.MaxTries = v })
	for i := range cells {
		if k, _ := contention.Backoffs.Get(cells[i].Backoff); k.Waits {
			cells[i].BackoffBaseNS, cells[i].BackoffCapNS = int64(p.BackoffBase), int64(p.BackoffCap)
		}
	}
	return cells
}
