// Package report owns the words and figures that a set of runs comes to: what
// was run on what, a table for each setting, the remarks and the verdict below
// it. It decides what is said, in one place for terminal, page and file; it
// prints nothing and draws nothing.
package report

import (
	"fmt"
	"slices"

	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// Report is a set of runs, grouped.
type Report struct {
	Headers  []results.Header
	Runs     []results.Run
	Settings []Setting
}

// Setting is what one table and one set of charts are about: cells that differ
// only in strategy, retry design and number of clients.
type Setting struct {
	results.Cell                   // without those three
	Rows         []results.Summary // in plan order; cells that were not reached are left out
	Unreached    int
	Server       results.ServerFacts
	runs         []results.Run
}

// New groups the runs of results files. Cells of several files are merged,
// trial by trial and histogram by histogram. The same file given twice is
// refused: it would count every trial double.
func New(files ...*results.File) (*Report, error) {
	r := &Report{}
	var cells []results.Cell
	for _, f := range files {
		for _, h := range f.Headers {
			if slices.ContainsFunc(r.Headers, func(other results.Header) bool { return sameRun(h, other) }) {
				return nil, fmt.Errorf("the run of %v is there twice", h.Started)
			}
			if first := append(r.Headers, h)[0].Server; !sameServer(first, h.Server) {
				return nil, fmt.Errorf("results of %s and of %s cannot be merged", ServerName(first), ServerName(h.Server))
			}
			r.Headers = append(r.Headers, h)
			cells = append(cells, h.Cells...)
		}
		r.Runs = append(r.Runs, f.Runs...)
	}
	r.group(results.Summaries(cells, r.Runs))
	return r, nil
}

// sameRun reports whether two headers are of one run: started in the same
// second, by the same command line, on the same server, with the same ping.
func sameRun(a, b results.Header) bool {
	return a.Started.Equal(b.Started) && slices.Equal(a.Command, b.Command) &&
		a.Server.Address == b.Server.Address && a.Server.PingNS == b.Server.PingNS
}

// sameServer reports whether results of two servers may stand in one table.
func sameServer(a, b results.ServerFacts) bool {
	return a.Product == b.Product && a.Version == b.Version && a.Embedded == b.Embedded
}

func (r *Report) group(rows []results.Summary) {
	index := map[results.Cell]int{}
	at := func(c results.Cell) *Setting {
		i, ok := index[c]
		if !ok {
			i = len(r.Settings)
			index[c] = i
			r.Settings = append(r.Settings, Setting{Cell: c, Server: r.Headers[0].Server})
		}
		return &r.Settings[i]
	}
	for _, row := range rows {
		s := at(row.Setting())
		if row.Trials+row.Partial == 0 {
			s.Unreached++
			continue
		}
		s.Rows = append(s.Rows, row)
	}
	for _, run := range r.Runs {
		s := at(run.Setting())
		s.runs = append(s.runs, run)
	}
}

// Planned is the number of trials that were to be run.
func (r *Report) Planned() (n int) {
	for _, h := range r.Headers {
		n += h.Trials * len(h.Cells)
	}
	return n
}

// Whole is the number of trials that were.
func (r *Report) Whole() (n int) {
	for _, run := range r.Runs {
		if !run.Partial {
			n++
		}
	}
	return n
}

// Void reports whether some row may not be used.
func (r *Report) Void() bool {
	return r.any(func(row *results.Summary) bool { return row.Audit.Void() })
}

func (r *Report) any(test func(*results.Summary) bool) bool {
	for _, s := range r.Settings {
		for i := range s.Rows {
			if test(&s.Rows[i]) {
				return true
			}
		}
	}
	return false
}

// Dead says which cell measured nothing because every op failed, or "".
func (r *Report) Dead() (text string) {
	r.any(func(row *results.Summary) bool {
		if !row.Dead() {
			return false
		}
		text = "every op of " + Who(row.Cell) + ", failed"
		if len(row.Warnings) > 0 {
			text += ": " + row.Warnings[0]
		}
		return true
	})
	return text
}

// Who names a row: the way of doing it and the number of clients.
func Who(c results.Cell) string {
	return verdict.Label(c) + ", " + verdict.Count(c.Clients, "client")
}

// Trials are the whole runs of one cell.
func (s *Setting) Trials(c results.Cell) (runs []results.Run) {
	for _, r := range s.runs {
		if r.Cell == c && !r.Partial {
			runs = append(runs, r)
		}
	}
	return runs
}

// Verdict is the sentences that the setting's figures come to.
func (s *Setting) Verdict() []string { return verdict.Sentences(s.Rows, s.Server.Started) }
