package report

import (
	"slices"
	"strings"
	"testing"

	"rmwbench/results"
)

// costing is a trial that took shares of two cores of the tool and of the server's
// thread.
func costing(r results.Run, tool, server float64) results.Run {
	cpu := int64(server * 1e9)
	r.Whole.ElapsedNS = 1e9
	r.Client = &results.Client{CPUNS: int64(tool * 2e9), Cores: 2}
	r.Server = &results.Server{CPUNS: &cpu}
	if w := r.LoadWarning(); w != "" {
		r.Warn(w)
	}
	return r
}

func TestLoadStandsInTheTable(t *testing.T) {
	fast, busy, slow := cell("atomic", 64, 1), cell("lua", 64, 1), cell("lua", 1, 1)
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, fast, busy, slow)}, Runs: []results.Run{
		costing(run(fast, 900, 0), 0.97, 0.5), costing(run(busy, 500, 0), 0.85, 0.7), costing(run(slow, 10, 0), 0.05, 0.01),
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Settings[0]
	table := s.Table()
	tool := slices.Index(table.Columns, "tool %")
	if tool < 0 || table.Columns[tool+1] != "server %" || !table.Figures(tool) || table.Columns[tool+2] != "audit" {
		t.Fatalf("columns %q", table.Columns)
	}
	for i, want := range [][]string{{"atomic !", "97", "50", "exact"}, {"lua", "85", "70", "exact"}, {"lua", "5", "1", "exact"}} {
		if got := append([]string{table.Rows[i][0]}, table.Rows[i][tool:]...); !slices.Equal(got, want) {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	want := []string{
		"warning, lua, 64 clients: the tool itself used 80 % of the cores or more: faster ways may be faster than measured.",
		"INVALID (!): the tool itself used 95 % of its cores or more and was what limited these rows; " +
			"they say nothing about the server and take no part in the verdict: atomic, 64 clients.",
	}
	if got := s.Remarks(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if verdict := strings.Join(s.Verdict(), " "); strings.Contains(verdict, "atomic") || s.Invalid() != 1 {
		t.Errorf("%d invalid, %q", s.Invalid(), verdict)
	}
}

// What one trial of many was warned of is said for all that it applies to, once.
func TestWarningsAreSaidOnce(t *testing.T) {
	a, b := cell("lua", 1, 1), cell("lua", 4, 1)
	runs := []results.Run{run(a, 1, 0), run(b, 1, 0), run(b, 1, 0)}
	runs[0].Warnings = []string{"one", "both."}
	runs[2].Warnings = []string{"both."}
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, a, b)}, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"warning, lua, 1 client: one.", "warning, lua, 1 client; lua, 4 clients: both."}
	if got := r.Settings[0].Remarks(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLoadThatNobodyKnows(t *testing.T) {
	c := cell("lua", 1, 1)
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, c)}, Runs: []results.Run{run(c, 1, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if columns := r.Settings[0].Table().Columns; slices.Contains(columns, "tool %") || slices.Contains(columns, "server %") {
		t.Errorf("%q", columns)
	}
	if times := r.Settings[0].Times(); times.Rows != nil {
		t.Errorf("times %q", times.Rows)
	}
}

// An embedded server is never the tool's fault, and its share is not the tool's.
func TestLoadOfAnEmbeddedServer(t *testing.T) {
	c := cell("atomic", 64, 1)
	one := costing(run(c, 900, 0), 0.5, 0)
	one.Client.CPUNS, one.Client.Hosts, one.Server = 2e9, true, nil
	r, err := New(&results.File{Headers: []results.Header{header("miniredis", 0, c)}, Runs: []results.Run{one}})
	if err != nil {
		t.Fatal(err)
	}
	table := r.Settings[0].Table()
	last := len(table.Columns) - 1
	if table.Columns[last-1] != "tool and server %" || table.Rows[0][last-1] != "100" || table.Rows[0][0] != "atomic" {
		t.Errorf("%q %q", table.Columns, table.Rows)
	}
	if got := r.Settings[0].Remarks(); got != nil {
		t.Errorf("%q", got)
	}
}

func TestTimes(t *testing.T) {
	a, b := cell("lua", 1, 1), cell("watch", 4, 1)
	b.Backoff = "full"
	runs := []results.Run{run(a, 1, 0), run(b, 1, 0), run(b, 1, 0)}
	runs[0].Server = &results.Server{Commands: map[string]results.CommandStats{"evalsha": {Calls: 2, USec: 7}}}
	runs[1].Server = &results.Server{Commands: map[string]results.CommandStats{"exec": {Calls: 1, USec: 1}, "info": {Calls: 1, USec: 50}}}
	runs[2].Server = &results.Server{Commands: map[string]results.CommandStats{"exec": {Calls: 2, USec: 3}}}
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, a, b)}, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	times := r.Settings[0].Times()
	want := [][]string{{"lua", "-", "1", "3.50", "-"}, {"watch", "full", "4", "-", "1.33"}}
	if !slices.Equal(times.Columns, []string{"strategy", "back-off", "clients", "evalsha", "exec"}) || !slices.EqualFunc(times.Rows, want, slices.Equal) {
		t.Errorf("%q %q", times.Columns, times.Rows)
	}
}

// What a terminal has no room for is in the whole table only: shares of
// processors where nobody is busy, back-off where there is none.
func TestBriefTable(t *testing.T) {
	for _, test := range []struct {
		tool, server float64
		want         []string
	}{
		{0.2, 0.3, []string{"strategy", "clients", "goodput/s", "least .. most", "attempts/op", "exchanges/op", "p50", "p99", "audit"}},
		{0.2, 0.8, []string{"strategy", "clients", "goodput/s", "least .. most", "attempts/op", "exchanges/op", "p50", "p99", "tool %", "server %", "audit"}},
	} {
		c := cell("lua", 4, 1)
		c.Backoff = ""
		r, err := New(&results.File{Headers: []results.Header{header("redis", 0, c)}, Runs: []results.Run{costing(run(c, 10, 0), test.tool, test.server)}})
		if err != nil {
			t.Fatal(err)
		}
		whole := r.Settings[0].Table()
		brief := whole.Brief()
		if !slices.Equal(brief.Columns, test.want) {
			t.Errorf("columns %q", brief.Columns)
		}
		for i, name := range brief.Columns {
			if from := slices.Index(whole.Columns, name); brief.Rows[0][i] != whole.Rows[0][from] || brief.Figures(i) != whole.Figures(from) {
				t.Errorf("%s: %q in the brief table, %q in the whole one", name, brief.Rows[0][i], whole.Rows[0][from])
			}
		}
		if !slices.Contains(whole.Columns, "back-off") || !slices.Contains(whole.Columns, "tool %") {
			t.Errorf("columns %q", whole.Columns)
		}
	}
}
