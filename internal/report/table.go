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
	if s.Rate > 0 {
		t.Columns = slices.Insert(t.Columns, len(t.Columns)-1, "service p99", "late %")
	}
	kept := s.kept()
	t.Columns = slices.Insert(t.Columns, len(t.Columns)-1, kept.columns...)
	last := len(t.Columns) - 1
	t.Figures = func(column int) bool { return column >= firstFigure && column < last }
	for i := range s.Rows {
		row := figures(&s.Rows[i])
		row = slices.Insert(row, predictedColumn, beside.figures(&s.Rows[i])...)
		if s.Rate > 0 {
			row = slices.Insert(row, len(row)-1, percentile(s.Rows[i].Service, 0.99), figure("%.1f", 100)(late(&s.Rows[i])))
		}
		row = slices.Insert(row, len(row)-1, kept.figures(&s.Rows[i])...)
		t.Rows = append(t.Rows, row)
	}
	return t
}

func figures(s *results.Summary) []string {
	name := s.Strategy
	if s.ScriptTimeNS > 0 {
		name += fmt.Sprintf(" of %v", time.Duration(s.ScriptTimeNS))
	}
	row := []string{name, Backoff(s.Cell), fmt.Sprint(s.Clients)}
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

// beside is what stands beside the figures of a row.
type beside struct {
	columns []string
	figures func(*results.Summary) []string
}

// beside is what a simulation makes of measured rows, or what the model makes of
// simulated ones.
func (s *Setting) beside() beside {
	switch {
	case s.Source == results.SourceSimulated:
		return beside{[]string{"model/s"}, s.modelled}
	case s.Predicted != nil:
		return beside{[]string{"predicted/s", "error %", "error of p"}, s.predicted}
	}
	return beside{nil, func(*results.Summary) []string { return nil }}
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
