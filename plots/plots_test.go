package plots

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/report"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

// made is a cell of a made-up results file.
type made struct {
	strategy, backoff string
	clients           int
	goodput           float64 // per second
	attempts          int     // of every op
	latency           time.Duration
	void              bool
}

// file makes a results file of cells, three trials each, whose goodputs differ
// by 5 % up and down.
func file(cells ...made) *results.File {
	f := &results.File{Headers: []results.Header{{
		Schema: results.Schema, Source: results.SourceLive, Version: "v1", Command: []string{"rmwbench", "run", "--hot", "30%:1"}, Trials: 3, Seed: 1,
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), DurationNS: 1e9,
		Server: results.ServerFacts{Product: "redis", Version: "7.0.15", Started: true, Protocol: 3, PingNS: 40_000},
	}}}
	h := &f.Headers[0]
	for trial := range 3 {
		for _, c := range cells {
			cell := results.Cell{
				Strategy: c.strategy, Backoff: c.backoff, Clients: c.clients, Workload: "counter", Keys: 1,
				Dist: "uniform", RTTNS: 1e6, Conn: "dedicated",
			}
			if trial == 0 {
				h.Cells = append(h.Cells, cell)
			}
			f.Runs = append(f.Runs, c.run(cell, trial))
		}
	}
	return f
}

// run records ops through the recorder, as an engine would.
func (c made) run(cell results.Cell, trial int) results.Run {
	rec := results.NewRecorder()
	rec.Reset(c.clients)
	ops := int(c.goodput * (0.95 + 0.05*float64(trial)))
	for op := range ops {
		latency := c.latency + time.Duration(op%100)*c.latency/100
		for n := range c.attempts {
			verdict := results.Conflict
			if n == c.attempts-1 {
				verdict = results.Committed
			}
			rec.Attempt(results.AttemptRecord{Number: n + 1, Verdict: verdict, Latency: latency / time.Duration(c.attempts), Exchanges: 2}, true)
		}
		rec.Op(results.OpRecord{Client: op % c.clients, Outcome: results.OpCommitted, Attempts: c.attempts, Latency: latency})
	}
	cpu := int64(ops*c.attempts) * 20_000
	run := results.Run{
		Source: results.SourceLive, Cell: cell, Trial: trial, ElapsedNS: 1e9,
		Server: &results.Server{CPUNS: &cpu}, Client: &results.Client{CPUNS: 1e8, Cores: 2},
		Audit: &results.Audit{Verdict: results.AuditExact, Keys: 1, Acknowledged: int64(ops), Stored: int64(ops)},
	}
	if c.void {
		run.Audit = &results.Audit{Verdict: results.AuditLost, Keys: 1, KeysWrong: 1, Acknowledged: int64(ops), Lost: int64(ops) / 2}
	}
	rec.Fill(&run)
	run.Whole.ElapsedNS = 1e9
	return run
}

// usual is a grid as the default run makes it, in small.
func usual() *results.File {
	return file(
		made{"watch-pipelined", "none", 1, 400, 1, 2500 * time.Microsecond, false},
		made{"watch-pipelined", "none", 8, 500, 5, 12 * time.Millisecond, false},
		made{"watch-pipelined", "none", 64, 300, 31, 90 * time.Millisecond, false},
		made{"watch-pipelined", "full", 1, 400, 1, 2500 * time.Microsecond, false},
		made{"watch-pipelined", "full", 8, 550, 4, 10 * time.Millisecond, false},
		made{"watch-pipelined", "full", 64, 520, 15, 60 * time.Millisecond, false},
		made{"lua", "", 1, 700, 1, 1400 * time.Microsecond, false},
		made{"lua", "", 8, 5000, 1, 1500 * time.Microsecond, false},
		made{"lua", "", 64, 9000, 1, 2500 * time.Microsecond, false},
		made{"unsafe", "", 8, 3000, 1, 2 * time.Millisecond, true},
	)
}

// beside adds to a file what a simulation made of cells.
func beside(f *results.File, cells ...made) *results.File {
	for _, run := range file(cells...).Runs {
		run.Source = results.SourceSimulated
		f.Runs = append(f.Runs, run)
	}
	return f
}

// predicted is the usual grid with predictions beside it, and of more clients: a
// good one, one that is off by half, one of a way that was not measured.
func predicted() *results.File {
	return beside(usual(),
		made{"watch-pipelined", "none", 8, 520, 5, 12 * time.Millisecond, false},
		made{"watch-pipelined", "none", 64, 200, 45, 90 * time.Millisecond, false},
		made{"watch-pipelined", "none", 512, 100, 200, 90 * time.Millisecond, false},
		made{"lua", "", 8, 5100, 1, 1500 * time.Microsecond, false},
		made{"lua", "", 64, 9400, 1, 2500 * time.Microsecond, false},
		made{"lua", "", 512, 9500, 1, 2500 * time.Microsecond, false},
		made{"atomic", "", 512, 9900, 1, 2500 * time.Microsecond, false},
		made{"unsafe", "", 64, 3000, 1, 2 * time.Millisecond, false},
	)
}

// saturated is the usual grid, but with the tool at all of its cores in the rows
// of some strategies with 64 clients.
func saturated(strategies ...string) *results.File {
	f := usual()
	for i := range f.Runs {
		if r := &f.Runs[i]; r.Clients == 64 && slices.Contains(strategies, r.Strategy) {
			r.Client = &results.Client{CPUNS: 199e7, Cores: 2}
		}
	}
	return f
}

// simulated is a grid of which nothing was measured, from a profile that was
// checked for up to 8 clients, with a script that takes 5 ms.
func simulated() *results.File {
	f := file(
		made{"watch-pipelined", "none", 1, 400, 1, 2500 * time.Microsecond, false},
		made{"watch-pipelined", "none", 8, 500, 5, 12 * time.Millisecond, false},
		made{"watch-pipelined", "none", 64, 300, 31, 90 * time.Millisecond, false},
		made{"lua", "", 1, 160, 1, 6 * time.Millisecond, false},
		made{"lua", "", 64, 200, 1, 300 * time.Millisecond, false},
	)
	h := &f.Headers[0]
	h.Source, h.Server.Address = results.SourceSimulated, "a profile by name"
	h.Checked = &results.Checked{Cells: 20, Clients: 8, Goodput: 0.25, P: 0.03}
	slow := func(c *results.Cell) {
		if c.Strategy == "lua" {
			c.ScriptTimeNS = 5e6
		}
	}
	for i := range h.Cells {
		slow(&h.Cells[i])
	}
	for i := range f.Runs {
		slow(&f.Runs[i].Cell)
		f.Runs[i].Source = results.SourceSimulated
	}
	return f
}

func reportOf(t *testing.T, files ...*results.File) *report.Report {
	t.Helper()
	r, err := report.New(files...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// text is a drawing as words: what a golden file holds of it.
func text(d Drawing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %s\n", d.Title)
	for _, p := range d.Panels {
		fmt.Fprintf(&b, "\npanel: %s | x: %s %v | y: %s | empty: %q\n", p.Title, p.X.Label, p.X.Ticks, p.Y.Label, p.Empty)
		for _, n := range p.Notes {
			fmt.Fprintf(&b, "note: %s\n", n)
		}
		for _, m := range p.Marks {
			fmt.Fprintf(&b, "mark: %s at %.4g\n", m.Label, m.Value)
		}
		for _, s := range p.Series {
			fmt.Fprintf(&b, "series: %q way %d stroke %d\n", s.Label, s.Way, s.Stroke)
			if s.Way == theme.Reference { // a law: its ends and its middle
				s.Points = []theme.Point{s.Points[0], s.Points[len(s.Points)/2], s.Points[len(s.Points)-1]}
			}
			for _, at := range s.Points {
				label := at.Label
				if at.Crossed {
					label += "crossed out"
				}
				fmt.Fprintf(&b, "  %.4g %.4g [%.4g %.4g] %s\n", at.X, at.Y, at.Lo, at.Hi, label)
			}
		}
	}
	return b.String()
}

// ofUsual are the charts of a usual grid with predictions beside it.
var ofUsual = []string{"collapse", "goodput", "predicted", "cost", "latency", "attempts", "bugs"}

// The series that are drawn, chart by chart.
func TestDrawings(t *testing.T) {
	golden(t, usual(), "", ofUsual...)
	golden(t, predicted(), "predictions-", "collapse", "goodput", "predicted")
	golden(t, simulated(), "simulated-", "goodput", "predicted")
	golden(t, saturated("lua", "watch-pipelined"), "invalid-", "collapse", "goodput", "latency", "attempts")
}

func golden(t *testing.T, f *results.File, prefix string, charts ...string) {
	v := views(reportOf(t, f))[0]
	for _, name := range charts {
		chart, _ := All.Get(name)
		compare(t, prefix+name+".txt", text(chart.Draw(&v)))
	}
}

// compare holds text against a file in testdata; UPDATE_GOLDEN=1 writes it.
func compare(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (UPDATE_GOLDEN=1 writes it):\n%s", path, got)
	}
}

// odd are results that have broken other tools.
func odd() map[string]*results.File {
	empty := file()
	many := []made{}
	for _, strategy := range []string{"watch", "watch-naive", "watch-pipelined", "lua", "atomic", "no-such-strategy-" + strings.Repeat("x", 43)} {
		for clients := 1; clients <= 2048; clients *= 2 {
			many = append(many, made{strategy, "", clients, math.Pow(10, float64(clients%5)) * 2, 1 + clients%3, time.Duration(clients) * time.Microsecond, false})
		}
	}
	nonASCII := made{"größe-été-кот", "", 4, 100, 2, time.Millisecond, false}
	return map[string]*results.File{
		"no cells":          empty,
		"one cell":          file(made{"lua", "", 1, 100, 1, time.Millisecond, false}),
		"no conflicts":      file(made{"watch", "none", 1, 100, 1, time.Millisecond, false}, made{"watch", "none", 2, 100, 1, time.Millisecond, false}),
		"nothing committed": file(made{"watch", "none", 4, 0, 1, time.Millisecond, false}),
		"few samples":       file(made{"watch", "none", 4, 5, 3, time.Millisecond, false}),
		"one missing":       file(made{"watch", "none", 1, 100, 1, time.Millisecond, false}, made{"watch", "none", 8, 100, 5, time.Millisecond, false}, made{"lua", "", 1, 100, 1, time.Millisecond, false}),
		"all void":          file(made{"unsafe", "", 8, 100, 1, time.Millisecond, true}),
		"many":              file(many...),
		"non-ASCII":         file(nonASCII),
		"nothing measured":  beside(file(), made{"watch", "none", 4, 100, 2, time.Millisecond, false}),
		"nothing alike": beside(file(made{"lua", "", 4, 100, 1, time.Millisecond, false}),
			made{"watch", "none", 4, 100, 2, time.Millisecond, false}, made{"lua", "", 4, 0, 1, time.Millisecond, false}),
		"far off": beside(file(made{"watch", "none", 4, 100, 1, time.Millisecond, false}),
			made{"watch", "none", 4, 5000, 1, time.Millisecond, false}, made{"watch", "none", 64, 5000, 9, time.Millisecond, false}),
	}
}

// Every page of every odd file can be drawn, and every number in it is one.
func TestOddResults(t *testing.T) {
	for what, f := range odd() {
		t.Run(what, func(t *testing.T) {
			r := reportOf(t, f)
			album := Pictures(r)
			for _, pictures := range append(album.Settings, album.Comparisons) {
				for _, p := range pictures {
					if err := p.Page.Check(); err != nil {
						t.Errorf("%s: %v", p.Name, err)
					}
					words := fmt.Sprint(p.Page.Title, p.Page.Subtitle, p.Page.Text, p.Page.Small)
					if strings.Contains(words, "NaN") || strings.Contains(words, "Inf") || strings.Contains(words, "%!") {
						t.Errorf("%s says %s", p.Name, words)
					}
				}
			}
			dir := t.TempDir()
			written, err := Write(dir, r, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range written {
				if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
					t.Errorf("%s: %v", name, err)
				}
			}
			if left, _ := os.ReadDir(dir); len(left) != len(written) {
				t.Errorf("%d files in the directory, %d named", len(left), len(written))
			}
		})
	}
}

func TestTheReportIsWhole(t *testing.T) {
	f := predicted()
	f.Headers[0].Goal = "p99<50ms"
	f.Headers[0].Wire = []results.Wire{{Strategy: "lua", Workload: "counter", Exchanges: []results.WireExchange{{Sent: []string{"EVALSHA <x> 1"}, Received: []string{"[1]"}}}}}
	f.Headers[0].Scripts = []results.Script{{Name: "counter", SHA1: "abc", Body: "return 1 < 2"}}
	dir := t.TempDir()
	written, err := Write(dir, reportOf(t, f), Options{SVG: true, PDF: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := (1+len(ofUsual))*3 + 2; len(written) != want {
		t.Errorf("%d files, want %d: %v", len(written), want, written)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	markdown, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"At 64 clients lua has the highest goodput", "watch-pipelined", "LOST", "rmwbench run --hot 30%:1", "redis 7.0.15",
		"Predictions: goodput within 10 % and p within 0.05 in 3 of 4 cells", "Goal p99"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
		if !strings.Contains(string(markdown), want) {
			t.Errorf("report.md lacks %q", want)
		}
	}
	for _, want := range []string{"data:image/png;base64,", "EVALSHA &lt;x&gt; 1", "return 1 &lt; 2", "SHA1 abc", "Not measured"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(page), `src="http`) || strings.Contains(string(page), "href=") {
		t.Error("the page needs other files")
	}
	if strings.Count(string(page), "<figure>") != 1+len(ofUsual) {
		t.Errorf("%d pictures in the page", strings.Count(string(page), "<figure>"))
	}
}

// Nobody takes what was simulated for measured, on no picture and no page.
func TestSimulatedIsSaidEverywhere(t *testing.T) {
	r := reportOf(t, simulated())
	for _, p := range Pictures(r).Settings[0] {
		if !strings.HasPrefix(p.Page.Warning, "SIMULATED") || !strings.Contains(fmt.Sprint(p.Page.Small), "a profile by name") {
			t.Errorf("%s says %q, %q", p.Name, p.Page.Warning, p.Page.Small)
		}
		if p.Name == "predicted" {
			t.Error("predictions are held against predictions")
		}
	}
	if text := string(markdown(r, Pictures(r))); !strings.Contains(text, "**SIMULATED") {
		t.Error(text)
	}
	if d := newDocument(r); d.Warning == "" {
		t.Error("the page has no warning")
	}
	for _, p := range Pictures(reportOf(t, predicted())).Settings[0] {
		if p.Page.Warning != "" {
			t.Errorf("%s, which was measured, says %q", p.Name, p.Page.Warning)
		}
	}
	for _, p := range Pictures(reportOf(t, odd()["nothing measured"])).Settings[0] {
		if !strings.HasPrefix(p.Page.Warning, "PREDICTED") || p.Name != "summary" && p.Name != "goodput" {
			t.Errorf("%s says %q", p.Name, p.Page.Warning)
		}
	}
}

// Nobody takes a row in which the tool measured itself for one of the server.
func TestInvalidIsSaidEverywhere(t *testing.T) {
	r := reportOf(t, saturated("lua"))
	for _, p := range Pictures(r).Settings[0] {
		if !strings.HasPrefix(p.Page.Warning, "INVALID, crossed out: 1 of 10 cells") {
			t.Errorf("%s says %q", p.Name, p.Page.Warning)
		}
		if strings.Contains(p.Page.Title, "lua") || strings.Contains(fmt.Sprint(p.Page.Text), "At 64 clients lua") {
			t.Errorf("%s finds %q, %q", p.Name, p.Page.Title, p.Page.Text)
		}
	}
	if text := string(markdown(r, Pictures(r))); !strings.Contains(text, "| lua ! | - | 64 |") || !strings.Contains(text, "INVALID (!)") {
		t.Error(text)
	}
}

// A way keeps its look in every setting, also where others are missing.
func TestWaysLookTheSameInEverySetting(t *testing.T) {
	f := usual()
	g := file(made{"lua", "", 8, 100, 1, time.Millisecond, false}, made{"atomic", "", 8, 100, 1, time.Millisecond, false})
	g.Headers[0].Started = g.Headers[0].Started.Add(time.Hour)
	for i := range g.Runs {
		g.Runs[i].Keys = 100
	}
	for i := range g.Headers[0].Cells {
		g.Headers[0].Cells[i].Keys = 100
	}
	all := views(reportOf(t, f, g))
	if len(all) != 2 {
		t.Fatalf("%d settings", len(all))
	}
	look := map[string]int{}
	for _, v := range all {
		for _, w := range v.Ways {
			if before, ok := look[w.Label]; ok && before != w.Index {
				t.Errorf("%s looks like %d and like %d", w.Label, before, w.Index)
			}
			look[w.Label] = w.Index
		}
	}
	if look["lua"] == look["atomic"] {
		t.Error("two ways look the same")
	}
}

// The same file twice would count every trial double.
func TestTheSameRunTwiceIsRefused(t *testing.T) {
	if _, err := report.New(usual(), usual()); err == nil {
		t.Error("accepted")
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0.5: "0.5", 1: "1", 1.234: "1.23", 9.99: "10", 15.04: "15", 15.5: "15.5", 99.6: "100", 812: "812",
		9949: "9949", 9_960: "10k", 27_722: "27.7k", 99_900: "100k", 123_456: "123k",
	} {
		if got := number(v); got != want {
			t.Errorf("%v reads %s, want %s", v, got, want)
		}
	}
}

// A file of 200 cells is drawn in a few seconds (see also the memory figure).
func BenchmarkReport200Cells(b *testing.B) {
	var f *results.File
	for keys := 1; keys <= 8; keys++ {
		cells := []made{}
		for clients := 1; clients <= 25; clients++ {
			cells = append(cells, made{"watch", "none", clients, 200, 1 + clients/3, time.Millisecond, false})
		}
		g := file(cells...)
		for i := range g.Runs {
			g.Runs[i].Keys = keys
		}
		for i := range g.Headers[0].Cells {
			g.Headers[0].Cells[i].Keys = keys
		}
		if f == nil {
			f = g
			continue
		}
		f.Runs = append(f.Runs, g.Runs...)
		f.Headers[0].Cells = append(f.Headers[0].Cells, g.Headers[0].Cells...)
	}
	r, err := report.New(f)
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Write(dir, r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Where nothing is ever tried twice there are no pictures of retries.
func TestNothingIsRetried(t *testing.T) {
	for _, test := range []struct {
		strategy string
		drawn    bool
	}{{"lua", false}, {"cas", true}, {"watch", true}} {
		f := drawn(sketch{made{test.strategy, "", 4, 90, 1, time.Millisecond, false}, func(*results.Cell) {}, func(*results.Run) {}})
		v := views(reportOf(t, f))[0]
		for _, chart := range []string{"collapse", "attempts"} {
			c, err := All.Get(chart)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(c.Draw(&v).Panels) > 0; got != test.drawn {
				t.Errorf("%s of %s: drawn %v", chart, test.strategy, got)
			}
		}
	}
}
