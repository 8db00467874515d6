package report

import (
	"fmt"
	"slices"
	"time"

	"rmwbench/results"
)

// firstFigure is the first column that holds a figure and is aligned right.
const firstFigure = 2

// Table is a setting's rows as text, all columns of the same length.
type Table struct {
	Columns []string
	Figures func(column int) bool // the column holds numbers
	Rows    [][]string
	detail  []bool // of Columns: left out of a brief table
}

// Table has one row for each cell.
func (s *Setting) Table() Table {
	groups := []columnGroup{
		s.way(), s.measured(), s.beside(), latencies(), s.openLoop(), s.scriptTime(), s.load(), s.bystanders(), s.recovery(), s.kept(), audit(),
	}
	var t Table
	for _, g := range groups {
		for _, c := range g.columns {
			t.Columns, t.detail = append(t.Columns, c.name), append(t.detail, c.detail)
		}
	}
	last := len(t.Columns) - 1
	t.Figures = func(column int) bool { return column >= firstFigure && column < last }
	for i := range s.Rows {
		var row []string
		for _, g := range groups {
			row = append(row, g.of(&s.Rows[i])...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Brief is the table as far as a terminal has room for it: without what a
// sentence says as well, what follows from other columns, and what is the same
// in all rows.
func (t Table) Brief() Table {
	var kept []int
	for i := range t.Columns {
		if !t.detail[i] {
			kept = append(kept, i)
		}
	}
	pick := func(words []string) []string {
		brief := make([]string, len(kept))
		for to, from := range kept {
			brief[to] = words[from]
		}
		return brief
	}
	b := Table{Columns: pick(t.Columns), detail: make([]bool, len(kept)), Figures: func(column int) bool { return t.Figures(kept[column]) }}
	for _, row := range t.Rows {
		b.Rows = append(b.Rows, pick(row))
	}
	return b
}

// column is the head of a column.
type column struct {
	name   string
	detail bool // left out of a brief table
}

// columnGroup is columns that belong together. The zero columnGroup is none.
type columnGroup struct {
	columns []column
	figures func(*results.Summary) []string
}

func (g columnGroup) of(row *results.Summary) []string {
	if g.figures == nil {
		return nil
	}
	return g.figures(row)
}

// columns are some without detail.
func columns(names ...string) (all []column) {
	for _, name := range names {
		all = append(all, column{name: name})
	}
	return all
}

// way is what a row is about. That there is no back-off in any row is detail.
func (s *Setting) way() columnGroup {
	backoff := s.any(func(row *results.Summary) bool { return row.Backoff != "" })
	return columnGroup{[]column{{name: "strategy"}, {"back-off", !backoff}, {name: "clients"}}, func(row *results.Summary) []string {
		return []string{named(row), Backoff(row.Cell), fmt.Sprint(row.Clients)}
	}}
}

// measured is what a row came to. The interval of the goodput is named for what
// it is: of the median at 95 %, or least to most where there are too few trials
// for one. The share of conflicts follows from the attempts per op.
func (s *Setting) measured() columnGroup {
	interval := "95 % interval"
	if s.any(func(row *results.Summary) bool { g := row.Goodput(); return g.N > 0 && !g.Confident }) {
		interval = "least .. most"
	}
	names := []column{{name: "goodput/s"}, {name: interval}, {name: "attempts/op"}, {"conflict %", true}, {name: "exchanges/op"}}
	return columnGroup{names, func(row *results.Summary) []string {
		g := row.Goodput()
		return figuresOf(row, fmt.Sprintf("%.0f", g.Center), fmt.Sprintf("%.0f .. %.0f", g.Lo, g.Hi),
			figure("%.2f", 1)(row.AttemptsPerOp()), figure("%.1f", 100)(row.ConflictRate()), figure("%.2f", 1)(row.ExchangesPerOp()))
	}}
}

// latencies are those of committed ops.
func latencies() columnGroup {
	return columnGroup{columns("p50", "p99"), func(row *results.Summary) []string {
		return figuresOf(row, atLeast(row, 0.5), atLeast(row, 0.99))
	}}
}

// audit is what the stored state was found to be.
func audit() columnGroup {
	return columnGroup{columns("audit"), func(row *results.Summary) []string {
		if row.Trials == 0 && !row.Audit.Void() {
			return []string{"-"}
		}
		return []string{auditCell(row.Audit)}
	}}
}

// figuresOf are the figures of a row, if the row has figures.
func figuresOf(row *results.Summary, texts ...string) []string {
	instead := ""
	switch {
	case row.Audit.Void():
		instead = "void"
	case row.Trials == 0:
		instead = "-"
	default:
		return texts
	}
	return slices.Repeat([]string{instead}, len(texts))
}

// openLoop is how arrivals fared.
func (s *Setting) openLoop() columnGroup {
	if s.Rate == 0 {
		return columnGroup{}
	}
	return columnGroup{columns("service p99", "late %"), func(row *results.Summary) []string {
		return []string{percentile(row.Service, 0.99), figure("%.1f", 100)(late(row))}
	}}
}

// recovery is how long latency took to be back after a burst.
func (s *Setting) recovery() columnGroup {
	if s.Burst == "" {
		return columnGroup{}
	}
	return columnGroup{columns("recovery"), func(row *results.Summary) []string { return []string{s.recoveryCell(row)} }}
}

// hasScriptTime reports whether some row has a script time.
func (s *Setting) hasScriptTime() bool {
	return slices.ContainsFunc(s.Rows, func(r results.Summary) bool { return r.ScriptTimeNS > 0 })
}

// scriptTime is what script time came to.
func (s *Setting) scriptTime() columnGroup {
	if !s.hasScriptTime() {
		return columnGroup{}
	}
	return columnGroup{columns("script time"), func(row *results.Summary) []string { return []string{scriptTime(row)} }}
}

// scriptTime is what a row's script time came to, on average.
func scriptTime(s *results.Summary) string {
	if s.ScriptTimeNS == 0 {
		return "-"
	}
	d, ok := s.ScriptTime()
	if !ok {
		return "n/a"
	}
	return Short(d)
}

// named is a row's strategy, with the mark of a row that is invalid.
func named(s *results.Summary) string {
	name := s.Strategy
	if s.ScriptTimeNS > 0 {
		name += fmt.Sprintf(" of %v", time.Duration(s.ScriptTimeNS))
	}
	if s.Conn == results.ConnShared {
		name += ", shared"
	}
	if s.OnUnknown != "" {
		name += ", unknown: " + s.OnUnknown
	}
	if s.OnFailed != "" {
		name += ", failed: " + s.OnFailed
	}
	if s.Invalid() {
		name += " " + invalidMark
	}
	return name
}

// beside is what a simulation makes of measured rows, or what the model makes of
// simulated ones. How far off predictions are is said in a sentence, too.
func (s *Setting) beside() columnGroup {
	switch {
	case s.Source == results.SourceSimulated:
		return columnGroup{columns("model/s"), s.modelled}
	case s.Predicted != nil:
		return columnGroup{[]column{{name: "predicted/s"}, {"error %", true}, {"error of p", true}}, s.predicted}
	}
	return columnGroup{}
}

func (s *Setting) predicted(row *results.Summary) []string {
	e, ok := s.Error(row)
	if !ok {
		return []string{"-", "-", "-"}
	}
	p := "n/a"
	if e.PKnown {
		p = fmt.Sprintf("%+.3f", e.P)
	}
	return []string{fmt.Sprintf("%.0f", e.Goodput), fmt.Sprintf("%+.1f", 100*e.Relative), p}
}

func (s *Setting) modelled(row *results.Summary) []string {
	x, ok := s.Modelled(row)
	if !ok {
		return []string{"-"}
	}
	return []string{fmt.Sprintf("%.0f", x)}
}

// Backoff names a retry design, or "-" where there is none.
func Backoff(c results.Cell) string {
	switch {
	case c.Backoff == "":
		return "-"
	case c.MaxTries > 0:
		return fmt.Sprintf("%s, %d tries", c.Backoff, c.MaxTries)
	}
	return c.Backoff
}

// figure prints a value that may not be there, scaled.
func figure(format string, scale float64) func(v float64, ok bool) string {
	return func(v float64, ok bool) string {
		if !ok {
			return "n/a"
		}
		return fmt.Sprintf(format, v*scale)
	}
}

// atLeast is a percentile of committed ops; of a row that was cut off it is a
// lower bound.
func atLeast(s *results.Summary, q float64) string {
	text := percentile(s.Latency, q)
	if s.CutOff() && text != "n/a" {
		return ">" + text
	}
	return text
}

func percentile(h *results.Histogram, q float64) string {
	d, ok := h.Quantile(q)
	if !ok {
		return "n/a"
	}
	return Short(d)
}

func auditCell(a results.Audit) string {
	switch a.Verdict {
	case results.AuditLost:
		return fmt.Sprintf("LOST %d of %d", a.Lost, a.Acknowledged)
	case results.AuditExtra:
		return fmt.Sprintf("EXTRA %d", a.Extra)
	case results.AuditBroken:
		return "BROKEN"
	case results.AuditNone:
		return "none"
	}
	return a.Verdict
}
