package report

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/results"
)

// of is a run of a source.
func of(source string, r results.Run) results.Run {
	r.Source = source
	return r
}

// conflicting is a run with that share of conflicts.
func conflicting(c results.Cell, committed int64, p float64) results.Run {
	r := run(c, committed, 0)
	r.Attempts = int64(math.Round(float64(committed) / (1 - p)))
	r.Conflicts = r.Attempts - committed
	return r
}

// measured is a report of ten cells, predicted with errors that grow from 1 to
// 10 %, and of p from 0.001 to 0.01, but for the last, which is 50 % too low.
func measured(t *testing.T, more ...results.Run) *Report {
	t.Helper()
	f := &results.File{Headers: []results.Header{header("redis", 0)}}
	for i := range 10 {
		c := cell("watch", i+1, 1)
		f.Headers[0].Cells = append(f.Headers[0].Cells, c)
		f.Runs = append(f.Runs, conflicting(c, 100_000, 0.5))
		predicted := int64(100_000 * (1 + float64(i+1)/100))
		if i == 9 {
			predicted = 50_000
		}
		f.Runs = append(f.Runs, of(results.SourcePredicted, conflicting(c, predicted, 0.5+float64(i+1)/1000)))
	}
	f.Runs = append(f.Runs, more...)
	r, err := New(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A row that committed in one trial of three has a median of 0, which no
// prediction can be so many percent off.
func TestAGoodputOfNothingHasNoError(t *testing.T) {
	c := cell("watch", 1, 1)
	f := &results.File{Headers: []results.Header{header("redis", 0, c)}, Runs: []results.Run{
		run(c, 0, 0), run(c, 0, 0), run(c, 5, 0), of(results.SourcePredicted, run(c, 5, 0)),
	}}
	r, err := New(f)
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Settings[0]
	if e, ok := s.Error(&s.Rows[0]); ok {
		t.Errorf("%+v", e)
	}
	if checked := r.Checked(); checked != nil {
		t.Errorf("checked %+v", checked)
	}
}

func TestPredictionsStandBesideRows(t *testing.T) {
	c := cell("watch", 3, 1)
	far := cell("watch", 500, 1)
	// A what-if of a measured cell is no prediction of it: it knows no machine.
	r := measured(t, of(results.SourceSimulated, run(c, 1, 0)), of(results.SourceSimulated, run(far, 70, 0)))
	s := &r.Settings[0]
	if len(s.Rows) != 10 || len(s.Predicted) != 11 || r.Whole() != 10 {
		t.Fatalf("%d rows, %d predicted, %d whole", len(s.Rows), len(s.Predicted), r.Whole())
	}
	e, ok := s.Error(&s.Rows[2])
	if !ok || math.Abs(e.Relative-0.03) > 1e-9 || math.Abs(e.P-0.003) > 1e-5 || !e.PKnown || !e.Good() {
		t.Errorf("%+v, %v", e, ok)
	}
	if e, _ := s.Error(&s.Rows[9]); e.Good() {
		t.Errorf("%+v is good", e)
	}
	table := s.Table()
	at := slices.Index(table.Columns, "predicted/s")
	if at < 0 || table.Columns[at+1] != "error %" || table.Columns[at+2] != "error of p" {
		t.Fatalf("columns %q", table.Columns)
	}
	if got := strings.Join(table.Rows[2][at:at+3], " "); got != "103000 +3.0 +0.003" {
		t.Errorf("row %q", got)
	}
	for _, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Errorf("%d columns in %q", len(row), row)
		}
	}
	want := "Predictions: goodput within 10 % and p within 0.05 in 9 of 10 cells; the middle error of goodput is 6.0 %, the largest 50.0 %; the largest of p 0.010."
	if got := r.Accuracy(); got != want {
		t.Errorf("%q", got)
	}
	// Nine of ten are within 9 %: the tenth is a factor of 2.
	checked := r.Checked()
	if checked == nil || checked.Cells != 10 || checked.Clients != 10 || math.Abs(checked.Goodput-0.09) > 1e-9 || math.Abs(checked.P-0.009) > 1e-5 {
		t.Errorf("%+v", checked)
	}
	if d, ok := r.Doubt(c); d != 0 || !ok {
		t.Errorf("inside: %v, %v", d, ok)
	}
	if d, ok := r.Doubt(far); math.Abs(d-0.09) > 1e-9 || !ok {
		t.Errorf("outside: %v, %v", d, ok)
	}
}

func TestWithoutPredictions(t *testing.T) {
	c := cell("lua", 1, 1)
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, c)}, Runs: []results.Run{run(c, 10, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Accuracy() != "" || r.Checked() != nil {
		t.Errorf("%q, %+v", r.Accuracy(), r.Checked())
	}
	if _, ok := r.Doubt(c); ok {
		t.Error("nothing was checked")
	}
	if slices.Contains(r.Settings[0].Table().Columns, "predicted/s") {
		t.Error("a column without predictions")
	}
}

// A simulated report has what the model makes of its rows beside them.
func TestModelBesideSimulation(t *testing.T) {
	h := header("redis", 0)
	h.Source, h.Profile = results.SourceSimulated, []byte(`{"network":{"base_ns":[[1,100000]]}}`)
	f := &results.File{Headers: []results.Header{h}}
	add := func(c results.Cell, exchanges, server int64) {
		r := of(results.SourceSimulated, run(c, 1000, 0))
		r.Achieved = results.Achieved{}
		r.Server = &results.Server{CPUNS: &server}
		r.Whole = results.Whole{ElapsedNS: int64(time.Second), Attempts: 1000, Exchanges: 1000 * exchanges}
		f.Runs = append(f.Runs, r)
		f.Headers[0].Cells = append(f.Headers[0].Cells, c)
	}
	none := cell("watch-pipelined", 1, 1)
	none.Backoff = "none"
	full := none
	full.Backoff = "full"
	crowd := none
	crowd.Clients = 1000
	shards := cell("lua", 1, 1)
	add(cell("lua", 1, 1), 1, 10_000_000) // 10 µs an op
	add(none, 2, 20_000_000)
	add(full, 2, 20_000_000)
	add(crowd, 2, 20_000_000)
	add(shards, 1, 10_000_000)
	f.Runs[4].Shards, f.Headers[0].Cells[4].Shards = 2, 2
	r, err := New(f)
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Settings[0]
	var got []string
	table := s.Table()
	for _, row := range table.Rows {
		got = append(got, row[slices.Index(table.Columns, "model/s")])
	}
	// 1 ms injected and 0.1 ms of network, and the server's time.
	want := []string{"901", "450", "-", "-"}
	if !slices.Equal(got, want) {
		t.Errorf("model %q, want %q", got, want)
	}
	if len(r.Settings) != 2 {
		t.Fatal("several servers are a setting of their own")
	}
	if _, ok := r.Settings[1].Modelled(&r.Settings[1].Rows[0]); ok {
		t.Error("the model knows one server")
	}
}

// What was simulated from two profiles is of two servers.
func TestOtherProfilesAreNotMerged(t *testing.T) {
	file := func(minute int, profile string) *results.File {
		h := header("redis", minute)
		h.Source, h.Profile = results.SourceSimulated, []byte(profile)
		return &results.File{Headers: []results.Header{h}, Runs: []results.Run{of(results.SourceSimulated, run(cell("lua", 1, 1), 1, 0))}}
	}
	if _, err := New(file(0, `{"name":"a"}`), file(1, `{"name":"a"}`)); err != nil {
		t.Error(err)
	}
	if _, err := New(file(0, `{"name":"a"}`), file(1, `{"name":"b"}`)); err == nil {
		t.Error("two profiles were merged")
	}
}
