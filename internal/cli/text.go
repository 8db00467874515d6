package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"rmwbench/internal/report"
)

// printReport prints everything for a reader; brief leaves only tables and
// what makes their rows void. Without a whole trial no figure was measured and
// nothing is printed.
func printReport(w io.Writer, r *report.Report, brief bool) {
	if r.Whole() == 0 && !r.Void() {
		return
	}
	if !brief {
		for _, h := range r.Headers {
			lines(w, report.About(h))
		}
	}
	for i := range r.Settings {
		s := &r.Settings[i]
		if len(s.Rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n%s\n", s.Title(), rendered(s.Table().Brief()))
		lines(w, s.Remarks())
		lines(w, s.Goals(r.Goal()))
		if !brief {
			lines(w, s.Verdict())
			lines(w, s.Price())
		}
	}
	for _, t := range r.Twins() {
		fmt.Fprintf(w, "\n%s\n%s\n", t.Title, rendered(t.Table.Brief()))
		lines(w, t.Notes)
	}
	if !brief {
		fmt.Fprintln(w)
		if accuracy := r.Accuracy(); accuracy != "" {
			fmt.Fprintln(w, accuracy)
		}
		fmt.Fprintln(w, r.Witness())
		lines(w, r.NotApplicable())
	}
}

func lines(w io.Writer, all []string) {
	for _, line := range all {
		fmt.Fprintln(w, line)
	}
}

// rendered is a table of figures as text.
func rendered(t report.Table) string {
	heads := slices.Clone(t.Columns)
	for i, head := range heads {
		widest := 0
		for _, row := range t.Rows {
			widest = max(widest, text.StringWidthWithoutEscSequences(row[i]))
		}
		heads[i] = wrapped(head, widest)
	}
	out := newTable(heads...)
	var configs []table.ColumnConfig
	for i := range t.Columns {
		if t.Figures(i) {
			configs = append(configs, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	out.SetColumnConfigs(configs)
	for _, row := range t.Rows {
		out.AppendRow(tableRow(row))
	}
	return out.Render()
}

// wrapped is the head of a column, on two lines if it is wider than all that
// stands below it: apart at the blank, or before the stroke, that makes its
// longer line the shortest.
func wrapped(head string, column int) string {
	best, width := head, len(head)
	if width <= column {
		return head
	}
	for i, c := range head {
		if c != ' ' && c != '/' {
			continue
		}
		rest := strings.TrimSpace(head[i:])
		if longer := max(i, len(rest)); longer < width {
			best, width = head[:i]+"\n"+rest, longer
		}
	}
	return best
}

func tableRow(words []string) table.Row {
	row := make(table.Row, len(words))
	for i, word := range words {
		row[i] = word
	}
	return row
}

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
	t.AppendHeader(tableRow(columns))
	return t
}
