package plots

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rmwbench/contention"
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
			if part.p99 > 0 {
				p99s.Points = append(p99s.Points, pointOf(row, part.at, part.p99))
			}
		}
		for _, part := range coarser(parts) {
			goodputs.Points = append(goodputs.Points, pointOf(row, part.at, part.goodput))
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
		shade := theme.Mark{Vertical: true, Value: b.From.Seconds(), Until: b.End().Seconds(), Label: fmt.Sprintf("burst, x%v", b.Factor)}
		goodput.Marks, p99.Marks = []theme.Mark{shade}, []theme.Mark{shade}
		if way, row := v.burstOn(n); way != nil {
			if r, ok := v.Recovery(row); ok && r.Back && r.Took > 0 && !r.Overloaded() {
				p99.Marks = append(p99.Marks, theme.Mark{Vertical: true, Value: (b.End() + r.Took).Seconds(), Label: row.Strategy + " back"})
			}
		}
		p99.Notes = v.recoveries(n)
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

// burst is the setting's; ok is false if there is none, or none that this version
// can read.
func (v *View) burst() (b contention.Burst, ok bool) {
	if v.Burst == "" {
		return b, false
	}
	b, err := contention.ParseBurst(v.Burst)
	return b, err == nil
}

// arrivals is the rate that was asked for, from one time to another.
func (v *View) arrivals(from, to float64) theme.Series {
	s := theme.Series{Way: theme.Reference, Points: []theme.Point{point(from, v.Rate)}}
	if b, ok := v.burst(); ok && b.From.Seconds() < to {
		start, end, rate := b.From.Seconds(), b.End().Seconds(), v.Rate*b.Factor
		s.Points = append(s.Points, point(start, v.Rate), point(start, rate))
		if end >= to {
			s.Points = append(s.Points, point(to, rate))
			return s
		}
		s.Points = append(s.Points, point(end, rate), point(end, v.Rate))
	}
	s.Points = append(s.Points, point(to, v.Rate))
	return s
}

// mostParts is how many points of a goodput that jumps the eye can follow.
const mostParts = 50

// coarser joins neighbouring parts where there are too many.
func coarser(parts []part) (all []part) {
	n := (len(parts) + mostParts - 1) / mostParts
	for from := 0; from < len(parts); from += n {
		var sum part
		some := parts[from:min(from+n, len(parts))]
		for _, p := range some {
			sum.at += p.at / float64(len(some))
			sum.goodput += p.goodput / float64(len(some))
		}
		all = append(all, sum)
	}
	return all
}

// hasSeries says whether a way has a series at that many clients.
func (v *View) hasSeries(w Way, clients int) bool {
	row := w.at(clients)
	return row != nil && len(v.parts(row)) >= 2
}

// overloaded says whether the rate was too much for a row without the burst.
func (v *View) overloaded(row *results.Summary) bool {
	r, ok := v.Recovery(row)
	return ok && r.Overloaded()
}

// burstOn is the way that the finding about a burst is about: the best WATCH loop
// that was not overloaded anyway, or else the best WATCH loop, or else the best
// way.
func (v *View) burstOn(n int) (way *Way, row *results.Summary) {
	for _, fits := range []func(Way) bool{
		func(w Way) bool { return watches(w) && !v.overloaded(w.at(n)) }, watches, anyWay,
	} {
		if way, row = v.best(n, func(w Way) bool { return v.hasSeries(w, n) && fits(w) }); way != nil {
			break
		}
	}
	return way, row
}

// recoveries says of all ways how soon latency was back after the burst.
func (v *View) recoveries(n int) (notes []string) {
	var words []string
	for i := range v.Ways {
		w := &v.Ways[i]
		row := w.at(n)
		if row == nil {
			continue
		}
		r, ok := v.Recovery(row)
		switch {
		case !ok:
		case r.Overloaded():
			words = append(words, w.Label+" overloaded before it")
		case !r.Back:
			words = append(words, fmt.Sprintf("%s not within %s", w.Label, short(r.Watched.Seconds())))
		case r.Took == 0:
			words = append(words, w.Label+" at once")
		default:
			words = append(words, fmt.Sprintf("%s after %s", w.Label, short(r.Took.Seconds())))
		}
	}
	if words == nil {
		return nil
	}
	return []string{"Latency back to what it was before the burst: " + strings.Join(words, "; ") + "."}
}

// seriesFinding says what the burst did to a way, or how even the best WATCH loop
// was, or else the best way.
func (v *View) seriesFinding(n int) string {
	way, row := v.burstOn(n)
	if way == nil {
		return v.onlyInvalid(n, anyWay)
	}
	parts := v.parts(row)
	if b, ok := v.burst(); ok {
		r, told := v.Recovery(row)
		if told && r.Overloaded() {
			return fmt.Sprintf("%s was overloaded before the burst: it answered %s of %s arrivals/s", way.Label, number(r.Kept*v.Rate), number(v.Rate))
		}
		var before, since []float64
		for _, p := range parts {
			switch {
			case p.p99 == 0:
			case p.at < b.From.Seconds():
				before = append(before, p.p99)
			default: // what has queued up makes it rise beyond the end of the burst
				since = append(since, p.p99)
			}
		}
		if before != nil && since != nil {
			s := fmt.Sprintf("The burst takes the p99 of %s from %s to %s", way.Label,
				short(results.Median(before).Center/1e3), short(slices.Max(since)/1e3))
			switch {
			case !told:
			case !r.Back:
				s += fmt.Sprintf(", and it is not back %s later", short(r.Watched.Seconds()))
			case r.Took > 0:
				s += fmt.Sprintf("; latency is back %s after it", short(r.Took.Seconds()))
			}
			return s
		}
	}
	least, most := parts[0].goodput, parts[0].goodput
	for _, p := range parts {
		least, most = min(least, p.goodput), max(most, p.goodput)
	}
	return fmt.Sprintf("At %s %s commits between %s/s and %s/s in parts of %s", verdict.Count(n, "client"), way.Label,
		number(least), number(most), report.Short(time.Duration(v.RunsOf(row)[0].Series.IntervalNS)))
}
