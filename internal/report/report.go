// Package report owns the words and figures that a set of runs comes to: what
// was run on what, a table for each setting, the remarks and the verdict below
// it. It decides what is said, in one place for terminal, page and file; it
// prints nothing and draws nothing.
package report

import (
	"bytes"
	"cmp"
	"errors"
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
	Source   string // of the rows: live, or simulated where nothing was measured
}

// Setting is what one table and one set of charts are about: cells that differ
// only in strategy, script time, retry design and number of clients.
type Setting struct {
	results.Cell                    // without those four
	Rows          []results.Summary // in plan order; cells that were not reached are left out
	Predicted     []results.Summary // beside measured rows: what a simulation made of these and other cells
	Unreached     int
	Server        results.ServerFacts
	Source        string        // of Rows
	runs          []results.Run // of Rows
	pings         []results.Pings
	predictedRuns []results.Run // of Predicted
	network       float64       // mean round trip of a simulation, in seconds, an injected delay aside
}

// New groups the runs of results files. Cells of several files are merged,
// trial by trial and histogram by histogram. The same file given twice is
// refused: it would count every trial double.
func New(files ...*results.File) (*Report, error) {
	r := &Report{Source: results.SourceSimulated}
	for _, f := range files {
		for _, h := range f.Headers {
			if slices.ContainsFunc(r.Headers, func(other results.Header) bool { return sameRun(h, other) }) {
				return nil, fmt.Errorf("the run of %v is there twice", h.Started)
			}
			for _, other := range r.Headers {
				switch {
				case other.Source != h.Source:
				case !sameServer(other.Server, h.Server):
					return nil, fmt.Errorf("results of %s and of %s cannot be merged", ServerName(other.Server), ServerName(h.Server))
				case h.Source == results.SourceSimulated && !bytes.Equal(other.Profile, h.Profile):
					return nil, errors.New("simulations from different profiles cannot be merged")
				}
			}
			r.Headers = append(r.Headers, h)
			if h.Source != results.SourceSimulated {
				r.Source = h.Source
			}
		}
		r.Runs = append(r.Runs, f.Runs...)
	}
	r.group()
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

// group makes settings of the runs. Where something was measured, simulated
// runs stand beside it.
func (r *Report) group() {
	index := map[results.Cell]int{}
	at := func(c results.Cell) *Setting {
		c = c.Setting()
		i, ok := index[c]
		if !ok {
			i = len(r.Settings)
			index[c] = i
			r.Settings = append(r.Settings, Setting{Cell: c, Server: r.main()[0].Server, Source: r.Source, pings: r.ceilings(), network: networkOf(r.main()[0])})
		}
		return &r.Settings[i]
	}
	var cells []results.Cell
	for _, h := range r.main() {
		cells = append(cells, h.Cells...)
	}
	var rows, beside []results.Run
	for _, run := range r.Runs {
		if run.Source == r.Source {
			rows = append(rows, run)
		} else {
			beside = append(beside, run)
		}
	}
	for _, row := range results.Summaries(searched(cells, rows), rows) {
		s := at(row.Cell)
		if row.Trials+row.Partial == 0 {
			s.Unreached++
			continue
		}
		s.Rows = append(s.Rows, row)
	}
	beside = closest(beside)
	for _, row := range results.Summaries(nil, beside) {
		s := at(row.Cell)
		s.Predicted = append(s.Predicted, row)
	}
	for _, run := range rows {
		s := at(run.Cell)
		s.runs = append(s.runs, run)
	}
	for _, run := range beside {
		s := at(run.Cell)
		s.predictedRuns = append(s.predictedRuns, run)
	}
}

// closest drops the simulated runs of cells that there are predicted runs of.
func closest(runs []results.Run) []results.Run {
	predicted := map[results.Cell]bool{}
	for _, run := range runs {
		if run.Source == results.SourcePredicted {
			predicted[run.Cell] = true
		}
	}
	return slices.DeleteFunc(runs, func(run results.Run) bool {
		return run.Source == results.SourceSimulated && predicted[run.Cell]
	})
}

// searched adds cells that were run without being planned, as a search does:
// way by way, by clients.
func searched(cells []results.Cell, runs []results.Run) []results.Cell {
	planned := map[results.Cell]bool{}
	for _, c := range cells {
		planned[c] = true
	}
	var ways []results.Cell
	var found []results.Cell
	for _, run := range runs {
		if planned[run.Cell] {
			continue
		}
		planned[run.Cell] = true
		found = append(found, run.Cell)
		if way := wayOf(run.Cell); !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	slices.SortStableFunc(found, func(a, b results.Cell) int {
		return cmp.Or(cmp.Compare(slices.Index(ways, wayOf(a)), slices.Index(ways, wayOf(b))), cmp.Compare(a.Clients, b.Clients))
	})
	return append(slices.Clip(cells), found...)
}

// wayOf is the cell without its number of clients.
func wayOf(c results.Cell) results.Cell {
	c.Clients = 0
	return c
}

// main are the headers of the runs that rows are made of.
func (r *Report) main() (headers []results.Header) {
	for _, h := range r.Headers {
		if h.Source == r.Source {
			headers = append(headers, h)
		}
	}
	return headers
}

// Planned is the number of trials that were to be run.
func (r *Report) Planned() (n int) {
	for _, h := range r.main() {
		n += h.Trials * len(h.Cells)
	}
	return n
}

// Whole is the number of trials that were.
func (r *Report) Whole() (n int) {
	for _, run := range r.Runs {
		if run.Source == r.Source && !run.Partial {
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

// Prediction is the simulated row of a cell beside a measured one, or nil.
func (s *Setting) Prediction(c results.Cell) *results.Summary {
	for i := range s.Predicted {
		if s.Predicted[i].Cell == c && s.Predicted[i].Trials > 0 {
			return &s.Predicted[i]
		}
	}
	return nil
}

// Trials are the whole runs of one cell that its row is made of.
func (s *Setting) Trials(c results.Cell) (runs []results.Run) {
	for _, r := range s.runs {
		if r.Cell == c && !r.Partial {
			runs = append(runs, r)
		}
	}
	return runs
}

// Verdict is the sentences that the setting's figures come to; where there was a
// burst, who got over it comes first.
func (s *Setting) Verdict() []string {
	return append(s.Recoveries(), verdict.Sentences(s.Rows, s.Server.Started)...)
}
