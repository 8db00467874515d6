package report

import (
	"fmt"
	"slices"
	"strings"

	"rmwbench/results"
)

// invalidMark stands behind the name of a row in which the tool measured itself.
const invalidMark = "!"

// load is what a row cost: the tool's share of all its cores, and that of one
// core that the server's main thread took. A column that no row has is left out;
// where nobody is busy they are detail.
func (s *Setting) load() columnGroup {
	tool := s.any(func(row *results.Summary) bool { _, ok := row.ClientLoad(); return ok })
	server := s.any(func(row *results.Summary) bool { _, ok := row.ServerLoad(); return ok })
	idle := !s.any(busy)
	var b columnGroup
	switch {
	case s.any((*results.Summary).Hosts): // nobody can tell them apart
		b.columns = append(b.columns, column{"tool and server %", idle})
	case tool:
		b.columns = append(b.columns, column{"tool %", idle})
	}
	if server {
		b.columns = append(b.columns, column{"server %", idle})
	}
	percent := figure("%.0f", 100)
	b.figures = func(row *results.Summary) (words []string) {
		if tool {
			words = append(words, percent(row.ClientLoad()))
		}
		if server {
			words = append(words, percent(row.ServerLoad()))
		}
		return words
	}
	return b
}

// busy reports whether the tool or the server came near what it can do. That
// scripts which take their time keep a server busy is no news.
func busy(row *results.Summary) bool {
	tool, _ := row.ClientLoad()
	server, _ := row.ServerLoad()
	if row.ScriptTimeNS > 0 {
		server = 0
	}
	return row.Invalid() || max(tool, server) >= results.Busy
}

func (s *Setting) any(test func(*results.Summary) bool) bool {
	for i := range s.Rows {
		if test(&s.Rows[i]) {
			return true
		}
	}
	return false
}

// who names the rows that a test picks out, or "".
func (s *Setting) who(test func(*results.Summary) bool) string {
	var who []string
	for i := range s.Rows {
		if row := &s.Rows[i]; test(row) {
			who = append(who, Who(row.Cell))
		}
	}
	return strings.Join(who, "; ")
}

// warnings are those of all rows, each said once. What is said of invalid rows
// is not said again.
func (s *Setting) warnings() (lines []string) {
	var texts []string
	applies := func(row *results.Summary, text string) bool {
		said := row.Invalid() && (text == results.BusyWarning || text == results.SaturatedWarning)
		return !said && slices.Contains(row.Warnings, text)
	}
	for i := range s.Rows {
		for _, text := range s.Rows[i].Warnings {
			if applies(&s.Rows[i], text) && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	for _, text := range texts {
		who := s.who(func(row *results.Summary) bool { return applies(row, text) })
		lines = append(lines, fmt.Sprintf("warning, %s: %s.", who, strings.TrimRight(text, ". ")))
	}
	return lines
}

// invalid is what the mark of invalid rows means, with their names, or "".
func (s *Setting) invalid() string {
	who := s.who((*results.Summary).Invalid)
	if who == "" {
		return ""
	}
	return fmt.Sprintf("INVALID (%s): the tool itself used %.0f %% of its cores or more and was what limited these rows; "+
		"they say nothing about the server and take no part in the verdict: %s.", invalidMark, 100*results.Saturated, who)
}

// Invalid counts the setting's rows that are.
func (s *Setting) Invalid() (n int) {
	for i := range s.Rows {
		if s.Rows[i].Invalid() {
			n++
		}
	}
	return n
}
