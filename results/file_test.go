package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// written is a results file of a header and runs.
func written(t testing.TB, h Header, runs ...*Run) string {
	t.Helper()
	var text bytes.Buffer
	w, err := NewWriter(&text, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if err := w.Write(run); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

func read(t testing.TB, text string) *File {
	t.Helper()
	file, err := Read(strings.NewReader(text), "name")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// smallRun is a run that passes every check and is a short line.
func smallRun(trial int) *Run {
	run := plainRun(plainCell("watch", 4), 10, 3)
	run.Trial = trial
	return &run
}

func TestFileRoundTrip(t *testing.T) {
	header, run := fullHeader(t), fullRun(t)
	file := read(t, written(t, header, run, smallRun(1)))
	if len(file.Headers) != 1 || len(file.Runs) != 2 || file.Warnings != nil {
		t.Fatalf("%d headers, %d runs, warnings %q", len(file.Headers), len(file.Runs), file.Warnings)
	}
	for _, pair := range [][2]any{
		{file.Headers[0], header}, {file.Runs[0], run}, {file.Runs[1], smallRun(1)},
	} {
		if got, want := mustJSON(t, pair[0]), mustJSON(t, pair[1]); got != want {
			t.Errorf("read back\n%s\nwrote\n%s", got, want)
		}
	}
	// A field that is not written at all would not be missed above.
	if !reflect.DeepEqual(file.Headers[0], header) {
		t.Errorf("header\n%+v\nwrote\n%+v", file.Headers[0], header)
	}
	got := file.Runs[0]
	for _, r := range []*Run{&got, run} {
		r.Latency, r.OtherLatency, r.AttemptLatency, r.UnfinishedAge, r.ServiceLatency, r.BystanderLatency = nil, nil, nil, nil, nil, nil
	}
	if !reflect.DeepEqual(&got, run) {
		t.Errorf("run\n%+v\nwrote\n%+v", got, run)
	}
}

func TestFileOnDisk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl")
	if _, err := Open(name); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), name) {
		t.Errorf("no such file: %v", err)
	}
	if err := os.WriteFile(name, []byte(written(t, fullHeader(t), fullRun(t))), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := Open(name)
	if err != nil || len(file.Headers) != 1 || len(file.Runs) != 1 {
		t.Errorf("%+v, error %v", file, err)
	}
	if err := os.WriteFile(name, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); err == nil || !strings.Contains(err.Error(), name+":1: ") {
		t.Errorf("damaged: error %v, want file and line", err)
	}
}

// calls notes every Write and can fail.
type calls struct {
	texts []string
	err   error
}

func (c *calls) Write(p []byte) (int, error) {
	c.texts = append(c.texts, string(p))
	return len(p), c.err
}

func TestWriterWritesWholeLines(t *testing.T) {
	sink := &calls{}
	w, err := NewWriter(sink, Header{}) // the schema is the writer's business
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []*Run{smallRun(0), fullRun(t), {}} {
		run.Warn("two\nlines") // stay one
		if err := w.Write(run); err != nil {
			t.Fatal(err)
		}
	}
	if len(sink.texts) != 4 {
		t.Fatalf("%d writes of 4 records", len(sink.texts))
	}
	for i, text := range sink.texts {
		if strings.IndexByte(text, '\n') != len(text)-1 || !json.Valid([]byte(text)) {
			t.Errorf("write %d is not one line of JSON: %q", i, text)
		}
	}
	if !strings.HasPrefix(sink.texts[0], `{"schema":1,`) {
		t.Errorf("the header begins with %.20s", sink.texts[0])
	}
}

func TestWriterErrors(t *testing.T) {
	full := errors.New("no space left")
	if _, err := NewWriter(&calls{err: full}, Header{}); !errors.Is(err, full) {
		t.Errorf("header: error %v", err)
	}
	sink := &calls{}
	w, err := NewWriter(sink, Header{})
	if err != nil {
		t.Fatal(err)
	}
	sink.err = full
	if err := w.Write(smallRun(0)); !errors.Is(err, full) {
		t.Errorf("run: error %v", err)
	}
	// What cannot be written leaves no half of it behind.
	before := len(sink.texts)
	nan := smallRun(0)
	nan.Skew = 0
	nan.Skew /= nan.Skew
	if err := w.Write(nan); err == nil || len(sink.texts) != before {
		t.Errorf("NaN: error %v, %d writes", err, len(sink.texts)-before)
	}
}

func TestReadConcatenated(t *testing.T) {
	first, second := fullHeader(t), fullHeader(t)
	second.Seed = 7
	file := read(t, written(t, first, smallRun(0), smallRun(1))+written(t, second)+written(t, first, smallRun(2)))
	var seeds []uint64
	for _, h := range file.Headers {
		seeds = append(seeds, h.Seed)
	}
	if want := []uint64{first.Seed, 7, first.Seed}; !reflect.DeepEqual(seeds, want) {
		t.Errorf("seeds of the headers %v, want %v", seeds, want)
	}
	for i, run := range file.Runs {
		if run.Trial != i {
			t.Errorf("run %d is trial %d: out of order", i, run.Trial)
		}
	}
	if len(file.Runs) != 3 {
		t.Errorf("%d runs, want 3", len(file.Runs))
	}
}

// lines of a file: a header and runs.
func lines(t testing.TB, runs int) []string {
	t.Helper()
	var all []*Run
	for i := range runs {
		all = append(all, smallRun(i))
	}
	return strings.SplitAfter(strings.TrimSuffix(written(t, fullHeader(t), all...), "\n"), "\n")
}

func TestReadTolerates(t *testing.T) {
	l := lines(t, 2)
	header, run, last := l[0], l[1], l[2]
	unknown := func(line string) string {
		return strings.Replace(line, "{", `{"later":{"a":[1,null]},`, 1)
	}
	for name, text := range map[string]string{
		"as written":         header + run + last + "\n",
		"no newline at end":  header + run + last,
		"blank lines":        "\n \n" + header + "\n\n\t\n" + run + "\r\n" + last + "\n\n",
		"carriage returns":   strings.ReplaceAll(header+run+last+"\n", "\n", "\r\n"),
		"blanks around":      " " + header + "  " + run + "\t" + last + " \n",
		"unknown fields":     unknown(header) + unknown(run) + unknown(last),
		"unknown deep below": header + strings.Replace(run, `"whole":{`, `"whole":{"later":1,`, 1) + last,
	} {
		file, err := Read(strings.NewReader(text), "name")
		if err != nil || len(file.Headers) != 1 || len(file.Runs) != 2 || file.Warnings != nil {
			t.Errorf("%s: %+v, error %v", name, file, err)
			continue
		}
		if got, want := written(t, file.Headers[0], &file.Runs[0], &file.Runs[1]), header+run+last+"\n"; got != want {
			t.Errorf("%s: read as\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	l := lines(t, 3)
	header, run, last := l[0], l[1], l[3]
	edit := func(line, old, new string) string {
		if !strings.Contains(line, old) {
			t.Fatalf("there is no %s in %s", old, line)
		}
		return strings.Replace(line, old, new, 1)
	}
	tests := []struct{ name, text, want string }{
		{"empty", "", "name: empty: no header and no runs"},
		{"blank", "\n \n\t\n", "name: empty: no header and no runs"},
		{"no header", run + last, "name:1: no header before the first run"},
		{"blank lines, no header", "\n\n" + run + last, "name:3: no header before the first run"},
		{"another kind of file", "Latency (ms),Count\n", "name:1: not a record of a results file"},
		{"a list", "[1,2]\n", "name:1: not a record of a results file"},
		{"null", header + "null\n", "name:2: neither a header nor a run"},
		{"an object of another kind", header + `{"a":1}` + "\n", "name:2: neither a header nor a run"},
		{"later schema", edit(header, `"schema":1`, `"schema":2`) + run, "name:1: schema 2 is unknown: this version reads schema 1"},
		{"schema 0", edit(header, `"schema":1`, `"schema":0`) + run, "name:1: schema 0 is unknown"},
		{"schema in words", edit(header, `"schema":1`, `"schema":"1"`) + run, "name:1: not a record"},
		{"later schema of the second file", header + run + edit(header, `"schema":1`, `"schema":2`), "name:3: schema 2 is unknown"},
		{"later schema, no newline", header + run + strings.TrimSpace(edit(header, `"schema":1`, `"schema":2`)), "name:3: schema 2 is unknown"},
		{"damaged header", edit(header, `"trials":`, `"trials":"x`), "name:1: not a record"},
		{"header of wrong types", edit(header, `"cells":[{`, `"cells":[3,{`), "name:1: header: "},
		{"torn header", header[:len(header)/2], "name:1: not a record"},
		{"damage in the middle", header + run[:len(run)/2] + "\n" + last, "name:2: not a record"},
		{"damage after blank lines", header + "\n\n" + run[:len(run)/2] + "\n" + last, "name:4: not a record"},
		{"torn in the middle of concatenated files", header + run[:len(run)/2] + header + last, "name:2: not a record"},
		{"two records on a line", header + strings.TrimSpace(run) + last + "\n", "name:2: not a record"},
		{"zero bytes at the end", header + run + "\x00\x00\x00\x00\n", "name:3: not a record"},
		{"run of wrong types", header + edit(run, `"committed":10`, `"committed":"10"`) + last, "name:2: run: "},
		{"fraction of an op", header + edit(run, `"committed":10`, `"committed":10.5`) + last, "name:2: run: "},
		{"more ops than fit", header + edit(run, `"committed":10`, `"committed":1e30`) + last, "name:2: run: "},
		{"bad bucket", header + edit(run, `"attempts_histogram":[]`, `"attempts_histogram":[[33,1]]`) + last, "name:2: run: attempt bucket 33"},
		{"bad histogram", header + edit(run, `"latency":null`, `"latency":{"count":1,"hdr":"AAAA"}`) + last, "name:2: run: histogram is damaged"},
	}
	for _, test := range tests {
		file, err := Read(strings.NewReader(test.text), "name")
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %+v, error %v; want %q", test.name, file, err, test.want)
		}
	}
}

// A run that no recorder can have written is refused, also as the last line
// and without a newline: it is whole, and yet nonsense.
func TestReadRefusesNonsense(t *testing.T) {
	tests := []struct {
		want   string
		damage func(*Run)
	}{
		{`source "dreamt" is unknown`, func(r *Run) { r.Source = "dreamt" }},
		{`source "" is unknown`, func(r *Run) { r.Source = "" }},
		{"no strategy or workload", func(r *Run) { r.Strategy = "" }},
		{"no strategy or workload", func(r *Run) { r.Workload = "" }},
		{"0 clients on 1 keys", func(r *Run) { r.Clients = 0 }},
		{"4 clients on -1 keys", func(r *Run) { r.Keys = -1 }},
		{"a length of time is negative", func(r *Run) { r.ElapsedNS = -1 }},
		{"a length of time is negative", func(r *Run) { r.Whole.ElapsedNS = -1 }},
		{"a length of time is negative", func(r *Run) { r.BackoffNS = -1 }},
		{"14 conflicts in 13 attempts", func(r *Run) { r.Conflicts = 14 }},
		{"a count of -1 is out of range", func(r *Run) { r.Committed = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.Rejected = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.GaveUp = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.Unknown = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.Unfinished = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.Failed = map[string]int64{"OOM": -1} }},
		{"a count of -5 is out of range", func(r *Run) { r.Attempts, r.Conflicts = -5, -6 }},
		{"a count of -1 is out of range", func(r *Run) { r.Conflicts = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.Verdicts = map[string]int64{"committed": -1} }},
		{"a count of -1 is out of range", func(r *Run) { r.Exchanges = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.BytesOut = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.BytesIn = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.Notes = map[string]int64{"moved": -1} }},
		{"a count of -1 is out of range", func(r *Run) { r.Whole.Attempts = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.Whole.Exchanges = -1 }},
		{"a count of -1 is out of range", func(r *Run) { r.Whole.Verdicts = map[string]int64{"committed": -1} }},
		{"a count of -1 is out of range", func(r *Run) { r.Whole.Commands = map[string]int64{"get": -1} }},
		{"a count of 9007199254740993 is out of range", func(r *Run) { r.Committed = maxCount + 1 }},
		{"a series in intervals of 0 ns", func(r *Run) { r.Series = &Series{} }},
		{"a count of -1 is out of range", func(r *Run) { r.Series = &Series{IntervalNS: 1, Points: []Point{{}, {Attempts: -1}}} }},
		{"a count of -2 is out of range", func(r *Run) { r.Series = &Series{IntervalNS: 1, Points: []Point{{P99NS: new(int64(-2))}}} }},
	}
	for i, test := range tests {
		bad := smallRun(1)
		test.damage(bad)
		text := written(t, fullHeader(t), smallRun(0), bad)
		for _, text := range []string{text, strings.TrimSuffix(text, "\n"), text + lines(t, 1)[1]} {
			_, err := Read(strings.NewReader(text), "name")
			if want := "name:3: run: " + test.want; err == nil || err.Error() != want {
				t.Errorf("%d: error %v, want %q", i, err, want)
			}
		}
	}
	for _, source := range sources {
		run := smallRun(0)
		run.Source = source
		run.Conflicts = run.Attempts // it may have gone as badly as that
		if _, err := Read(strings.NewReader(written(t, fullHeader(t), run)), "name"); err != nil {
			t.Errorf("an undamaged run that is %s: %v", source, err)
		}
	}
}

// A crash may cut the last line anywhere.
func TestReadTornLastLine(t *testing.T) {
	l := lines(t, 2)
	head, last := l[0]+l[1], l[2]
	for cut := range len(last) + 1 {
		file, err := Read(strings.NewReader(head+last[:cut]), "name")
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", cut, err)
		}
		runs, warnings := 1, []string{"name:3: the last line is not whole and was left out"}
		switch cut {
		case 0:
			warnings = nil
		case len(last):
			runs, warnings = 2, nil
		}
		if len(file.Runs) != runs || !reflect.DeepEqual(file.Warnings, warnings) {
			t.Fatalf("cut after %d bytes: %d runs, warnings %q; want %d and %q", cut, len(file.Runs), file.Warnings, runs, warnings)
		}
	}
	file := read(t, l[0]+l[1][:9])
	if len(file.Headers) != 1 || len(file.Runs) != 0 || len(file.Warnings) != 1 {
		t.Errorf("the only run cut short: %+v", file)
	}
	// The same text with its newline was not cut by a crash: it is damage.
	if _, err := Read(strings.NewReader(head+last[:9]+"\n"), "name"); err == nil || !strings.HasPrefix(err.Error(), "name:3: ") {
		t.Errorf("half a line with its newline: error %v", err)
	}
}

// A reader that hands out one byte at a time must not make lines look torn.
func TestReadSlowly(t *testing.T) {
	text := written(t, fullHeader(t), smallRun(0), fullRun(t))
	file, err := Read(slowly{strings.NewReader(text)}, "name")
	if err != nil || len(file.Runs) != 2 || file.Warnings != nil {
		t.Errorf("%+v, error %v", file, err)
	}
	broken := errors.New("the disk is broken")
	_, err = Read(io.MultiReader(strings.NewReader(text), failing{broken}), "name")
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "name:4: ") {
		t.Errorf("error %v, want that of the reader with file and line", err)
	}
}

type slowly struct{ r io.Reader }

func (s slowly) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), 1)]) }

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestReadLongLines(t *testing.T) {
	long := smallRun(0)
	long.Warn(strings.Repeat("long ", 1<<17))
	text := written(t, fullHeader(t), long, smallRun(1))
	if file := read(t, text); len(file.Runs) != 2 || file.Runs[0].Warnings[0] != long.Warnings[0] {
		t.Errorf("a line of 640 KB: %d runs", len(file.Runs))
	}
	if file := read(t, text+strings.Repeat(" ", 1<<17)+text[:99]); len(file.Warnings) != 1 {
		t.Errorf("a long torn line: warnings %q", file.Warnings)
	}
	if testing.Short() {
		t.Skip("a line of 64 MB")
	}
	endless := io.MultiReader(strings.NewReader(text), io.LimitReader(zeros{}, 2*maxLine))
	if _, err := Read(endless, "name"); err == nil || !strings.HasPrefix(err.Error(), "name:4: ") {
		t.Errorf("a line without an end: error %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Whatever was or was not measured, the file is valid JSON and can be read
// again, and no figure of it is NaN or infinite (A19).
func TestRunsOfNothing(t *testing.T) {
	cell := plainCell("watch", 4)
	fill := func(tell func(*Recorder)) *Run {
		r := newRecorder(4)
		tell(r)
		run := &Run{Source: SourceLive, Cell: cell}
		r.Fill(run)
		return run
	}
	one := fill(func(r *Recorder) {
		r.Attempt(AttemptRecord{Number: 1, Verdict: Committed, Latency: 0, Exchanges: 1}, true)
		r.Op(OpRecord{Outcome: OpCommitted, Attempts: 1})
	})
	oneTimed := *one
	oneTimed.ElapsedNS = 1
	stopped := fill(func(r *Recorder) {
		for i := range 4 {
			r.Op(OpRecord{Client: i, Outcome: OpUnfinished})
		}
	})
	stopped.ElapsedNS = int64(3 * time.Second)
	noCPU := *stopped
	noCPU.Server, noCPU.Client, noCPU.Audit = &Server{}, &Client{}, &Audit{}
	dead := fill(func(r *Recorder) {
		r.Attempt(AttemptRecord{Number: 1, Verdict: Failed}, true)
		r.Op(OpRecord{Outcome: OpFailed, Class: "WRONGTYPE"})
	})
	for name, run := range map[string]*Run{
		"zero":                     {Source: SourceLive, Cell: cell},
		"recorded nothing":         fill(func(*Recorder) {}),
		"one op in no time":        one,
		"one op in a nanosecond":   &oneTimed,
		"stopped server":           stopped,
		"no CPU, no cores, no key": &noCPU,
		"every op failed":          dead,
	} {
		text := written(t, Header{}, run)
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: not JSON: %s", name, line)
			}
		}
		file, err := Read(strings.NewReader(text), "name")
		if err != nil || len(file.Runs) != 1 || written(t, file.Headers[0], &file.Runs[0]) != text {
			t.Errorf("%s: read back %+v, error %v", name, file, err)
			continue
		}
		s := &Summaries(nil, file.Runs)[0]
		if bad := notFinite(s); bad != nil {
			t.Errorf("%s: %v", name, bad)
		}
		if s.Committed == 0 {
			if v, ok := s.AttemptsPerOp(); ok || v != 0 {
				t.Errorf("%s: %v attempts per op (%v) without an op", name, v, ok)
			}
		}
	}
}

// notFinite lists the figures of a summary that are NaN, infinite or negative.
func notFinite(s *Summary) (bad []string) {
	check := func(name string, v float64) {
		if !(v >= 0 && v < 1e300) {
			bad = append(bad, fmt.Sprintf("%s is %v", name, v))
		}
	}
	value := func(v float64, _ bool) float64 { return v }
	g := s.Goodput()
	check("goodput", g.Center)
	check("goodput's lower end", g.Lo)
	check("goodput's upper end", g.Hi)
	check("conflict rate", value(s.ConflictRate()))
	check("attempts per op", value(s.AttemptsPerOp()))
	check("exchanges per op", value(s.ExchangesPerOp()))
	check("client load", value(s.ClientLoad()))
	check("server load", value(s.ServerLoad()))
	for _, q := range []float64{0, 0.5, 0.99, 0.999, 1} {
		d, _ := s.Latency.Quantile(q)
		check(fmt.Sprintf("quantile %v", q), float64(d))
	}
	return bad
}
