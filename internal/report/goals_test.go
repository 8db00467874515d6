package report

import (
	"slices"
	"testing"
	"time"

	"rmwbench/results"
)

// goals is what is said of rows with so many retries each, by clients.
func goals(t *testing.T, text string, planned bool, retries map[int]float64) (*Report, []string) {
	t.Helper()
	h := header("redis", 0)
	h.Goal = text
	f := &results.File{Headers: []results.Header{h}}
	for clients, n := range retries {
		c := cell("watch", clients, 1)
		c.Backoff = "none"
		r := run(c, 1000, 0)
		r.Attempts = int64(1000 * (1 + n))
		r.Exchanges = 3 * r.Attempts
		r.AttemptLatency = results.NewHistogram()
		r.AttemptLatency.Record(3 * time.Millisecond)
		f.Runs = append(f.Runs, r)
		if planned {
			f.Headers[0].Cells = append(f.Headers[0].Cells, c)
		}
	}
	r, err := New(f)
	if err != nil {
		t.Fatal(err)
	}
	return r, r.Settings[0].Goals(r.Goal())
}

func TestGoalsSayTheLargestLoad(t *testing.T) {
	for _, c := range []struct {
		retries map[int]float64
		want    string
		missed  bool
	}{
		// The window is two of three exchanges of 1 ms.
		{map[int]float64{1: 0, 8: 0.5, 16: 1.5, 4: 0.2},
			"Goal retries<1: watch without back-off meets it up to 8 clients (1000/s, load number of the hottest key 2); at 16 clients retries is 1.5.", true},
		{map[int]float64{1: 0, 2: 0.1},
			"Goal retries<1: watch without back-off meets it up to 2 clients (1000/s, load number of the hottest key 2); no larger load was tried.", false},
		{map[int]float64{3: 2},
			"Goal retries<1: watch without back-off does not meet it: at 3 clients retries is 2.", true},
		// What lies beyond the first that misses proves nothing.
		{map[int]float64{1: 0, 2: 3, 4: 0},
			"Goal retries<1: watch without back-off meets it up to 1 client (1000/s, load number of the hottest key 2); at 2 clients retries is 3.", true},
	} {
		r, got := goals(t, "retries<1", true, c.retries)
		if !slices.Equal(got, []string{c.want}) {
			t.Errorf("%v:\n%q, want\n%q", c.retries, got, c.want)
		}
		if r.Missed() != c.missed {
			t.Errorf("%v: missed %v", c.retries, r.Missed())
		}
	}
}

func TestGoalsThatCannotBeJudged(t *testing.T) {
	r, got := goals(t, "p99.9<1s", true, map[int]float64{5: 0})
	want := "Goal p99.9<1s: watch without back-off cannot be judged: at 5 clients there are too few samples for p99.9."
	if !slices.Equal(got, []string{want}) || r.Missed() {
		t.Errorf("%q, missed %v", got, r.Missed())
	}
}

// A search tries loads that miss, which nobody asked for; its rows are in order.
func TestASearchMissesNothing(t *testing.T) {
	r, _ := goals(t, "retries<1", false, map[int]float64{8: 0.5, 1: 0, 16: 2, 12: 1.5})
	if r.Missed() {
		t.Error("a search missed")
	}
	var clients []int
	for _, row := range r.Settings[0].Rows {
		clients = append(clients, row.Clients)
	}
	if !slices.Equal(clients, []int{1, 8, 12, 16}) {
		t.Errorf("rows in the order %v", clients)
	}
	if r, got := goals(t, "", true, map[int]float64{1: 9}); got != nil || r.Missed() {
		t.Errorf("without a goal: %q", got)
	}
}
