package plots

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

func init() {
	All.Add("series", Chart{
		Summary: "goodput and p99 over the measured window, with bursts shaded, at the most clients",
		Draw:    drawSeries,
	})
}

// drawSeries needs a series of two parts at least.
func drawSeries(v *View) Drawing {
	n := v.most()
	goodput := theme.Panel{
		Title: "Goodput", X: timeAxis(),
		Y: theme.Axis{Label: "committed ops per second", FromZero: true},
	}
	p99 := theme.Panel{
		Title: "p99", X: timeAxis(),
		Y:     theme.Axis{Label: "latency of committed ops (ms)", Scale: theme.Log},
		Empty: "No part of the window has a p99.",
	}
	trials := 0
	for i := range v.Ways {
		w := &v.Ways[i]
		row := w.at(n)
		if row == nil {
			continue
		}
		parts := v.parts(row)
		if len(parts) < 2 {
			continue
		}
		trials = max(trials, row.Trials)
		goodputs, p99s := theme.Series{Label: w.Label, Way: w.Index}, theme.Series{Label: w.Label, Way: w.Index}
		for _, part := range parts {
			goodputs.Points = append(goodputs.Points, point(part.at, part.goodput))
			if part.p99 > 0 {
				p99s.Points = append(p99s.Points, point(part.at, part.p99))
			}
		}
		goodput.Series = append(goodput.Series, goodputs)
		if p99s.Points != nil {
			p99.Series, p99.Empty = append(p99.Series, p99s), ""
		}
	}
	if goodput.Series == nil {
		return Drawing{}
	}
	if trials > 1 {
		goodput.Notes = []string{fmt.Sprintf("The middle of %d trials in each part of the window.", trials)}
	}
	if b, ok := v.burst(); ok {
		shade := theme.Mark{Vertical: true, Value: b.from, Until: b.to, Label: fmt.Sprintf("burst, x%v", b.factor)}
		goodput.Marks, p99.Marks = []theme.Mark{shade}, []theme.Mark{shade}
	}
	if v.Rate > 0 {
		goodput.Series = append(goodput.Series, v.arrivals(width(goodput.Series)))
		goodput.Notes = append(goodput.Notes, "Grey: arrivals.")
	}
	goodput.Notes = append(goodput.Notes, v.notDrawn(nil, "")...)
	return Drawing{Title: v.seriesFinding(n), Panels: []theme.Panel{goodput, p99}}
}

func timeAxis() theme.Axis {
	return theme.Axis{Label: "time in the measured window (s)", FromZero: true}
}

// part is a part of the window, over all trials of a row.
type part struct {
	at      float64 // its middle, in seconds
	goodput float64 // per second, the middle of the trials
	p99     float64 // milliseconds, the middle of the trials that have one; 0: none has
}

// parts are those that all trials of a row have.
func (v *View) parts(row *results.Summary) (all []part) {
	var runs []results.Run
	for _, run := range v.RunsOf(row) {
		if run.Series != nil && run.Series.IntervalNS > 0 {
			runs = append(runs, run)
		}
	}
	if len(runs) == 0 {
		return nil
	}
	n := len(runs[0].Series.Points)
	for _, run := range runs {
		n = min(n, len(run.Series.Points))
	}
	for i := range n {
		interval := runs[0].Series.IntervalNS
		var goodputs, p99s []float64
		length := interval
		for _, run := range runs {
			// The last part may be shorter, and one that is hardly there says nothing.
			length = min(length, run.ElapsedNS-int64(i)*interval)
			p := run.Series.Points[i]
			if p.P99NS != nil {
				p99s = append(p99s, float64(*p.P99NS)/1e6)
			}
			goodputs = append(goodputs, float64(p.Committed))
		}
		if length < interval/2 {
			break
		}
		for k := range goodputs {
			goodputs[k] *= 1e9 / float64(length)
		}
		all = append(all, part{
			at: (float64(int64(i)*interval) + float64(length)/2) / 1e9, goodput: results.Median(goodputs).Center, p99: results.Median(p99s).Center,
		})
	}
	return all
}

// surge is a time in which arrivals are more frequent, in seconds from the start
// of the window.
type surge struct{ factor, from, to float64 }

// burst is the setting's: "x2@10s+5s" is twice the arrivals from 10 to 15.
func (v *View) burst() (surge, bool) {
	times, when, _ := strings.Cut(v.Burst, "@")
	start, length, _ := strings.Cut(when, "+")
	factor, err1 := strconv.ParseFloat(strings.TrimPrefix(times, "x"), 64)
	from, err2 := time.ParseDuration(start)
	long, err3 := time.ParseDuration(length)
	if err1 != nil || err2 != nil || err3 != nil || long <= 0 {
		return surge{}, false
	}
	return surge{factor, from.Seconds(), (from + long).Seconds()}, true
}

// arrivals is the rate that was asked for, from one time to another.
func (v *View) arrivals(from, to float64) theme.Series {
	s := theme.Series{Way: theme.Reference, Points: []theme.Point{point(from, v.Rate)}}
	if b, ok := v.burst(); ok && b.from < to {
		s.Points = append(s.Points, point(b.from, v.Rate), point(b.from, v.Rate*b.factor))
		if b.to < to {
			s.Points = append(s.Points, point(b.to, v.Rate*b.factor), point(b.to, v.Rate), point(to, v.Rate))
		} else {
			s.Points = append(s.Points, point(to, v.Rate*b.factor))
		}
		return s
	}
	s.Points = append(s.Points, point(to, v.Rate))
	return s
}

// seriesFinding says of the best WATCH loop, or else of the best way, what the
// burst did to it, or how even it was.
func (v *View) seriesFinding(n int) string {
	hasParts := func(w Way) bool { row := w.at(n); return row != nil && len(v.parts(row)) >= 2 }
	way, row := v.best(n, func(w Way) bool { return watches(w) && hasParts(w) })
	if way == nil {
		way, row = v.best(n, hasParts)
	}
	parts := v.parts(row)
	if b, ok := v.burst(); ok {
		var before, since []float64
		for _, p := range parts {
			switch {
			case p.p99 == 0:
			case p.at < b.from:
				before = append(before, p.p99)
			default: // what has queued up makes it rise beyond the end of the burst
				since = append(since, p.p99)
			}
		}
		if before != nil && since != nil {
			return fmt.Sprintf("The burst takes the p99 of %s from %s to %s", way.Label,
				short(results.Median(before).Center/1e3), short(slices.Max(since)/1e3))
		}
	}
	least, most := parts[0].goodput, parts[0].goodput
	for _, p := range parts {
		least, most = min(least, p.goodput), max(most, p.goodput)
	}
	return fmt.Sprintf("At %s %s commits between %s/s and %s/s in parts of %s", verdict.Count(n, "client"), way.Label,
		number(least), number(most), report.Short(time.Duration(v.RunsOf(row)[0].Series.IntervalNS)))
}
