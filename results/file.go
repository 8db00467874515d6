package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// Writer appends records to a results file: JSON Lines, a header first, then
// one run a line. Every record is one write of one whole line, so that a crash
// loses at most the running trial.
type Writer struct{ w io.Writer }

// NewWriter writes the header.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Schema = Schema
	out := &Writer{w}
	return out, out.line(h)
}

// Write appends one run.
func (w *Writer) Write(run *Run) error { return w.line(run) }

func (w *Writer) line(record any) error {
	text, err := json.Marshal(record)
	if err != nil {
		return err
	}
	_, err = w.w.Write(append(text, '\n'))
	return err
}

// File is a results file, read: files that were concatenated have several
// headers.
type File struct {
	Headers  []Header
	Runs     []Run
	Warnings []string
}

// maxLine bounds a line: a run has a few histograms of at most some 100 KB.
const maxLine = 64 << 20

// Open reads a results file from disk.
func Open(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, name)
}

// Read reads a results file. Unknown fields are ignored, an unknown schema is
// refused. Errors name the file and the line. A last line without its end is
// what a crash leaves: it is dropped with a warning.
func Read(r io.Reader, name string) (*File, error) {
	file := &File{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 1<<16), maxLine)
	torn := false
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		advance, token, err := bufio.ScanLines(data, atEOF)
		torn = token != nil && advance > 0 && data[advance-1] != '\n'
		return advance, token, err
	})
	line := 0
	for scanner.Scan() {
		line++
		text := bytes.TrimSpace(scanner.Bytes())
		if len(text) == 0 {
			continue
		}
		err := file.add(text)
		switch {
		case err != nil && torn && !json.Valid(text) && len(file.Headers) > 0:
			file.Warnings = append(file.Warnings, fmt.Sprintf("%s:%d: the last line is not whole and was left out", name, line))
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	if len(file.Headers) == 0 {
		return nil, fmt.Errorf("%s: empty: no header and no runs", name)
	}
	return file, nil
}

func (f *File) add(text []byte) error {
	var kind struct {
		Schema *int    `json:"schema"`
		Source *string `json:"source"`
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		return fmt.Errorf("not a record of a results file: %w", err)
	}
	switch {
	case kind.Schema != nil:
		if *kind.Schema != Schema {
			return fmt.Errorf("schema %d is unknown: this version reads schema %d", *kind.Schema, Schema)
		}
		var h Header
		if err := json.Unmarshal(text, &h); err != nil {
			return fmt.Errorf("header: %w", err)
		}
		f.Headers = append(f.Headers, h)
	case len(f.Headers) == 0:
		return errors.New("no header before the first run: not a results file")
	case kind.Source != nil:
		var run Run
		if err := json.Unmarshal(text, &run); err != nil {
			return fmt.Errorf("run: %w", err)
		}
		if err := run.check(); err != nil {
			return fmt.Errorf("run: %w", err)
		}
		f.Runs = append(f.Runs, run)
	default:
		return errors.New("neither a header nor a run")
	}
	return nil
}

// maxCount bounds the counts that are read, beyond anything a trial can reach
// and far enough below the largest number that trials can be added up.
const maxCount = 1 << 53

// check refuses counts that no recorder can have written.
func (r *Run) check() error {
	switch {
	case !slices.Contains(sources, r.Source):
		return fmt.Errorf("source %q is unknown", r.Source)
	case r.Strategy == "" || r.Workload == "":
		return errors.New("no strategy or workload")
	case r.Clients < 1 || r.Keys < 1:
		return fmt.Errorf("%d clients on %d keys", r.Clients, r.Keys)
	case r.ElapsedNS < 0 || r.Whole.ElapsedNS < 0 || r.BackoffNS < 0:
		return errors.New("a length of time is negative")
	case r.Conflicts > r.Attempts:
		return fmt.Errorf("%d conflicts in %d attempts", r.Conflicts, r.Attempts)
	}
	counts := []int64{
		r.Committed, r.Rejected, r.GaveUp, r.Unknown, r.Unfinished, r.Attempts, r.Conflicts,
		r.Exchanges, r.BytesOut, r.BytesIn, r.Whole.Attempts, r.Whole.Exchanges, r.BystanderReads, r.BystanderFailed,
	}
	for _, byName := range []map[string]int64{r.Failed, r.Verdicts, r.Notes, r.Whole.Verdicts, r.Whole.Commands} {
		counts = slices.AppendSeq(counts, maps.Values(byName))
	}
	if s := r.Series; s != nil {
		if s.IntervalNS <= 0 {
			return fmt.Errorf("a series in intervals of %d ns", s.IntervalNS)
		}
		for _, p := range s.Points {
			counts = append(counts, p.Committed, p.Rejected, p.Attempts, p.Conflicts)
			for _, ns := range []*int64{p.P50NS, p.P99NS} {
				if ns != nil {
					counts = append(counts, *ns)
				}
			}
		}
	}
	for _, n := range counts {
		if n < 0 || n > maxCount {
			return fmt.Errorf("a count of %d is out of range", n)
		}
	}
	return nil
}
