package report

import (
	"fmt"
	"slices"

	"rmwbench/internal/verdict"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// leavesTokens reports whether the ops of a cell leave tokens behind: what makes
// them safe to be tried again costs memory.
func leavesTokens(c results.Cell) bool {
	kind, err := strategies.All.Get(c.Strategy)
	if err != nil {
		return false
	}
	workload, err := workloads.All.Get(c.Workload)
	return err == nil && kind.LeavesTokens(workload)
}

// keptPerOp is the memory in bytes that an op of the row leaves taken: the median
// over trials, for buffers of the server's own that grow or shrink meanwhile
// spoil one now and then. ok is false where ops leave no tokens, where the server
// does not say and where nothing is left.
func keptPerOp(row *results.Summary) (bytes float64, ok bool) {
	if !leavesTokens(row.Cell) || row.Audit.Void() || len(row.KeptPerOp) == 0 {
		return 0, false
	}
	bytes = results.Median(row.KeptPerOp).Center
	return bytes, bytes > 0
}

// kept is a column for what tokens cost, where there are any.
func (s *Setting) kept() columnGroup {
	if !slices.ContainsFunc(s.Rows, func(row results.Summary) bool { _, ok := keptPerOp(&row); return ok }) {
		return columnGroup{}
	}
	return columnGroup{columns("bytes kept/op"), func(row *results.Summary) []string {
		switch bytes, ok := keptPerOp(row); {
		case row.Audit.Void():
			return []string{"void"}
		case ok:
			return []string{fmt.Sprintf("%.0f", bytes)}
		}
		return []string{"-"}
	}}
}

// Price says in sentences what the tokens of each way cost: in memory, at the
// rate that was asked for, or else at the highest that was measured.
func (s *Setting) Price() (lines []string) {
	var ways []results.Cell
	dearest := map[results.Cell]*results.Summary{}
	for i := range s.Rows {
		row := &s.Rows[i]
		if _, ok := keptPerOp(row); !ok {
			continue
		}
		way := wayOf(row.Cell)
		if dearest[way] == nil {
			ways = append(ways, way)
		}
		if dearest[way] == nil || answeredRate(row) > answeredRate(dearest[way]) {
			dearest[way] = row
		}
	}
	for _, way := range ways {
		row := dearest[way]
		bytes, _ := keptPerOp(row)
		rate, at := answeredRate(row), "the %s ops/s measured with "+verdict.Count(row.Clients, "client")
		if s.Rate > 0 {
			rate, at = s.Rate, "the %s ops/s asked for"
		}
		life := workloads.DefaultTokenLife
		lines = append(lines, fmt.Sprintf("The price of safety, %s: an op leaves its token behind, about %.0f bytes for an hour. At "+at+" that is about %s.",
			verdict.Label(row.Cell), bytes, round(rate), Bytes(bytes*rate*life.Seconds())))
	}
	return lines
}

// answeredRate is committed and rejected ops per second.
func answeredRate(row *results.Summary) float64 {
	if row.Elapsed <= 0 {
		return 0
	}
	return float64(row.Committed+row.Rejected) / row.Elapsed.Seconds()
}

// round is a rate with two digits, as a reader would say it.
func round(v float64) string {
	scale := 1.0
	for v/scale >= 99.5 {
		scale *= 10
	}
	return fmt.Sprintf("%.0f", scale*float64(int(v/scale+0.5)))
}

// Bytes is an amount of memory with two digits, in decimal units.
func Bytes(n float64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB", "PB"}
	i := 0
	for n >= 999.5 && i < len(units)-1 {
		n, i = n/1000, i+1
	}
	if n < 9.95 && i > 0 {
		return fmt.Sprintf("%.1f %s", n, units[i])
	}
	return fmt.Sprintf("%.0f %s", n, units[i])
}
