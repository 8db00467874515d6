package theme

import (
	"fmt"
	"math"
	"strings"
)

// The pages that the tests draw: what the charts of rmwbench show, and what they
// show when something is missing or odd.

var clients = []float64{1, 4, 16, 64}

var smallSample = []string{
	"rmwbench 0.1.0, 2025-11-30 07:44 UTC.", "Redis 7.0.15 on 127.0.0.1:6379, RESP3, one CPU.",
	"Injected network delay 1 ms, achieved 1.07 ms (median).", "Closed loop, 5 trials of 10 s after 2 s of warm-up; intervals: minimum to maximum over trials.",
	"Bottleneck: server at 64 clients, network below.",
}

var strategies = []string{
	"watch, no back-off", "watch, full back-off", "watch-pipelined, no back-off", "watch-pipelined, full back-off", "lua", "atomic",
}

// line joins values over xs; spread is the relative half width of the intervals.
func line(label string, way int, stroke Stroke, xs, ys []float64, spread float64) Series {
	s := Series{Label: label, Way: way, Stroke: stroke}
	for i, y := range ys {
		s.Points = append(s.Points, Point{X: xs[i], Y: y, Lo: y * (1 - spread), Hi: y * (1 + spread)})
	}
	return s
}

// law is a curve of a formula.
func law(label string, stroke Stroke, from, to float64, f func(float64) float64) Series {
	s := Series{Label: label, Way: Reference, Stroke: stroke}
	for i := range 41 {
		x := from * math.Pow(to/from, float64(i)/40)
		s.Points = append(s.Points, Point{X: x, Y: f(x), Lo: f(x), Hi: f(x)})
	}
	return s
}

var clientsAxis = Axis{Label: "clients", Scale: Log, Ticks: clients}

func attemptsPanel() Panel {
	predicted := func(c float64) float64 { return 1 + (c-1)*0.62 }
	return Panel{
		Title: "Without back-off, attempts grow with every client",
		X:     clientsAxis,
		Y:     Axis{Label: "attempts per committed op", Scale: Log},
		Series: []Series{
			line(strategies[0], 0, Solid, clients, []float64{1, 2.9, 10.6, 39.7}, 0.08),
			line(strategies[1], 1, Solid, clients, []float64{1, 1.4, 1.9, 2.6}, 0.12),
			line(strategies[2], 2, Solid, clients, []float64{1, 2.5, 8.3, 31.2}, 0.05),
			line(strategies[3], 3, Solid, clients, []float64{1, 1.3, 1.7, 2.2}, 0.1),
			line("lua", 4, Solid, clients, []float64{1, 1, 1, 1}, 0),
			line("atomic", 5, Solid, clients, []float64{1, 1, 1, 1}, 0),
			law("linear law", Solid, 1, 2.2, predicted),
			{Way: Reference, Stroke: Dashed, Points: law("", Dashed, 2.2, 64, predicted).Points},
		},
		Marks: []Mark{
			{Value: 1.18, Vertical: true, Label: "p = 0.1"}, {Value: 2.6, Vertical: true, Label: "p = 0.5"}, {Value: 4.76, Vertical: true, Label: "p = 0.7"},
		},
		Notes: []string{"Linear law: 1 + (C-1) W/A with W and A from the one-client cell; solid up to p = 0.3, dashed beyond."},
	}
}

func firstAttemptPanel() Panel {
	return Panel{
		Title: "Retries fail more often than first attempts",
		X:     Axis{Label: "share of first attempts that fail, p1", FromZero: true},
		Y:     Axis{Label: "attempts per committed op", FromZero: true},
		Series: []Series{
			law("1/(1-p1)", Solid, 0.005, 0.95, func(p float64) float64 { return 1 / (1 - p) }),
			line("watch, no back-off", 0, Dots, []float64{0, 0.48, 0.79, 0.91}, []float64{1, 2.9, 10.6, 29.7}, 0.06),
			line("watch, full back-off", 1, Dots, []float64{0, 0.22, 0.31, 0.4}, []float64{1, 1.4, 1.9, 2.6}, 0.06),
		},
	}
}

func goodputPanel() Panel {
	return Panel{
		Title: "Goodput",
		X:     clientsAxis,
		Y:     Axis{Label: "committed ops per second", Scale: Log},
		Series: []Series{
			line(strategies[0], 0, Solid, clients, []float64{310, 420, 415, 402}, 0.03),
			line(strategies[1], 1, Solid, clients, []float64{308, 520, 640, 700}, 0.05),
			line(strategies[2], 2, Solid, clients, []float64{470, 640, 610, 598}, 0.03),
			line(strategies[3], 3, Solid, clients, []float64{468, 800, 930, 960}, 0.04),
			line("lua", 4, Solid, clients, []float64{930, 3700, 14200, 26500}, 0.02),
			line("atomic", 5, Solid, clients, []float64{940, 3720, 14900, 28000}, 0.02),
		},
	}
}

func latencyPanel() Panel {
	qs := []float64{0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999}
	p := Panel{
		Title: "Latency at 64 clients",
		X:     Axis{Label: "percentile of committed ops", Scale: Percentile},
		Y:     Axis{Label: "latency, ms", Scale: Log},
	}
	for i, base := range []float64{60, 34, 42, 28, 1.6, 1.4} {
		s := Series{Label: strategies[i], Way: i}
		for k, q := range qs {
			y := base * (0.6 + 0.35*float64(k)*(1+0.25*float64(i%2)))
			s.Points = append(s.Points, Point{X: q, Y: y, Lo: y, Hi: y})
		}
		p.Series = append(p.Series, s)
	}
	return p
}

func costPanel() Panel {
	p := goodputPanel()
	p.Title = "Server time"
	p.Y = Axis{Label: "server µs per committed op", FromZero: true}
	for i := range p.Series {
		for k := range p.Series[i].Points {
			y := 20 + float64(k*k*(6-i)*9)
			p.Series[i].Points[k].Y, p.Series[i].Points[k].Lo, p.Series[i].Points[k].Hi = y, y*0.95, y*1.05
		}
	}
	return p
}

func page(title string, panels ...Panel) Page {
	return Page{
		Title: title, Subtitle: "counter, one key, back-off none and full, network round trip 1.1 ms, decision time 0",
		Panels: panels, Small: smallSample,
	}
}

func manySeries(n, points int, label func(int) string) Panel {
	p := Panel{Title: "Many", X: Axis{Label: "clients", Scale: Log}, Y: Axis{Label: "ops per second", Scale: Log}}
	for i := range n {
		s := Series{Label: label(i), Way: i}
		for k := range points {
			x := math.Pow(2, float64(k))
			y := 0.1 * math.Pow(10, 6*float64(k)/float64(max(points-1, 1))*float64(i+1)/float64(n)) * (1 + 0.2*float64(i))
			s.Points = append(s.Points, Point{X: x, Y: y, Lo: y * 0.8, Hi: y * 1.3})
		}
		p.Series = append(p.Series, s)
	}
	return p
}

func flat(y float64, scale Scale) Panel {
	p := Panel{Title: "Flat", X: clientsAxis, Y: Axis{Label: "attempts per committed op", Scale: scale, FromZero: scale == Linear}}
	for i, name := range strategies {
		p.Series = append(p.Series, line(name, i, Solid, clients, []float64{y, y, y, y}, 0))
	}
	return p
}

// bandsPanel has measured lines, what was predicted beside them and beyond, how
// far off that may be, and a way that was only predicted, once.
func bandsPanel() Panel {
	p := goodputPanel()
	p.X.Ticks = append(p.X.Ticks[:4:4], 256, 1024)
	p.Series = p.Series[1:5]
	for i, ys := range [][]float64{{330, 500, 600, 680, 500, 180}, {480, 650, 600, 590, 380, 210}, {460, 820, 900, 980, 1100, 1150}, {910, 3600, 15000, 29000, 31000, 31500}} {
		way := p.Series[i].Way
		p.Series = append(p.Series, line("", way, Dashed, p.X.Ticks, ys, 0), line("", way, Band, p.X.Ticks[3:], ys[3:], 0.3))
	}
	p.Series = append(p.Series, line("atomic", 5, Dashed, p.X.Ticks[4:5], []float64{60000}, 0), line("", 5, Band, p.X.Ticks[4:5], []float64{60000}, 0.3))
	p.Notes = []string{"Thin dashes: predicted. Bands: beyond what was checked."}
	return p
}

// samples are pages by name.
func samples() map[string]Page {
	long := strings.Repeat("a label of sixty characters, as some would have it, or more ", 1)
	summary := page("Past four clients on one key, WATCH loops spend the server on retries; scripts and atomic commands do not",
		attemptsPanel(), goodputPanel(), costPanel(), latencyPanel())
	summary.Panels[0].Marks = nil
	summary.Columns = 2
	summary.Text = []string{
		"At 64 clients on one key, `watch` without back-off commits 402 ops/s and throws away 38.7 of 39.7 attempts; `lua` commits 26 500 ops/s on the same server.",
		"Full back-off brings attempts down to 2.6 per committed op, and p99 latency from 204 ms to 118 ms; it does not bring the goodput of one exchange.",
		"The server was the bottleneck at 64 clients for `lua` and `atomic`; below that, the network was.",
	}
	named := page("Ünïcode: µs per op, кириллица, 漢字 and 😀 in a title", goodputPanel())
	for i, l := range []string{"é à µ ü", "кириллица", "漢字 日本", "emoji 😀", "bad \xff\xfe bytes", "tab\tand\nline"} {
		named.Panels[0].Series[i].Label = l
	}
	points := firstAttemptPanel()
	for i := range points.Series[1].Points {
		points.Series[1].Points[i].Label = fmt.Sprintf("%v clients", clients[i])
		points.Series[2].Points[i].Label = fmt.Sprintf("%v", clients[i])
	}
	points.Marks = []Mark{{Value: 10, Label: "p = 0.9"}, {Value: 2, Label: "p = 0.5"}}
	one := Panel{X: Axis{Label: "clients", Scale: Log}, Y: Axis{Label: "goodput, ops/s", Scale: Log},
		Series: []Series{line("watch", 0, Solid, []float64{16}, []float64{415}, 0.1)}}
	oneTick := one
	oneTick.X.Ticks = []float64{16}
	oneTick.Y = Axis{Label: "goodput, ops/s"}
	empty := Panel{Title: "Latency", Empty: "p99 needs at least 1000 committed ops in a cell; there were 212"}
	missing := goodputPanel()
	missing.Series[2].Points = nil
	missing.Series[0].Points = missing.Series[0].Points[:2]
	zero := flat(0, Linear)
	dense := page("Every power of two was measured", manySeries(2, 12, func(i int) string { return strategies[i] }))
	for k := range 12 {
		dense.Panels[0].X.Ticks = append(dense.Panels[0].X.Ticks, math.Pow(2, float64(k)))
	}
	banded := page("Predictions go on where nobody measured", bandsPanel())
	banded.Warning = "SIMULATED: nothing here was measured."
	scatter := Panel{X: Axis{Label: "measured", FromZero: true, To: 1}, Y: Axis{Label: "predicted", FromZero: true, To: 1}, Series: []Series{
		{Label: "near", Way: Reference, Stroke: Band, Points: []Point{{0, 0, 0, 0.05, "", false}, {0.05, 0.05, 0, 0.1, "", false}, {0.95, 0.95, 0.9, 1, "", false}, {1, 1, 0.95, 1, "", false}}},
		line("", Reference, Solid, []float64{0, 1}, []float64{0, 1}, 0),
		line(strategies[0], 0, Dots, []float64{0.2, 0.5, 0.9}, []float64{0.22, 0.7, 0.89}, 0),
		line(strategies[1], 1, Dots, []float64{0.1, 0.3, 0.4}, []float64{0.12, 0.31, 0.43}, 0),
	}}
	narrow := flat(1, Linear)
	narrow.Y = Axis{Label: "server µs per op"}
	for i := range narrow.Series {
		for k := range narrow.Series[i].Points {
			y := 10040 + 2*float64(k) + 3*float64(i)
			narrow.Series[i].Points[k] = Point{X: clients[k], Y: y, Lo: y - 1, Hi: y + 1}
		}
	}
	return map[string]Page{
		"attempts":  page("Without back-off, 64 clients on one key need 40 attempts for each commit", attemptsPanel()),
		"collapse":  page("Without back-off, 64 clients on one key need 40 attempts for each commit", attemptsPanel(), points),
		"goodput":   page("Scripts commit 66 times as many ops as WATCH at 64 clients", goodputPanel()),
		"latency":   page("Half of all WATCH ops wait longer than any script", latencyPanel()),
		"summary":   summary,
		"three":     page("Three panels", goodputPanel(), costPanel(), latencyPanel()),
		"dots":      page("Dots, point labels and level marks", points),
		"one":       page("One point", one),
		"onetick":   page("One point, one tick", oneTick),
		"single":    page("One series", Panel{X: clientsAxis, Y: Axis{Label: "ops/s", FromZero: true}, Series: goodputPanel().Series[4:5]}),
		"empty":     page("Nothing to draw", empty),
		"half":      page("Nothing to draw in one of two", goodputPanel(), empty),
		"bare":      {Panels: []Panel{{}}},
		"nothing":   {},
		"decades":   page("Six decades", manySeries(6, 12, func(i int) string { return strategies[i] })),
		"fourteen":  page("Fourteen ways", manySeries(14, 6, func(i int) string { return fmt.Sprintf("strategy %d", i) })),
		"ten":       page("Ten ways, legend beside the plot", manySeries(10, 5, func(i int) string { return fmt.Sprintf("strategy %d", i) })),
		"longlabel": page(strings.Repeat("A long finding that goes on and on ", 9), manySeries(6, 5, func(i int) string { return fmt.Sprintf("%d %s", i, long) })),
		"longmany":  page(strings.Repeat("x", 300), manySeries(14, 5, func(i int) string { return fmt.Sprintf("%d %s", i, long) })),
		"ones":      page("No conflicts anywhere", flat(1, Log)),
		"zeros":     page("All zero", zero),
		"unicode":   named,
		"missing":   page("One strategy missing, one cut short", missing),
		"dense":     dense,
		"bands":     banded,
		"scatter":   page("A band as a reference, and dots", scatter, scatter),
		"narrow":    page("A narrow range", narrow),
	}
}
