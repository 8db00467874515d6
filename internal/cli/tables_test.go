package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"rmwbench/internal/report"
	"rmwbench/results"
)

// trials are three of a cell on two cores, in which the tool used a share of both
// and the server one of its thread.
func trials(strategy, backoff, workload string, clients int, goodput int64, attempts int64, tool, server float64) (runs []results.Run) {
	for trial := range int64(3) {
		cpu := int64(server * 1e9)
		committed := goodput + (trial-1)*goodput/20
		run := results.Run{
			Source:    results.SourceLive,
			Cell:      results.Cell{Strategy: strategy, Backoff: backoff, Workload: workload, Clients: clients, Keys: 1, Dist: "uniform", Conn: "dedicated"},
			Trial:     int(trial),
			ElapsedNS: 1e9, Committed: committed, Attempts: attempts * committed, Conflicts: (attempts - 1) * committed, Exchanges: attempts * committed,
			Whole: results.Whole{ElapsedNS: 1e9}, Latency: results.NewHistogram(),
			Client: &results.Client{CPUNS: int64(tool * 2e9), Cores: 2},
			Server: &results.Server{CPUNS: &cpu, Commands: map[string]results.CommandStats{}},
			Audit:  &results.Audit{Verdict: results.AuditExact, Keys: 1},
		}
		for range 500 {
			run.Latency.Record(time.Duration(int64(clients) * 1e9 / goodput))
		}
		if w := run.LoadWarning(); w != "" {
			run.Warn(w)
		}
		runs = append(runs, run)
	}
	return runs
}

// What a terminal shows of two workloads: shares of processors, what the tool
// limited, what came near the ceiling, and the twins.
func TestTables(t *testing.T) {
	f := &results.File{Headers: []results.Header{{
		Source: results.SourceLive, Version: "v1", Command: []string{"rmwbench", "run"}, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Trials: 3, Seed: 1, DurationNS: 1e9,
		Environment: results.Environment{Cores: 2},
		Server:      results.ServerFacts{Product: "redis", Version: "7.0.15", Started: true, Protocol: 3, PingNS: 40_000},
		Pings:       []results.Pings{{Clients: 1, PerSecond: 21_000}, {Clients: 16, PerSecond: 88_000}},
		NA:          []results.NotApplicable{{Strategy: "eval", Workload: "setnx", Reason: "a reason"}},
	}}}
	for _, runs := range [][]results.Run{
		trials("watch", "full", "counter", 1, 7000, 1, 0.2, 0.3),
		trials("watch", "full", "counter", 16, 4000, 9, 0.5, 0.6),
		trials("lua", "", "counter", 1, 15_000, 1, 0.25, 0.4),
		trials("lua", "", "counter", 16, 60_000, 1, 0.85, 0.9),
		trials("atomic", "", "counter", 1, 20_000, 1, 0.25, 0.35),
		trials("atomic", "", "counter", 16, 80_000, 1, 0.81, 0.7),
		trials("watch", "full", "setnx", 16, 5000, 8, 0.5, 0.6),
		trials("lua", "", "setnx", 16, 65_000, 1, 0.7, 0.9),
		trials("atomic", "", "setnx", 16, 85_000, 1, 0.96, 0.7),
	} {
		f.Runs = append(f.Runs, runs...)
	}
	r, err := report.New(f)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	printReport(&out, r, false)
	golden(t, "tables.txt", out.String())
}

// A table fits a terminal: by default 130 columns, and 150 with script time and
// bystanders.
func TestWidthOfTables(t *testing.T) {
	for _, test := range []struct {
		name  string
		shape func(*results.Cell)
		most  int
	}{
		{"default", func(*results.Cell) {}, 130},
		{"script time and bystanders", func(c *results.Cell) {
			c.DecisionNS, c.Bystanders, c.BystandersClosed = 5e6, 4, true
			if c.Strategy == "lua" {
				c.ScriptTimeNS = 5e6
			}
		}, 150},
	} {
		f := &results.File{Headers: []results.Header{{Source: results.SourceLive, Trials: 3}}}
		runs := trials("watch-pipelined", "none", "counter", 16, 14_000, 12, 0.2, 0.3)
		runs = append(runs, trials("lua", "", "counter", 16, 120_000, 1, 0.2, 0.3)...)
		for _, r := range runs {
			test.shape(&r.Cell)
			r.BystanderLatency = r.Latency
			f.Runs = append(f.Runs, r)
			r.Source = results.SourcePredicted
			f.Runs = append(f.Runs, r)
		}
		r, err := report.New(f)
		if err != nil {
			t.Fatal(err)
		}
		table := r.Settings[0].Table()
		out := rendered(table.Brief())
		for line := range strings.Lines(out) {
			if width := utf8.RuneCountInString(line) - 1; width > test.most {
				t.Errorf("%s: %d columns in\n%s", test.name, width, out)
			}
		}
		if len(table.Brief().Columns) >= len(table.Columns) || strings.Contains(out, "error") || !strings.Contains(out, "least .. most") {
			t.Errorf("%s: not brief:\n%s", test.name, out)
		}
	}
}

func TestHeadsOnTwoLines(t *testing.T) {
	for _, test := range []struct {
		head   string
		column int
		want   string
	}{
		{"attempts/op", 4, "attempts\n/op"},
		{"attempts/op", 11, "attempts/op"},
		{"bystander reads/s", 4, "bystander\nreads/s"},
		{"command/s (least .. most)", 22, "command/s\n(least .. most)"},
		{"clients", 2, "clients"},
	} {
		if got := wrapped(test.head, test.column); got != test.want {
			t.Errorf("%q over %d: %q", test.head, test.column, got)
		}
	}
}
