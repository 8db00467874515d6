package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/results"
)

func header(product string, minute int, cells ...results.Cell) results.Header {
	return results.Header{Source: results.SourceLive,
		Version: "v1", Command: []string{"rmwbench", "run"}, Trials: 2, Seed: 1, DurationNS: 4e8, WarmupNS: 1e8, Cells: cells,
		Started: time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC),
		Server:  results.ServerFacts{Product: product, Version: "1", Protocol: 3, PingNS: 41_500, Started: true},
	}
}

func cell(strategy string, clients, keys int) results.Cell {
	return results.Cell{Strategy: strategy, Workload: "counter", Clients: clients, Keys: keys, Dist: "zipf", Skew: 0.5, RTTNS: 1e6}
}

// run is a trial of a cell, ops a second.
func run(c results.Cell, committed, unfinished int64) results.Run {
	return results.Run{
		Source: results.SourceLive, Cell: c, ElapsedNS: 1e9, Committed: committed, Unfinished: unfinished, Attempts: committed,
		Exchanges: committed, Achieved: results.Achieved{RTTNS: &results.Spread{P50: 1_200_000 + committed}},
		Audit: &results.Audit{Verdict: results.AuditExact, Keys: 1},
	}
}

func TestShortHasThreeDigits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ns", 999: "999 ns", 1500: "1.50 µs", 41_499: "41.5 µs", 99_949: "99.9 µs", 99_960: "100 µs",
		1_234_567: "1.23 ms", 9_996_000: "10.0 ms", 426 * time.Millisecond: "426 ms", 1500 * time.Millisecond: "1.50 s", time.Minute: "60.0 s",
	} {
		if got := Short(d); got != want {
			t.Errorf("%d ns reads %q, want %q", d, got, want)
		}
	}
}

func TestSettingsAreGroupedInPlanOrder(t *testing.T) {
	a1, a4, b1 := cell("lua", 1, 1), cell("lua", 4, 1), cell("lua", 1, 100)
	r, err := New(&results.File{
		Headers: []results.Header{header("redis", 0, a1, a4, b1)},
		Runs:    []results.Run{run(b1, 100, 0), run(a1, 200, 0), run(a1, 300, 0)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Settings) != 2 || r.Settings[0].Keys != 1 || r.Settings[1].Keys != 100 {
		t.Fatalf("settings %+v", r.Settings)
	}
	first := &r.Settings[0]
	if len(first.Rows) != 1 || first.Rows[0].Trials != 2 || first.Unreached != 1 {
		t.Errorf("%d rows, %d unreached", len(first.Rows), first.Unreached)
	}
	if got := first.Remarks(); len(got) != 1 || got[0] != "1 of 2 cells were not reached." {
		t.Errorf("remarks %q", got)
	}
	if r.Planned() != 6 || r.Whole() != 3 || r.Void() || r.Dead() != "" {
		t.Errorf("planned %d, whole %d, void %v, dead %q", r.Planned(), r.Whole(), r.Void(), r.Dead())
	}
	if got, want := first.Title(), "counter on 1 key, network delay 1ms (achieved 1.20 ms to 1.20 ms)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := r.Settings[1].Load(), "counter on 100 keys, zipf 0.5"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Rows on a shared connection stand beside the others and say so.
func TestRowsOnASharedConnection(t *testing.T) {
	own := cell("lua", 4, 1)
	own.Conn = results.ConnDedicated
	together := own
	together.Conn = results.ConnShared
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, own, together)}, Runs: []results.Run{run(own, 100, 0), run(together, 200, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Settings) != 1 {
		t.Fatalf("%d tables", len(r.Settings))
	}
	rows := r.Settings[0].Table().Rows
	if len(rows) != 2 || rows[0][0] != "lua" || rows[1][0] != "lua, shared" {
		t.Errorf("rows %q", rows)
	}
	if got, want := Who(together), "lua on a shared connection, 4 clients"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTheLoadNamesTheSizeOfValues(t *testing.T) {
	s := Setting{Cell: results.Cell{Workload: "document", ValueBytes: 100, Keys: 1}}
	if got, want := s.Load(), "document of 100 bytes on 1 key"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for source, want := range map[string]string{results.SourceSimulated: "Figures are those of short values", results.SourceLive: ""} {
		s.Source = source
		if got := strings.Join(s.Remarks(), "\n"); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
	s.Source, s.Predicted = results.SourceLive, []results.Summary{{}}
	if got := s.Remarks(); len(got) != 1 || !strings.HasPrefix(got[0], "Predictions are those of short values") {
		t.Errorf("predicted: %q", got)
	}
}

func TestFilesAreMergedByCell(t *testing.T) {
	c := cell("lua", 1, 1)
	one := &results.File{Headers: []results.Header{header("redis", 0, c)}, Runs: []results.Run{run(c, 100, 0)}}
	two := &results.File{Headers: []results.Header{header("redis", 1, c)}, Runs: []results.Run{run(c, 300, 0)}}
	r, err := New(one, two)
	if err != nil {
		t.Fatal(err)
	}
	if rows := r.Settings[0].Rows; len(rows) != 1 || rows[0].Trials != 2 || rows[0].Committed != 400 {
		t.Errorf("%+v", rows)
	}
	if _, err := New(one, one); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("the same run twice: %v", err)
	}
	other := &results.File{Headers: []results.Header{header("valkey", 2, c)}, Runs: []results.Run{run(c, 300, 0)}}
	if _, err := New(one, other); err == nil || !strings.Contains(err.Error(), "redis 1 (throw-away) and of valkey 1") {
		t.Errorf("two servers: %v", err)
	}
}

func TestTableNamesItsInterval(t *testing.T) {
	c := cell("lua", 1, 1)
	for trials, want := range map[int]string{5: "least .. most", 6: "95 % interval"} {
		f := &results.File{Headers: []results.Header{header("redis", 0, c)}}
		for i := range trials {
			f.Runs = append(f.Runs, run(c, int64(100+i), 0))
			f.Runs[i].Latency = results.NewHistogram()
		}
		r, err := New(f)
		if err != nil {
			t.Fatal(err)
		}
		table := r.Settings[0].Table()
		if table.Columns[4] != want {
			t.Errorf("%d trials: %q, want %q", trials, table.Columns[4], want)
		}
		if row := table.Rows[0]; len(row) != len(table.Columns) || row[8] != "n/a" || row[10] != "exact" {
			t.Errorf("%q", row)
		}
	}
}

func TestRemarksSayWhatWentWrong(t *testing.T) {
	lost, cut, failed, partial := cell("unsafe", 8, 1), cell("watch", 64, 1), cell("lua", 1, 1), cell("atomic", 1, 1)
	runs := []results.Run{run(lost, 10, 0), run(cut, 10, 64), run(failed, 0, 0), run(partial, 10, 0)}
	runs[0].Audit = &results.Audit{Verdict: results.AuditLost, Keys: 1, Acknowledged: 10, Stored: 6, Lost: 4}
	runs[2].Failed = map[string]int64{"WRONGTYPE": 1}
	runs[2].Warnings = []string{"WRONGTYPE Operation against a key."}
	runs[3].Partial = true
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, lost, cut, failed, partial)}, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"VOID unsafe, 8 clients: 4 of 10 acknowledged updates lost.",
		"lua, 1 client: 1 op failed.",
		"atomic, 1 client: 1 trial cut short and left out of the figures.",
		"warning, lua, 1 client: WRONGTYPE Operation against a key.",
		"Cut off (>): more than a tenth of the ops were still running when their trial ended, so latencies lack the longest, " +
			"and goodput may be that of a beginning (longer --warmup and --duration help): watch, 64 clients.",
	}
	if got := r.Settings[0].Remarks(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !r.Void() || r.Dead() != "every op of lua, 1 client, failed: WRONGTYPE Operation against a key." {
		t.Errorf("void %v, dead %q", r.Void(), r.Dead())
	}
}

func TestWitness(t *testing.T) {
	c := cell("lua", 1, 1)
	agree := run(c, 1, 0)
	agree.Server = &results.Server{Commands: map[string]results.CommandStats{"evalsha": {Calls: 1}, "info": {Calls: 2}}}
	agree.Whole.Commands = map[string]int64{"evalsha": 1}
	differ := agree
	differ.Server = &results.Server{Commands: map[string]results.CommandStats{"evalsha": {Calls: 1}, "del": {Calls: 1}}}
	blind := run(c, 1, 0)
	for _, w := range []struct {
		runs []results.Run
		want string
	}{
		{[]results.Run{agree, agree}, "equal ours in all 2 trials."},
		{[]results.Run{agree}, "equal ours in the one trial."},
		{[]results.Run{agree, blind}, "equal ours in 1 of 2 trials; 1 could not be compared."},
		{[]results.Run{agree, differ}, "differ from ours in 1 of 2 trials"},
		{[]results.Run{blind}, "Witness: none"},
	} {
		r, err := New(&results.File{Headers: []results.Header{header("redis", 0, c)}, Runs: w.runs})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Witness(); !strings.Contains(got, w.want) {
			t.Errorf("%q, want %q", got, w.want)
		}
	}
}

// Where scripts keep a server busy, rows say for how long, and the head says who
// wanted that.
func TestScriptTimeIsSaid(t *testing.T) {
	slow, unchecked, watch := cell("lua", 4, 1), cell("lua", 8, 1), cell("watch", 4, 1)
	slow.ScriptTimeNS, unchecked.ScriptTimeNS = 5e6, 5e6
	slow.DecisionNS, unchecked.DecisionNS, watch.DecisionNS = 5e6, 5e6, 5e6
	h := header("redis", 0, slow, unchecked, watch)
	told := run(slow, 190, 0)
	told.Achieved.ScriptTimeNS = &results.Spread{Mean: 5_040_000}
	r, err := New(&results.File{Headers: []results.Header{h}, Runs: []results.Run{told, run(unchecked, 190, 0), run(watch, 20, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Settings[0]
	table := s.Table()
	at := slices.Index(table.Columns, "script time")
	if at != len(table.Columns)-2 || !table.Figures(at) {
		t.Fatalf("columns %q", table.Columns)
	}
	for i, want := range []string{"5.04 ms", "n/a", "-"} {
		if row := table.Rows[i]; row[at] != want || len(row) != len(table.Columns) {
			t.Errorf("row %q, want a script time of %q", row, want)
		}
	}
	if title := s.Title(); !strings.Contains(title, "by a script on the server") || strings.Contains(title, "script or single command decides in no time") {
		t.Errorf("title %q", title)
	}
	for source, want := range map[string]string{"": "", results.ScriptTimeAsked: "--script-time", results.ScriptTimeDecision: "decision"} {
		h.ScriptTime = source
		about := strings.Join(About(h), "\n")
		if _, line, said := strings.Cut(about, "Script time: "); said != (want != "") || !strings.Contains(line, want) {
			t.Errorf("%q: the head says %q", source, about)
		}
	}
	free, _ := New(&results.File{Headers: []results.Header{header("redis", 0, watch)}, Runs: []results.Run{run(watch, 20, 0)}})
	if table := free.Settings[0].Table(); slices.Contains(table.Columns, "script time") {
		t.Errorf("columns without script time: %q", table.Columns)
	}
}
