package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"rmwbench/internal/engine"
	"rmwbench/internal/report"
	"rmwbench/results"
)

// runLog is a results file being written, and what it holds so far.
type runLog struct {
	file   *os.File
	writer *results.Writer
	header results.Header
	cells  []results.Cell // to run; in a search, each way with one client
	runs   []results.Run
}

// open begins the results file. The cells of a search are not planned: they
// show in its runs.
func (f *outputFlags) open(h results.Header, search bool) (*runLog, error) {
	cells := h.Cells
	if search {
		h.Cells = nil
	}
	file, err := createResults(f.Out, f.Force)
	if err != nil {
		return nil, err
	}
	writer, err := results.NewWriter(file, h)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &runLog{file: file, writer: writer, header: h, cells: cells}, nil
}

// add writes and keeps a run.
func (l *runLog) add(run *results.Run) error {
	if err := l.writer.Write(run); err != nil {
		return err
	}
	l.runs = append(l.runs, *run)
	return nil
}

// ran lists the cells that there are whole runs of, in the order of the first.
func (l *runLog) ran() (cells []results.Cell) {
	for _, r := range l.runs {
		if !r.Partial && !slices.Contains(cells, r.Cell) {
			cells = append(cells, r.Cell)
		}
	}
	return cells
}

// summary is what the runs of a cell come to so far.
func (l *runLog) summary(c results.Cell) *results.Summary {
	var runs []results.Run
	for _, r := range l.runs {
		if r.Cell == c && r.Source == l.header.Source {
			runs = append(runs, r)
		}
	}
	return &results.Summaries([]results.Cell{c}, runs)[0]
}

func (l *runLog) close() error { return l.file.Close() }

// report groups what the log holds.
func (l *runLog) report() (*report.Report, error) {
	return report.New(&results.File{Headers: []results.Header{l.header}, Runs: l.runs})
}

// report prints and draws whatever came of a run, which may have failed, and
// answers the error that stands for its exit code.
func (f *outputFlags) report(s *session, log *runLog, r *report.Report, failed error) error {
	if len(r.Runs) == 0 {
		_ = os.Remove(resultsPath(f.Out)) // holds nothing, and would be in the way of the next run
		return f.outcome(r, failed)
	}
	said := io.Discard
	switch {
	case f.CSV:
		for i := range r.Settings {
			lines(s.err, r.Settings[i].Remarks())
		}
		if err := printCSV(s.out, r); err != nil {
			return err
		}
	default:
		printReport(s.out, r, f.Quiet)
	}
	if !f.Quiet && !f.CSV {
		sketch(s.out, s.terminal, r)
		fmt.Fprintf(s.out, "\nResults: %s\n", resultsPath(f.Out))
		if log.header.Profile != nil && log.header.Source == results.SourceLive {
			fmt.Fprintf(s.out, "Profile: %s\n", profilePath(f.Out))
		}
		said = s.out
	}
	return errors.Join(f.outcome(r, failed), draw(said, f.Out, r, f.options()))
}

// outcome is the error that stands for the run's exit code.
func (f *outputFlags) outcome(r *report.Report, failed error) error {
	switch {
	case errors.Is(failed, engine.ErrInterrupted):
		return coded{fmt.Errorf("%w: %s", failed, f.kept(r)), exitInterrupted}
	case failed != nil:
		return fmt.Errorf("%w: %s", failed, f.kept(r))
	case r.Dead() != "":
		return errors.New(r.Dead())
	case r.Void():
		return coded{errSilent, exitAudit}
	case r.Missed():
		return coded{errSilent, exitGoal}
	case r.Unjudged() != "":
		return errors.New(r.Unjudged())
	}
	return nil
}

// kept says what there is of a run that ended early.
func (f *outputFlags) kept(r *report.Report) string {
	if len(r.Runs) == 0 {
		return "nothing was measured"
	}
	if r.Planned() == 0 { // a search
		return fmt.Sprintf("%d trials were finished and kept in %s", r.Whole(), resultsPath(f.Out))
	}
	return fmt.Sprintf("%d of %d trials were finished and kept in %s", r.Whole(), r.Planned(), resultsPath(f.Out))
}
