package report

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
)

// A burst from 1 s to 2 s in windows of 4 s.
var doubled = contention.Burst{Factor: 2, From: time.Second, Length: time.Second}

// curve is a series of 100 ms intervals in which p50 and p99 are what the
// functions say of an interval's number, in milliseconds; a p50 of 0 stands for
// an interval in which nothing committed. 10 ops are answered in each.
func curve(n int, p50, p99 func(i int) float64) *results.Series {
	s := &results.Series{IntervalNS: 1e8}
	for i := range n {
		p := results.Point{Committed: 8, Rejected: 2, Attempts: 20}
		if ms := p50(i); ms > 0 {
			p.P50NS, p.P99NS = new(int64(1e6*ms)), new(int64(1e6*p99(i)))
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// since is 10 ms before the burst, and from its start on as told.
func since(ms func(i int) float64) func(i int) float64 {
	return func(i int) float64 {
		if i < 10 {
			return 10
		}
		return ms(i)
	}
}

func TestRecovery(t *testing.T) {
	calm := func(int) float64 { return 20 }
	until := func(i int) func(int) float64 {
		return since(func(n int) float64 {
			if n < i {
				return 500
			}
			return 10.9
		})
	}
	for _, c := range []struct {
		what     string
		p50, p99 func(i int) float64
		took     time.Duration
		back     bool
	}{
		{"nothing happened", since(calm10), calm, 0, true},
		{"over with the burst", until(20), calm, 0, true},
		{"1.2 s later", until(32), calm, 1200 * time.Millisecond, true},
		{"only p99 takes 1.2 s", since(calm10), func(i int) float64 { return 2 * until(32)(i) }, 1200 * time.Millisecond, true},
		{"never", until(40), calm, 0, false},
		{"too late to see it stay", until(36), calm, 0, false},
		{"just late enough", until(35), calm, 1500 * time.Millisecond, true},
		{"11 % above is not back", since(func(int) float64 { return 11.1 }), calm, 0, false},
		{"draining", since(func(i int) float64 { return max(10, 300-20*float64(i-10)) }), calm, 500 * time.Millisecond, true},
		{"an outlier, and another, do not matter", func(i int) float64 {
			if i == 29 || i == 37 {
				return 900
			}
			return until(25)(i)
		}, calm, 500 * time.Millisecond, true},
		{"a lull of the storm does not either", func(i int) float64 {
			if i == 24 || i == 25 {
				return 10
			}
			return until(30)(i)
		}, calm, time.Second, true},
		{"nothing commits until 1 s later", func(i int) float64 {
			if i >= 20 && i < 30 {
				return 0
			}
			return 10
		}, calm, 800 * time.Millisecond, true}, // neighbours of the first that commit speak for the last that do not
		{"what varied before may vary after", func(i int) float64 {
			if i >= 10 && i < 27 {
				return 500
			}
			return []float64{10, 10, 14, 10, 14}[i%5]
		}, calm, 700 * time.Millisecond, true},
	} {
		r, ok := RecoveryOf(curve(40, c.p50, c.p99), doubled, 100, 4*time.Second)
		if !ok || r.Back != c.back || r.Took != c.took || r.Watched != 2*time.Second || r.Before < 10*time.Millisecond || r.Before > 14*time.Millisecond {
			t.Errorf("%s: %+v, %v; want %v, %v", c.what, r, ok, c.took, c.back)
		}
		if math.Abs(r.Kept-1) > 1e-9 || math.Abs(r.Answered-0.5) > 1e-9 {
			t.Errorf("%s: answered %v before and %v in the burst", c.what, r.Kept, r.Answered)
		}
	}
}

func calm10(int) float64 { return 10 }

func TestRecoveryCannotBeTold(t *testing.T) {
	calm := curve(40, calm10, calm10)
	for what, c := range map[string]struct {
		series *results.Series
		burst  contention.Burst
	}{
		"no series":          {nil, doubled},
		"no points":          {&results.Series{IntervalNS: 1e8}, doubled},
		"no interval":        {&results.Series{Points: calm.Points}, doubled},
		"nothing before":     {calm, contention.Burst{Factor: 2, Length: time.Second}},
		"too little before":  {calm, contention.Burst{Factor: 2, From: 499 * time.Millisecond, Length: time.Second}},
		"too little after":   {calm, contention.Burst{Factor: 2, From: time.Second, Length: 2501 * time.Millisecond}},
		"ended before it":    {curve(8, calm10, calm10), doubled},
		"ended in the burst": {curve(15, calm10, calm10), doubled},
		"nothing committed":  {curve(40, func(int) float64 { return 0 }, calm10), doubled},
	} {
		if r, ok := RecoveryOf(c.series, c.burst, 100, 4*time.Second); ok {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// A burst that does not begin and end with intervals is held against those that
// lie wholly before, in and after it.
func TestRecoveryBetweenIntervals(t *testing.T) {
	b := contention.Burst{Factor: 2, From: 950 * time.Millisecond, Length: time.Second}
	s := curve(40, func(i int) float64 {
		if i >= 9 && i < 25 { // back at 2.5 s
			return 500
		}
		return 10
	}, calm10)
	r, ok := RecoveryOf(s, b, 100, 4*time.Second)
	if !ok || !r.Back || r.Took != 550*time.Millisecond || r.Watched != 2050*time.Millisecond {
		t.Errorf("%+v, %v", r, ok)
	}
	tiny := contention.Burst{Factor: 2, From: 950 * time.Millisecond, Length: 20 * time.Millisecond}
	if r, ok := RecoveryOf(curve(40, calm10, calm10), tiny, 100, 4*time.Second); !ok || r.Answered != 0 || r.Took != 0 {
		t.Errorf("%+v, %v", r, ok)
	}
}

// The table has a column, and sentences say who got over the burst; of several
// trials the median counts, and one that is not back is longer than any.
func TestRecoveriesInWords(t *testing.T) {
	// 100 arrivals in the second before the burst may well be 60, but not 50.
	named := func(strategy string) results.Cell {
		c := cell(strategy, 8, 1)
		c.Rate, c.Burst = 100, doubled.String()
		return c
	}
	cells := []results.Cell{named("atomic"), named("cas"), named("cas-lua"), named("eval"), named("lua"), named("watch"), named("watch-pipelined")}
	storm := func(until int) *results.Series {
		return curve(40, since(func(i int) float64 {
			if i < until {
				return 500
			}
			return 10
		}), func(int) float64 { return 600 })
	}
	overloaded := storm(25)
	for i := range overloaded.Points[:10] {
		overloaded.Points[i].Committed = 3
	}
	series := [][]*results.Series{
		{storm(20), storm(20)}, {storm(23), storm(40), storm(25)}, {storm(40), storm(25), storm(40)},
		{overloaded}, {storm(18)}, {nil}, {storm(24), storm(40)},
	}
	var runs []results.Run
	for i, c := range cells {
		for _, s := range series[i] {
			r := run(c, 100, 0)
			r.ElapsedNS, r.Series, r.Latency, r.ServiceLatency = 4e9, s, results.NewHistogram(), results.NewHistogram()
			runs = append(runs, r)
		}
	}
	r, err := New(&results.File{Headers: []results.Header{header("redis", 0, cells...)}, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Settings[0]
	want := []string{
		"After the burst (x2 for 1s) latency was back at once for atomic at 8 clients and lua at 8 clients.",
		"cas at 8 clients needed 0.5 s after the burst until latency was back: p50 10.0 ms before it, up to 500 ms since; of its 200 arrivals/s 100/s were answered meanwhile.",
		"cas-lua at 8 clients was not back when the window ended 2 s after the burst: p50 10.0 ms before it, up to 500 ms since; of its 200 arrivals/s 100/s were answered meanwhile.",
		"eval at 8 clients had nothing to get back to: before the burst it answered 50 of 100 arrivals/s.",
		"watch-pipelined at 8 clients was not back when the window ended 2 s after the burst: p50 10.0 ms before it, up to 500 ms since; of its 200 arrivals/s 100/s were answered meanwhile.",
		"How long the burst was felt cannot be told of watch at 8 clients: it takes 5 intervals of the series before it and 5 after it, and a window below 1 s has no series.",
	}
	if got := s.Recoveries(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := s.Verdict(); len(got) <= len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("the verdict does not begin with the burst: %q", got)
	}
	if got := s.Title(); !strings.Contains(got, "open loop of 100/s, x2 for 1s from 1s on") {
		t.Errorf("title %q", got)
	}
	table := s.Table()
	column := slices.Index(table.Columns, "recovery")
	var got []string
	for _, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Fatalf("%d figures in %d columns", len(row), len(table.Columns))
		}
		got = append(got, row[column])
	}
	if want := []string{"at once", "0.5 s", "> 2 s", "n/a", "at once", "n/a", "> 2 s"}; !slices.Equal(got, want) || !table.Figures(column) {
		t.Errorf("recovery %q, want %q", got, want)
	}
}
