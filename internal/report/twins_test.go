package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/results"
)

// twin is six trials of a cell.
func twin(strategy, backoff, workload string, clients int, goodput int64) (runs []results.Run) {
	c := cell(strategy, clients, 1)
	c.Workload, c.Backoff = workload, backoff
	for i := range int64(6) {
		r := run(c, goodput+i*goodput/100, 0)
		r.Latency = results.NewHistogram()
		for range 100 {
			r.Latency.Record(2 * time.Millisecond)
		}
		runs = append(runs, r)
	}
	return runs
}

func twinsOf(t *testing.T, na []results.NotApplicable, runs ...[]results.Run) []Twins {
	t.Helper()
	h := header("redis", 0)
	h.NA = na
	r, err := New(&results.File{Headers: []results.Header{h}, Runs: slices.Concat(runs...)})
	if err != nil {
		t.Fatal(err)
	}
	return r.Twins()
}

func TestTwins(t *testing.T) {
	invalid := twin("lua", "", "zadd-gt", 64, 5000)
	for i := range invalid {
		invalid[i] = costing(invalid[i], 0.99, 0)
	}
	all := twinsOf(t, []results.NotApplicable{{Strategy: "watch", Workload: "getdel", Reason: "not on this server"}},
		twin("atomic", "", "counter", 8, 99_999), // fewer clients than the most
		twin("atomic", "", "counter", 64, 10_000), twin("lua", "", "counter", 64, 9000), twin("eval", "", "counter", 64, 7000),
		twin("watch", "none", "counter", 64, 100), twin("watch", "full", "counter", 64, 500), twin("unsafe", "", "counter", 64, 50_000),
		twin("atomic", "", "zadd-gt", 64, 8000), invalid, twin("watch", "none", "zadd-gt", 64, 400),
		twin("atomic", "", "getdel", 8, 7000), twin("lua", "", "getdel", 64, 6000),
		twin("lua", "", "debit", 64, 6000), // no command
		twin("lua", "", "smove", 64, 6000), // its command was not run
	)
	if len(all) != 1 {
		t.Fatalf("%d tables", len(all))
	}
	got := all[0]
	if want := "Twins: one command, a script and the best WATCH loop at 64 clients, the most in this report; 1 key, network delay 1ms (achieved 1.20 ms to 1.30 ms)"; got.Title != want {
		t.Errorf("%q, want %q", got.Title, want)
	}
	want := [][]string{
		{"counter", "INCRBY", "10250 (10000 .. 10500)", "9225 (9000 .. 9450)", "~0.90", "512 (500 .. 525)", "0.05", "2.00 ms", "2.00 ms", "2.00 ms", "1.00 / 1.00 / 1.00"},
		{"zadd-gt", "ZADD GT CH", "8200 (8000 .. 8400)", "n/a", "n/a", "410 (400 .. 420)", "0.05", "2.00 ms", "n/a", "2.00 ms", "1.00 / n/a / 1.00"},
		{"getdel", "GETDEL", "n/a", "6150 (6000 .. 6300)", "n/a", "n/a", "n/a", "n/a", "2.00 ms", "n/a", "n/a / 1.00 / n/a"},
	}
	if !slices.EqualFunc(got.Table.Rows, want, slices.Equal) {
		t.Errorf("%q\nwant %q", got.Table.Rows, want)
	}
	if c := got.Table.Columns; len(c) != len(want[0]) || c[2] != "command/s (95 % interval)" || got.Table.Figures(1) || !got.Table.Figures(2) {
		t.Errorf("columns %q", c)
	}
	notes := []string{
		"Ratio: goodput as a multiple of the command's; ~ where the difference is not beyond doubt.",
		"Ops that renew the state take another command: ZPOPMAX to take out (zadd-gt); SET NX to issue (getdel).",
		"Best script: lua.",
		"Best WATCH loop: watch with full back-off for counter; watch without back-off for zadd-gt.",
		"n/a, script of zadd-gt: the row is invalid, the tool itself used the cores.",
		"n/a, command of getdel: not run with so many clients.",
		"n/a, WATCH of getdel: not on this server.",
	}
	if !slices.Equal(got.Notes, notes) {
		t.Errorf("%q\nwant %q", got.Notes, notes)
	}
}

// Only settings that differ in nothing else stand in one table, and one workload
// alone is no table.
func TestTwinsOfOtherSettings(t *testing.T) {
	counter := slices.Concat(twin("atomic", "", "counter", 4, 100), twin("lua", "", "counter", 4, 100))
	setnx := slices.Concat(twin("atomic", "", "setnx", 4, 100), twin("lua", "", "setnx", 4, 100))
	if all := twinsOf(t, nil, counter); all != nil {
		t.Errorf("of one workload: %+v", all)
	}
	for i := range setnx {
		setnx[i].Keys = 100
	}
	if all := twinsOf(t, nil, counter, setnx); all != nil {
		t.Errorf("of other keys: %+v", all)
	}
	few := counter[:0:0]
	for _, r := range slices.Concat(twin("atomic", "", "swap", 4, 100), twin("watch", "none", "swap", 4, 10), counter) {
		if len(few) == 0 || few[len(few)-1].Cell != r.Cell {
			few = append(few, r)
		}
	}
	all := twinsOf(t, nil, few)
	if len(all) != 1 || !strings.Contains(all[0].Table.Columns[2], "least .. most") {
		t.Errorf("%+v", all)
	}
}
