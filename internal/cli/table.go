package cli

import (
	"fmt"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// newTable is an empty table in the house style: no frame, columns apart by
// two blanks, a rule under the head.
func newTable(columns ...string) table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options.DrawBorder = false
	style.Options.SeparateColumns = false
	style.Options.SeparateHeader = true
	style.Box.PaddingLeft = ""
	style.Box.PaddingRight = "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	row := make(table.Row, len(columns))
	for i, c := range columns {
		row[i] = c
	}
	t.AppendHeader(row)
	return t
}

// resultTable has one row for each cell of a setting.
func resultTable(rows []results.Summary) table.Writer {
	// The interval is named for what it is: of the median at 95 %, or least to
	// most where there are too few trials for one.
	interval := "95 % interval"
	for i := range rows {
		if g := rows[i].Goodput(); g.N > 0 && !g.Confident {
			interval = "least .. most"
		}
	}
	t := newTable("strategy", "back-off", "clients", "goodput/s", interval, "attempts/op", "conflict %", "exchanges/op", "p50", "p99", "audit")
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 3, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 4, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 5, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 6, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 7, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 8, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 9, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 10, Align: text.AlignRight, AlignHeader: text.AlignRight},
	})
	for i := range rows {
		t.AppendRow(resultRow(&rows[i]))
	}
	return t
}

func resultRow(s *results.Summary) table.Row {
	row := table.Row{s.Strategy, backoff(s.Cell), s.Clients}
	switch {
	case s.Audit.Void():
		return append(row, "void", "void", "void", "void", "void", "void", "void", auditCell(s))
	case s.Trials == 0:
		return append(row, "-", "-", "-", "-", "-", "-", "-", "-")
	}
	g := s.Goodput()
	return append(row,
		fmt.Sprintf("%.0f", g.Center), fmt.Sprintf("%.0f .. %.0f", g.Lo, g.Hi),
		figure("%.2f", 1)(s.AttemptsPerOp()), figure("%.1f", 100)(s.ConflictRate()), figure("%.2f", 1)(s.ExchangesPerOp()),
		percentile(s.Latency, 0.5), percentile(s.Latency, 0.99), auditCell(s))
}

func backoff(c results.Cell) string {
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

func percentile(h *results.Histogram, q float64) string {
	d, ok := h.Quantile(q)
	if !ok {
		return "n/a"
	}
	return short(d)
}

func auditCell(s *results.Summary) string {
	a := s.Audit
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

// short prints a duration with three digits.
func short(d time.Duration) string {
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= unit {
			v := float64(d) / float64(unit)
			name := map[time.Duration]string{time.Second: "s", time.Millisecond: "ms", time.Microsecond: "µs"}[unit]
			switch {
			case v >= 100:
				return fmt.Sprintf("%.0f %s", v, name)
			case v >= 10:
				return fmt.Sprintf("%.1f %s", v, name)
			}
			return fmt.Sprintf("%.2f %s", v, name)
		}
	}
	return fmt.Sprintf("%d ns", d)
}

// remarks says in words what makes rows void and what did not go well.
func remarks(rows []results.Summary) (lines []string) {
	for i := range rows {
		s := &rows[i]
		who := fmt.Sprintf("%s, %d clients", verdict.Label(s.Cell), s.Clients)
		if s.Audit.Void() {
			lines = append(lines, fmt.Sprintf("VOID %s: %s.", who, s.Audit))
		} else if s.Audit.Unknown > 0 {
			lines = append(lines, fmt.Sprintf("%s: audit %s.", who, s.Audit))
		}
		for _, n := range []struct {
			count int64
			what  string
		}{{s.GaveUp, "gave up"}, {s.Failed, "failed"}, {s.Unknown, "ended unknown"}} {
			if n.count > 0 {
				lines = append(lines, fmt.Sprintf("%s: %d ops %s.", who, n.count, n.what))
			}
		}
		if s.Partial > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d trial cut short and left out of the figures.", who, s.Partial))
		}
		for _, w := range s.Warnings {
			lines = append(lines, fmt.Sprintf("warning, %s: %s.", who, w))
		}
	}
	return lines
}
