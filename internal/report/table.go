package report

import (
	"fmt"
	"slices"
	"time"

	"rmwbench/results"
)

// predictedColumn is where predictions stand, behind the measured figures and
// before latencies.
const predictedColumn = 8

// firstFigure is the first column that holds a figure and is aligned right.
const firstFigure = 2

// Table is a setting's rows as text, all columns of the same length.
type Table struct {
	Columns []string
	Figures func(column int) bool // the column holds numbers
	Rows    [][]string
}

// Table has one row for each cell. The interval of the goodput is named for
// what it is: of the median at 95 %, or least to most where there are too few
// trials for one.
func (s *Setting) Table() Table {
	interval := "95 % interval"
	for i := range s.Rows {
		if g := s.Rows[i].Goodput(); g.N > 0 && !g.Confident {
			interval = "least .. most"
		}
	}
	t := Table{Columns: []string{
		"strategy", "back-off", "clients", "goodput/s", interval, "attempts/op", "conflict %", "exchanges/op", "p50", "p99", "audit",
	}}
	beside := s.beside()
	t.Columns = slices.Insert(t.Columns, predictedColumn, beside.columns...)
	more := []columnGroup{s.openLoop(), s.scriptTime(), s.load(), bystanders(s.Cell), s.recovery(), s.kept()}
	for _, g := range more {
		t.Columns = slices.Insert(t.Columns, len(t.Columns)-1, g.columns...)
	}
	last := len(t.Columns) - 1
	t.Figures = func(column int) bool { return column >= firstFigure && column < last }
	for i := range s.Rows {
		row := figures(&s.Rows[i])
		row = slices.Insert(row, predictedColumn, beside.of(&s.Rows[i])...)
		for _, g := range more {
			row = slices.Insert(row, len(row)-1, g.of(&s.Rows[i])...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// columnGroup is columns that only some tables have. The zero columnGroup is
// none.
type columnGroup struct {
	columns []string
	figures func(*results.Summary) []string
}

func (g columnGroup) of(row *results.Summary) []string {
	if g.figures == nil {
		return nil
	}
	return g.figures(row)
}

// openLoop is how arrivals fared.
func (s *Setting) openLoop() columnGroup {
	if s.Rate == 0 {
		return columnGroup{}
	}
	return columnGroup{[]string{"service p99", "late %"}, func(row *results.Summary) []string {
		return []string{percentile(row.Service, 0.99), figure("%.1f", 100)(late(row))}
	}}
}

// recovery is how long latency took to be back after a burst.
func (s *Setting) recovery() columnGroup {
	if s.Burst == "" {
		return columnGroup{}
	}
	return columnGroup{[]string{"recovery"}, func(row *results.Summary) []string { return []string{s.recoveryCell(row)} }}
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
	return columnGroup{[]string{"script time"}, func(row *results.Summary) []string { return []string{scriptTime(row)} }}
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

func figures(s *results.Summary) []string {
	row := []string{named(s), Backoff(s.Cell), fmt.Sprint(s.Clients)}
	switch {
	case s.Audit.Void():
		return append(row, "void", "void", "void", "void", "void", "void", "void", auditCell(s.Audit))
	case s.Trials == 0:
		return append(row, "-", "-", "-", "-", "-", "-", "-", "-")
	}
	g := s.Goodput()
	return append(row,
		fmt.Sprintf("%.0f", g.Center), fmt.Sprintf("%.0f .. %.0f", g.Lo, g.Hi),
		figure("%.2f", 1)(s.AttemptsPerOp()), figure("%.1f", 100)(s.ConflictRate()), figure("%.2f", 1)(s.ExchangesPerOp()),
		atLeast(s, 0.5), atLeast(s, 0.99), auditCell(s.Audit))
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
	if s.Invalid() {
		name += " " + invalidMark
	}
	return name
}

// beside is what a simulation makes of measured rows, or what the model makes of
// simulated ones.
func (s *Setting) beside() columnGroup {
	switch {
	case s.Source == results.SourceSimulated:
		return columnGroup{[]string{"model/s"}, s.modelled}
	case s.Predicted != nil:
		return columnGroup{[]string{"predicted/s", "error %", "error of p"}, s.predicted}
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
