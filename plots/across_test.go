package plots

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/report"
	"rmwbench/results"
)

// sketch is a cell of a made-up results file with what else it has.
type sketch struct {
	made
	cell func(c *results.Cell) // what differs from the usual cell; nil: nothing
	run  func(r *results.Run)  // what its trials hold besides
}

// drawn makes a results file of sketches, three trials each.
func drawn(cells ...sketch) *results.File {
	f := file()
	h := &f.Headers[0]
	for trial := range 3 {
		for _, s := range cells {
			cell := results.Cell{
				Strategy: s.strategy, Backoff: s.backoff, Clients: s.clients, Workload: "counter", Keys: 1,
				Dist: "uniform", RTTNS: 1e6, Conn: "dedicated",
			}
			if s.cell != nil {
				s.cell(&cell)
			}
			if trial == 0 {
				h.Cells = append(h.Cells, cell)
			}
			run := s.made.run(cell, trial)
			if s.run != nil {
				s.run(&run)
			}
			f.Runs = append(f.Runs, run)
		}
	}
	return f
}

// also adds the runs of a file as what a simulation made of the cells of
// another.
func also(f, predicted *results.File) *results.File {
	for _, run := range predicted.Runs {
		run.Source = results.SourcePredicted
		f.Runs = append(f.Runs, run)
	}
	return f
}

// taking is a script that takes time, a bit longer than was asked for, as does a
// client's decision.
func taking(keys int, d time.Duration) (func(*results.Cell), func(*results.Run)) {
	cell := func(c *results.Cell) {
		c.Keys, c.DecisionNS = keys, int64(d)
		if c.Strategy == "lua" {
			c.ScriptTimeNS = int64(d)
		}
	}
	return cell, func(r *results.Run) {
		if d == 0 {
			return
		}
		spread := &results.Spread{P50: int64(d), P99: int64(d), Mean: int64(float64(d) * 1.05)}
		if r.ScriptTimeNS > 0 {
			r.Achieved.ScriptTimeNS = spread
		} else {
			r.Achieved.DecisionNS = spread
		}
	}
}

var decisions = []time.Duration{0, 100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond}

// decided is a grid of decisions that clients take and scripts as long: WATCH
// gets ahead on 100 keys, and is nowhere on one.
func decided(factor float64) *results.File {
	var cells []sketch
	for _, d := range decisions {
		for _, keys := range []int{1, 100} {
			cell, run := taking(keys, d)
			watch := 400 / (1 + 500*d.Seconds())
			if keys > 1 {
				watch = 6000 / (1 + 500*d.Seconds())
			}
			for _, clients := range []int{4, 64} {
				lua := math.Min(float64(clients)/(1.2e-3+d.Seconds()), 1/(50e-6+d.Seconds()))
				cells = append(cells,
					sketch{made{"watch-pipelined", "none", clients, factor * watch, 3, 5 * time.Millisecond, false}, cell, run},
					sketch{made{"lua", "", clients, factor * lua, 1, 2 * time.Millisecond, false}, cell, run})
			}
			cells = append(cells, sketch{made{"atomic", "", 64, factor * 9000, 1, 2 * time.Millisecond, false}, cell, run})
		}
	}
	return drawn(cells...)
}

// observed is a grid of scripts and WATCH loops with 10 bystanders.
func observed(closed bool) *results.File {
	var cells []sketch
	for _, d := range decisions {
		cell, run := taking(1, d)
		for _, strategy := range []string{"watch-pipelined", "lua", "atomic"} {
			run := run
			if strategy == "atomic" {
				run = func(*results.Run) {}
			}
			read := 200 * time.Microsecond
			if strategy == "lua" {
				read += 9 * d
			}
			cells = append(cells, sketch{made{strategy, "", 8, 90, 1, 2 * time.Millisecond, false},
				func(c *results.Cell) { cell(c); c.Bystanders, c.BystandersClosed = 10, closed },
				func(r *results.Run) {
					run(r)
					r.BystanderLatency = results.NewHistogram()
					n := max(1000, time.Duration(10/read.Seconds())) // enough for a p99
					for i := range n {
						r.BystanderLatency.Record(read * (i + 1) / n)
					}
				}})
		}
	}
	return drawn(cells...)
}

// open is a grid of rates: WATCH keeps up with 100/s and not with more.
func open() *results.File {
	var cells []sketch
	for _, rate := range []float64{100, 500, 2000} {
		for _, way := range []made{
			{"watch-pipelined", "none", 16, math.Min(rate, 300), 3, time.Duration(rate) * 10 * time.Microsecond, false},
			{"lua", "", 16, rate, 1, 2 * time.Millisecond, false},
		} {
			cells = append(cells, sketch{way,
				func(c *results.Cell) { c.Rate = rate },
				func(r *results.Run) {
					r.Arrivals = &results.Arrivals{Offered: int64(rate), Unserved: max(0, int64(rate)-r.Committed)}
					if r.Strategy == "lua" {
						r.Arrivals = &results.Arrivals{Offered: r.Committed}
					}
				}})
		}
	}
	return drawn(cells...)
}

// burst is a window in parts, with a burst in the middle that hurts WATCH.
func burst(text string) *results.File {
	series := func(factor float64) func(r *results.Run) {
		return func(r *results.Run) {
			r.ElapsedNS = 4.55e9
			r.Series = &results.Series{IntervalNS: 1e8}
			for i := range 46 {
				slow := 1.0
				if i >= 20 && i < 30 {
					slow = factor
				}
				p99 := int64(2e6 * slow)
				p := results.Point{Committed: int64(50 / slow), P99NS: &p99}
				if i == 35 { // a part in which nothing committed
					p = results.Point{}
				}
				if i == 45 {
					p.Committed /= 2
				}
				r.Series.Points = append(r.Series.Points, p)
			}
		}
	}
	cell := func(c *results.Cell) { c.Rate, c.Burst = 500, text }
	return drawn(
		sketch{made{"watch-pipelined", "none", 16, 400, 3, 3 * time.Millisecond, false}, cell, series(10)},
		sketch{made{"lua", "", 16, 500, 1, 2 * time.Millisecond, false}, cell, series(1)},
	)
}

// wrong are loops that lose updates, and correct ones, two of them alike.
func wrong() *results.File {
	return drawn(
		sketch{made{"unsafe", "", 8, 3000, 1, 2 * time.Millisecond, true}, nil, nil},
		sketch{made{"nil-as-success", "", 8, 5000, 1, 2 * time.Millisecond, true}, nil, func(r *results.Run) { r.Audit.Lost = r.Audit.Acknowledged * 9 / 10 }},
		sketch{made{"no-rewatch", "", 8, 4000, 1, 2 * time.Millisecond, true}, nil, func(r *results.Run) { r.Audit.Lost = 1 }},
		sketch{made{"read-before-watch", "none", 8, 0, 1, 2 * time.Millisecond, true}, nil, nil},
		sketch{made{"watch", "none", 8, 400, 1, 2 * time.Millisecond, false}, nil, nil},
		sketch{made{"watch-pipelined", "none", 8, 410, 1, 2 * time.Millisecond, false}, nil, nil},
		sketch{made{"lua", "", 8, 6000, 1, 2 * time.Millisecond, false}, nil, nil},
	)
}

// joined is a chart's drawing of the only view of a report that it joins all
// settings of.
func joined(t *testing.T, name string, f *results.File) Drawing {
	t.Helper()
	r := reportOf(t, f)
	chart, err := All.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	all := newLooks(r).views(r, chart.Joins)
	if len(all) != 1 {
		t.Fatalf("%d views", len(all))
	}
	return chart.Draw(&all[0])
}

// The series of the charts that compare settings, and of those that need more
// than usual results hold.
func TestComparisons(t *testing.T) {
	for _, c := range []struct {
		chart, file string
		of          *results.File
	}{
		{"crossing", "crossing-keys", also(decided(1), decided(1.1))},
		{"script-time", "script-time-predicted", also(on(1, decided(1)), on(1, decided(1.1)))},
		{"bystanders", "bystanders-predicted", also(observed(false), observed(false))},
		{"bystanders", "bystanders-closed", observed(true)},
		{"rate", "rate-several", open()},
		{"series", "series-burst", burst("x3@2s+1s")},
		{"bugs", "bugs-wrong", wrong()},
	} {
		compare(t, c.file+".txt", text(joined(t, c.chart, c.of)))
	}
}

// on keeps the runs on that many keys.
func on(keys int, f *results.File) *results.File {
	f.Runs = slices.DeleteFunc(f.Runs, func(r results.Run) bool { return r.Keys != keys })
	f.Headers[0].Cells = slices.DeleteFunc(f.Headers[0].Cells, func(c results.Cell) bool { return c.Keys != keys })
	return f
}

// Nothing is compared where there is one of a kind, and nothing is drawn of what
// was not measured.
func TestNothingToCompare(t *testing.T) {
	one := func(f *results.File, keep func(results.Cell) bool) *results.File {
		f.Runs = slices.DeleteFunc(f.Runs, func(r results.Run) bool { return !keep(r.Cell) })
		f.Headers[0].Cells = slices.DeleteFunc(f.Headers[0].Cells, func(c results.Cell) bool { return !keep(c) })
		return f
	}
	for _, c := range []struct {
		what, chart string
		of          *results.File
	}{
		{"one script time", "script-time", one(on(1, decided(1)), func(c results.Cell) bool { return c.DecisionNS <= 1e5 })},
		{"no scripts", "script-time", one(on(1, decided(1)), func(c results.Cell) bool { return c.Strategy != "lua" })},
		{"one decision", "crossing", one(decided(1), func(c results.Cell) bool { return c.DecisionNS <= 1e5 })},
		{"no WATCH", "crossing", one(decided(1), func(c results.Cell) bool { return c.Strategy == "lua" })},
		{"no scripts", "crossing", one(decided(1), func(c results.Cell) bool { return c.Strategy != "lua" })},
		{"no bystanders", "bystanders", on(1, decided(1))},
		{"bystanders of WATCH alone", "bystanders", one(observed(true), func(c results.Cell) bool { return c.Strategy != "lua" })},
		{"one rate", "rate", one(open(), func(c results.Cell) bool { return c.Rate == 500 })},
		{"a closed loop", "rate", usual()},
		{"no series", "series", usual()},
		{"no wrong loops", "bugs", burst("")},
	} {
		if d := joined(t, c.chart, c.of); d.Panels != nil {
			t.Errorf("%s: %s draws %s", c.what, c.chart, text(d))
		}
	}
}

// The scripts of a decision that other rows have too are drawn once.
func TestScriptsAreDrawnOnce(t *testing.T) {
	f := on(1, decided(1))
	before := text(joined(t, "script-time", f))
	for _, run := range f.Runs { // the whole grid of decisions and script times
		if run.Strategy == "lua" && run.ScriptTimeNS == 1e6 {
			run.DecisionNS = 1e5
			run.Committed = 1
			f.Runs = append(f.Runs, run)
		}
	}
	if got := text(joined(t, "script-time", f)); got != before {
		t.Errorf("another decision changes what scripts do:\n%s", got)
	}
}

// Where the best WATCH loop gets ahead for good is where the lines cross, if at the
// end it is ahead beyond doubt.
func TestCrossing(t *testing.T) {
	row := func(goodput float64) *results.Summary {
		return &results.Summary{Goodputs: []float64{goodput, goodput, goodput}}
	}
	of := func(watch, script []float64) *duel {
		d := &duel{}
		x := 1.0
		for i := range watch {
			d.decisions = append(d.decisions, decision{optimist: row(watch[i]), other: row(script[i]), x: [2]float64{x, x}})
			x *= 10
		}
		return d
	}
	for _, c := range []struct {
		watch, script []float64
		x             float64
		ok            bool
	}{
		{[]float64{100, 100}, []float64{1000, 10}, math.Sqrt(10), true},
		{[]float64{100, 100, 100}, []float64{1000, 101, 1}, 10 * math.Pow(10, math.Log(1.01)/math.Log(101)), true},
		{[]float64{100, 100, 100, 100}, []float64{1000, 10, 1000, 10}, 100 * math.Sqrt(10), true}, // the last time
		{[]float64{100, 100, 100}, []float64{1000, 10, 1000}, 0, false},
		{[]float64{100, 100}, []float64{10, 1}, 0, false},
		{[]float64{100, 100}, []float64{1000, 1000}, 0, false},
		{[]float64{100, 100}, []float64{1000, 90}, 0, false}, // ahead, and not beyond doubt
		{[]float64{100, 100}, []float64{100, 100}, 0, false},
	} {
		x, ok := of(c.watch, c.script).crossing()
		if ok != c.ok || ok && math.Abs(x/c.x-1) > 1e-9 {
			t.Errorf("%v against %v: %v, %v, want %v, %v", c.watch, c.script, x, ok, c.x, c.ok)
		}
	}
}

func TestBurst(t *testing.T) {
	for text, want := range map[string]contention.Burst{
		"x2@10s+5s": {Factor: 2, From: 10 * time.Second, Length: 5 * time.Second}, "": {}, "x2": {}, "x2@1s": {}, "xy@1s+1s": {}, "x2@1s+0s": {},
	} {
		v := View{Setting: &report.Setting{Cell: results.Cell{Burst: text}}}
		if got, ok := v.burst(); got != want || ok != (want != contention.Burst{}) {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}

// A way looks the same whatever time its script takes, unless two of them meet.
func TestScriptsLookAlike(t *testing.T) {
	looks := func(f *results.File) map[string]int {
		all := map[string]int{}
		for _, v := range views(reportOf(t, f)) {
			for _, w := range v.Ways {
				all[w.Label] = w.Index
			}
		}
		return all
	}
	got := looks(decided(1))
	if got["lua"] != got["lua of 1ms"] || got["lua of 1ms"] != got["lua of 10ms"] || got["lua"] == got["atomic"] {
		t.Errorf("%v", got)
	}
	f := on(1, decided(1))
	for i := range f.Runs {
		f.Runs[i].DecisionNS = 0
	}
	f.Headers[0].Cells = nil
	if got := looks(f); got["lua"] == got["lua of 1ms"] || got["lua of 1ms"] == got["lua of 10ms"] {
		t.Errorf("%v", got)
	}
}

// Pictures of several settings stand before the settings, and one of a single
// setting with it; all of them are in page and file, once.
func TestComparisonsAreInTheReport(t *testing.T) {
	dir := t.TempDir()
	r := reportOf(t, decided(1))
	written, err := Write(dir, r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"crossing.png", "script-time-1.png", "script-time-2.png"} {
		if !slices.Contains(written, name) {
			t.Errorf("%s is not written: %v", name, written)
		}
		for _, document := range []string{"index.html", "report.md"} {
			page, err := os.ReadFile(filepath.Join(dir, document))
			if err != nil {
				t.Fatal(err)
			}
			text := string(page)
			if strings.Count(text, name) != 1 || strings.Index(text, name) > strings.Index(text, "summary-1") && document == "report.md" {
				t.Errorf("%s: %s is there %d times", document, name, strings.Count(text, name))
			}
		}
	}
	alone := Pictures(reportOf(t, wrong()))
	if alone.Comparisons != nil {
		t.Errorf("one setting is compared: %v", alone.Comparisons)
	}
	one := reportOf(t, open(), later(wrong()))
	if album := Pictures(one); len(album.Comparisons) != 1 || album.Comparisons[0].Name != "rate" {
		t.Errorf("%d comparisons", len(album.Comparisons))
	}
}

// later is a file of a run an hour later.
func later(f *results.File) *results.File {
	f.Headers[0].Started = f.Headers[0].Started.Add(time.Hour)
	return f
}

func TestNotCovered(t *testing.T) {
	for what, c := range map[string]struct {
		of   *results.File
		says string
	}{
		"nothing":         {usual(), scriptTimeNotCovered},
		"script time":     {decided(1), "What script time costs bystanders."},
		"with bystanders": {observed(true), ""},
	} {
		lines := strings.Join(notCoveredBy(reportOf(t, c.of)), "\n")
		if c.says != "" && !strings.Contains(lines, c.says) || c.says == "" && strings.Contains(lines, "cript time") {
			t.Errorf("%s: %s", what, lines)
		}
	}
}

// Every picture of strange results can be drawn, and every number in it is one.
func TestStrangeResults(t *testing.T) {
	for what, f := range strange() {
		album := Pictures(reportOf(t, f))
		for _, pictures := range append(album.Settings, album.Comparisons) {
			for _, p := range pictures {
				if slices.Contains(ofUsual[:len(ofUsual)-1], strings.SplitN(p.Name, "-", 2)[0]) || strings.HasPrefix(p.Name, "summary") {
					continue // see TestOddResults
				}
				if err := p.Page.WritePNG(io.Discard); err != nil {
					t.Errorf("%s: %s: %v", what, p.Name, err)
				}
				words := fmt.Sprintf("%+v", p.Page)
				if strings.Contains(words, "NaN") || strings.Contains(words, "Inf") || strings.Contains(words, "%!") {
					t.Errorf("%s: %s says %s", what, p.Name, words)
				}
			}
		}
	}
}

// strange are results for these charts that have little or nothing in them.
func strange() map[string]*results.File {
	without := func(f *results.File, change func(*results.Run)) *results.File {
		for i := range f.Runs {
			change(&f.Runs[i])
		}
		return f
	}
	return map[string]*results.File{
		"decisions, nothing committed": without(decided(1), func(r *results.Run) { r.Committed = 0 }),
		"scripts commit nothing":       without(decided(1), func(r *results.Run) { r.Committed *= int64(min(1, len(r.Backoff))) }),
		"long scripts commit nothing":  without(decided(1), func(r *results.Run) { r.Committed *= min(1, max(0, 5e6-r.ScriptTimeNS)) }),
		"decisions, no times":          without(decided(1), func(r *results.Run) { r.Achieved, r.Server = results.Achieved{}, nil }),
		"WATCH void": without(decided(1), func(r *results.Run) {
			r.Audit.Verdict = map[bool]string{true: "lost", false: "exact"}[r.Backoff != ""]
			r.Audit.Lost = int64(len(r.Backoff))
		}),
		"bystanders, no reads": without(observed(true), func(r *results.Run) { r.BystanderLatency, r.BystanderReads = nil, 0 }),
		"bystanders, few reads": without(observed(true), func(r *results.Run) {
			r.BystanderLatency = results.NewHistogram()
			r.BystanderLatency.Record(time.Millisecond)
			r.BystanderReads = 1
		}),
		"bystanders, no time":               without(observed(true), func(r *results.Run) { r.ElapsedNS = 0 }),
		"rates, no arrivals":                without(open(), func(r *results.Run) { r.Arrivals = nil }),
		"rates, nothing committed":          without(open(), func(r *results.Run) { r.Committed, r.Latency = 0, nil }),
		"a series of nothing":               without(burst("x3@2s+1s"), func(r *results.Run) { r.Series.Points = make([]results.Point, 10) }),
		"a series of one":                   without(burst("x3@2s+1s"), func(r *results.Run) { r.Series.Points = r.Series.Points[:1] }),
		"a series without interval":         without(burst("x3@2s+1s"), func(r *results.Run) { r.Series.IntervalNS = 0 }),
		"a series longer than the window":   without(burst("x3@2s+1s"), func(r *results.Run) { r.ElapsedNS = 1e8 }),
		"a burst behind the window":         burst("x3@200s+1s"),
		"a burst to the end":                burst("x3@3s+100s"),
		"a burst that is none":              burst("twice"),
		"wrong loops, nothing acknowledged": without(wrong(), func(r *results.Run) { r.Committed, *r.Audit = 0, results.Audit{Verdict: results.AuditNone} }),
		"wrong loops, one of them":          without(wrong(), func(r *results.Run) { r.Strategy, r.Backoff = "unsafe", "" }),
		"wrong loops, nothing lost":         without(wrong(), func(r *results.Run) { r.Audit.Verdict, r.Audit.Lost = "exact", 0 }),
	}
}

// An invalid row is crossed out and takes no part in what is found.
func TestInvalidRowsDecideNothing(t *testing.T) {
	invalid := func(f *results.File, which func(*results.Run) bool) *results.File {
		for i := range f.Runs {
			if r := &f.Runs[i]; which(r) {
				r.Client = &results.Client{CPUNS: 2 * r.ElapsedNS, Cores: 2}
				r.Whole.ElapsedNS = r.ElapsedNS
			}
		}
		return f
	}
	crossed := func(d Drawing) (n int) {
		for _, p := range d.Panels {
			for _, s := range p.Series {
				for _, at := range s.Points {
					if at.Crossed {
						n++
					}
				}
			}
		}
		return n
	}
	scripts := func(r *results.Run) bool { return r.ScriptTimeNS == 1e7 }
	f := invalid(on(1, decided(1)), scripts)
	d := joined(t, "script-time", f)
	if crossed(d) == 0 || strings.Contains(d.Title, "10ms") {
		t.Errorf("%d crossed out; %s", crossed(d), d.Title)
	}
	if d := joined(t, "crossing", f); crossed(d) == 0 {
		t.Errorf("none crossed out; %s", d.Title)
	}
}

// A goodput that jumps is drawn in no more points than the eye can follow, and
// none of it gets lost.
func TestCoarserParts(t *testing.T) {
	for _, n := range []int{1, 2, mostParts, mostParts + 1, 3*mostParts - 1} {
		var parts []part
		for i := range n {
			parts = append(parts, part{at: float64(i) + 0.5, goodput: float64(i)})
		}
		got := coarser(parts)
		if len(got) > mostParts || got[0].at < 0.5 || got[len(got)-1].at > float64(n) || n <= mostParts && len(got) != n {
			t.Errorf("%d parts of %d: from %v to %v", len(got), n, got[0], got[len(got)-1])
		}
		for _, p := range got {
			if math.Abs(p.goodput-(p.at-0.5)) > 1e-9 {
				t.Errorf("%d parts: %v", n, p)
			}
		}
	}
}
