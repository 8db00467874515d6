package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/results"
)

func TestBystandersHaveColumns(t *testing.T) {
	for _, test := range []struct {
		n       int
		closed  bool
		columns []string
		figures []string // of a row of 999 reads of 2 ms in a second
		void    []string
		title   string
	}{
		{0, false, nil, nil, nil, "not injected"},
		{1, false, []string{"bystander p50", "bystander p99"}, []string{"2.00 ms", "n/a"}, []string{"void", "void"}, "1 bystander"},
		{4, true, []string{"bystander p50", "bystander p99", "bystander reads/s"}, []string{"2.00 ms", "n/a", "999"}, []string{"void", "void", "void"},
			"4 bystanders reading as fast as they can"},
	} {
		good, bad := cell("lua", 1, 1), cell("unsafe", 1, 1)
		good.RTTNS, bad.RTTNS = 0, 0
		for _, c := range []*results.Cell{&good, &bad} {
			c.Bystanders, c.BystandersClosed = test.n, test.closed
		}
		runs := []results.Run{run(good, 10, 0), run(bad, 10, 0)}
		for i := range runs {
			runs[i].Latency = results.NewHistogram()
			runs[i].BystanderLatency = results.NewHistogram()
			for range 999 {
				runs[i].BystanderLatency.Record(2 * time.Millisecond)
			}
			runs[i].BystanderFailed = int64(2 * test.n)
		}
		runs[1].Audit = &results.Audit{Verdict: results.AuditLost, Keys: 1, Acknowledged: 10, Stored: 6, Lost: 4}
		r, err := New(&results.File{Headers: []results.Header{header("redis", 0, good, bad)}, Runs: runs})
		if err != nil {
			t.Fatal(err)
		}
		s := &r.Settings[0]
		table := s.Table()
		from := slices.Index(table.Columns, "p99") + 1
		last := len(table.Columns) - 1
		if got := table.Columns[from:last]; !slices.Equal(got, test.columns) {
			t.Errorf("columns %q, want %q", got, test.columns)
		}
		if brief := table.Brief().Columns; slices.Contains(brief, "bystander p50") != (test.n > 0) || slices.Contains(brief, "bystander p99") {
			t.Errorf("of 999 reads there is no p99: %q", brief)
		}
		for i, want := range [][]string{test.figures, test.void} {
			if got := table.Rows[i][from:last]; !slices.Equal(got, want) || len(table.Rows[i]) != len(table.Columns) {
				t.Errorf("row %q, want %q", table.Rows[i], want)
			}
		}
		if title := s.Title(); !strings.HasSuffix(title, test.title) {
			t.Errorf("title %q, want %q", title, test.title)
		}
		if got := strings.Contains(strings.Join(s.Remarks(), "\n"), "lua, 1 client: "+map[int]string{1: "2 reads", 4: "8 reads"}[test.n]+" of bystanders failed."); got != (test.n > 0) {
			t.Errorf("remarks %q", s.Remarks())
		}
	}
}

// A simulated row that readers who never rest take the server from has no closed
// form.
func TestClosedBystandersAreNotModelled(t *testing.T) {
	c := cell("lua", 1, 1)
	s := Setting{Cell: c, Source: results.SourceSimulated, runs: []results.Run{run(c, 10, 0)}}
	cpu := int64(1e6)
	s.runs[0].Server, s.runs[0].Whole = &results.Server{CPUNS: &cpu}, results.Whole{Attempts: 10, Exchanges: 10}
	row := results.Summary{Cell: c, Committed: 10}
	if _, ok := s.Modelled(&row); !ok {
		t.Error("without bystanders it has one")
	}
	row.Bystanders, row.BystandersClosed = 2, true
	s.runs[0].Cell = row.Cell
	if x, ok := s.Modelled(&row); ok {
		t.Errorf("%v/s", x)
	}
}
