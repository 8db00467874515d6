package report

import (
	"math"
	"testing"

	"rmwbench/results"
)

// joinable is a run of a cell with times as achieved, and what the server took.
func joinable(c results.Cell, attempts int, cpu int64) results.Run {
	r := run(c, int64(attempts), 0)
	spread := func(ns int64) *results.Spread {
		if ns == 0 {
			return nil
		}
		return &results.Spread{P50: ns, P99: ns, Mean: ns + ns/10}
	}
	r.Achieved.RTTNS, r.Achieved.ScriptTimeNS = spread(c.RTTNS), spread(c.ScriptTimeNS)
	if c.Strategy == "watch" {
		r.Achieved.DecisionNS = spread(c.DecisionNS)
	}
	r.Whole.Attempts = int64(attempts)
	r.Server = &results.Server{CPUNS: &cpu}
	return r
}

func TestJoined(t *testing.T) {
	var cells []results.Cell
	var runs []results.Run
	for _, keys := range []int{1, 100} {
		watch, lua := cell("watch", 8, keys), cell("lua", 8, keys)
		watch.DecisionNS, lua.DecisionNS, lua.ScriptTimeNS = 1e6, 1e6, 1e6
		watch.RTTNS, lua.RTTNS = 2e6, 2e6
		cells = append(cells, watch, lua)
		runs = append(runs, joinable(watch, 100, 2e6), joinable(lua, 100, 110e6))
		predicted := joinable(lua, 50, 55e6)
		predicted.Source = results.SourcePredicted
		predicted.Achieved.ScriptTimeNS.Mean = 1.2e6
		runs = append(runs, predicted)
	}
	h := header("redis", 0, cells...)
	h.Server.PingNS = 100_000
	r, err := New(&results.File{Headers: []results.Header{h}, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Settings) != 2 {
		t.Fatalf("%d settings", len(r.Settings))
	}
	common := r.Settings[0].Cell
	common.Keys, common.DecisionNS = 0, 0
	s := Joined(common, &r.Settings[0], &r.Settings[1])
	if len(s.Rows) != 4 || len(s.Predicted) != 2 || s.Keys != 0 || s.DecisionNS != 1e6 {
		t.Errorf("%d rows, %d predicted, %d keys, decision %d", len(s.Rows), len(s.Predicted), s.Keys, s.DecisionNS)
	}
	if alone := Joined(common, &r.Settings[1]); alone.Keys != 100 {
		t.Errorf("%d keys, those that are common to all are put back", alone.Keys)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	for i := range s.Rows {
		row := &s.Rows[i]
		if n := len(s.RunsOf(row)); n != 1 {
			t.Errorf("%d runs of %s on %d keys", n, row.Strategy, row.Keys)
		}
		if row.Strategy == "lua" {
			near("script time", s.ScriptTime(row), 1.1e-3)
			if d := s.Decision(row); d != 0 {
				t.Errorf("clients of a script decide for %v", d)
			}
			continue
		}
		near("decision", s.Decision(row), 1.1e-3)
		if d := s.ScriptTime(row); d != 0 {
			t.Errorf("WATCH has a script time of %v", d)
		}
	}
	for i := range s.Predicted {
		near("predicted script time", s.ScriptTime(&s.Predicted[i]), 1.2e-3)
		if n := len(s.RunsOf(&s.Predicted[i])); n != 1 {
			t.Errorf("%d runs of a prediction", n)
		}
	}
	near("round trip", s.RoundTrip(), 100e-6+2.2e-3)
	command, ok := s.Command() // 2 ms for 100 attempts of 5 commands
	if !ok {
		t.Fatal("no command")
	}
	near("command", command, 4e-6)
}

func TestTimesThatNobodyMeasured(t *testing.T) {
	c := cell("lua", 8, 1)
	c.ScriptTimeNS, c.RTTNS = 1e6, 2e6
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, c)}, Runs: []results.Run{run(c, 10, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Settings[0]
	if d := s.ScriptTime(&s.Rows[0]); d != 1e-3 {
		t.Errorf("script time %v, want what was asked for", d)
	}
	if d := s.RoundTrip(); d != 2e-3+float64(s.Server.PingNS)/1e9 {
		t.Errorf("round trip %v", d)
	}
	if _, ok := s.Command(); ok {
		t.Error("a command without WATCH")
	}
}

func TestKeptUp(t *testing.T) {
	for _, c := range []struct {
		committed, offered, unserved int64
		want                         bool
	}{{1000, 1000, 0, true}, {975, 1000, 25, true}, {900, 1000, 100, false}, {900, 1000, 10, true}, {0, 1000, 1000, false}} {
		s := results.Summary{Committed: c.committed, Arrivals: results.Arrivals{Offered: c.offered, Unserved: c.unserved}}
		if got := KeptUp(&s); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
