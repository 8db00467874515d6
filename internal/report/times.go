package report

import (
	"fmt"

	"rmwbench/results"
)

// Times is what the server spent on each command, in microseconds a call by its
// own clock, one row for each cell; without rows where it does not say. The time of a
// script and of EXEC holds that of the commands that they execute.
func (s *Setting) Times() Table {
	t := Table{Columns: []string{"strategy", "back-off", "clients"}, Figures: func(column int) bool { return column >= firstFigure }}
	fixed := len(t.Columns)
	column := map[string]int{}
	for _, c := range results.CommandTimes(s.runs) {
		column[c.Name] = len(t.Columns)
		t.Columns = append(t.Columns, c.Name)
	}
	if len(t.Columns) == fixed {
		return t
	}
	for i := range s.Rows {
		row := &s.Rows[i]
		words := append([]string{named(row), Backoff(row.Cell), fmt.Sprint(row.Clients)}, make([]string, len(column))...)
		for i := fixed; i < len(words); i++ {
			words[i] = "-"
		}
		for _, c := range results.CommandTimes(s.Trials(row.Cell)) {
			words[column[c.Name]] = fmt.Sprintf("%.2f", float64(c.USec)/float64(c.Calls))
		}
		t.Rows = append(t.Rows, words)
	}
	return t
}
