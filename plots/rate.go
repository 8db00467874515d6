package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

func init() {
	All.Add("rate", Chart{
		Summary: "answered operations and latency against the rate of arrivals of an open loop, at the most clients",
		Joins:   func(c *results.Cell) { c.Rate = 0 },
		Draw:    drawRate,
	})
}

// drawRate needs two rates.
func drawRate(v *View) Drawing {
	n := v.most()
	if len(v.rates(n)) < 2 {
		return Drawing{}
	}
	return Drawing{Title: rateFinding(v, n), Columns: 3, Panels: []theme.Panel{
		answeredPanel(v, n), arrivalLatencyPanel(v, n, 0.5), arrivalLatencyPanel(v, n, 0.99),
	}}
}

// rates are those asked for at that many clients, ascending.
func (v *View) rates(clients int) (all []float64) {
	for _, w := range v.Ways {
		for i := range w.Rows {
			if row := &w.Rows[i]; row.Clients == clients && row.Rate > 0 {
				all = append(all, row.Rate)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// offered is the rate of arrivals of a row with that many clients, as it came to.
func offered(row *results.Summary, clients int) (perSecond float64, ok bool) {
	if row.Clients != clients || row.Rate == 0 || row.Elapsed <= 0 || row.Arrivals.Offered == 0 {
		return 0, false
	}
	return float64(row.Arrivals.Offered) / row.Elapsed.Seconds(), true
}

// rateAxis has a tick at every rate.
func (v *View) rateAxis(clients int) theme.Axis {
	return theme.Axis{Label: "arrivals per second", Scale: theme.Log, Ticks: v.rates(clients)}
}

// answeredPanel shows what was answered of what arrived, and the line on which
// that is all.
func answeredPanel(v *View, n int) theme.Panel {
	p := theme.Panel{Title: "Answered", X: v.rateAxis(n), Y: theme.Axis{Label: "committed or rejected ops per second", Scale: theme.Log}}
	var missing []string
	for _, w := range v.Ways {
		points := w.line(func(row *results.Summary) (theme.Point, bool) {
			x, ok := offered(row, n)
			if !ok {
				return theme.Point{}, false
			}
			y, ok := v.pool(row, answeredPerSecond)
			y.X = x
			return y, ok
		})
		if points == nil {
			missing = append(missing, w.Label)
			continue
		}
		p.Series = append(p.Series, theme.Series{Label: w.Label, Way: w.Index, Points: points})
	}
	if p.Series == nil {
		p.Empty = "No op was answered."
		return p
	}
	from, to := width(p.Series)
	p.Series = append(p.Series, law("", from, to, func(x float64) float64 { return x }))
	p.Notes = append(v.notDrawn(missing, "of which no op was answered"), "Grey: all that arrives is answered.")
	p.Notes = append(p.Notes, v.limits(n)...)
	return p
}

// answeredPerSecond is the rate of answered ops of a trial.
func answeredPerSecond(r *results.Run) (float64, float64, bool) {
	return float64(r.Committed + r.Rejected), float64(r.ElapsedNS) / 1e9, true
}

func arrivalLatencyPanel(v *View, n int, q float64) theme.Panel {
	name := fmt.Sprintf("p%v", 100*q)
	p := theme.Panel{
		Title: name, X: v.rateAxis(n),
		Y: theme.Axis{Label: "latency of committed ops from their arrival on (ms)", Scale: theme.Log},
	}
	var missing []string
	for _, w := range v.Ways {
		points := w.line(func(row *results.Summary) (theme.Point, bool) {
			x, ok := offered(row, n)
			d, enough := row.Latency.Quantile(q)
			return pointOf(row, x, float64(d)/1e6), ok && enough && d > 0
		})
		if points == nil {
			missing = append(missing, w.Label)
			continue
		}
		p.Series = append(p.Series, theme.Series{Label: w.Label, Way: w.Index, Points: points})
	}
	p.Notes = v.notDrawn(missing, "of which too few ops committed for a "+name)
	if p.Series == nil {
		p.Empty, p.Notes = "Too few ops committed for a "+name+".", nil
	}
	return p
}

// limit is the highest rate that a way keeps up with before the first that it
// does not: 0 if there is none, and all if it keeps up with every one.
type limit struct {
	rate float64
	all  bool
}

// limit is that of a way at that many clients, invalid rows aside; ok is false
// if it has no rates.
func (w *Way) limit(clients int) (l limit, ok bool) {
	rows := slices.DeleteFunc(slices.Clone(w.Rows), func(r results.Summary) bool { return r.Clients != clients || r.Rate == 0 || r.Invalid() })
	slices.SortStableFunc(rows, func(a, b results.Summary) int { return cmp.Compare(a.Rate, b.Rate) })
	for i := range rows {
		if !report.KeptUp(&rows[i]) {
			return l, true
		}
		l.rate = rows[i].Rate
	}
	return limit{l.rate, true}, len(rows) > 0
}

func (l limit) String() string {
	switch {
	case l.all:
		return number(l.rate) + "/s, the highest rate"
	case l.rate == 0:
		return "none of the rates"
	}
	return number(l.rate) + "/s"
}

// limits says how far all ways keep up, those that get equally far together.
func (v *View) limits(clients int) (lines []string) {
	var order []limit
	ways := map[limit][]string{}
	for _, w := range v.Ways {
		l, ok := w.limit(clients)
		if !ok {
			continue
		}
		if ways[l] == nil {
			order = append(order, l)
		}
		ways[l] = append(ways[l], w.Label)
	}
	for _, l := range order {
		lines = append(lines, fmt.Sprintf("Keeping up with %v: %s.", l, verdict.Join(ways[l])))
	}
	return lines
}

// rateFinding says how far the best WATCH loop and the best other way keep up.
func rateFinding(v *View, n int) string {
	var words []string
	for _, watch := range []bool{false, true} {
		var best limit
		name := ""
		for _, w := range v.Ways {
			l, ok := w.limit(n)
			if ok && watches(w) == watch && (name == "" || l.rate > best.rate || l.rate == best.rate && l.all && !best.all) {
				best, name = l, w.Label
			}
		}
		if name == "" {
			continue
		}
		if watch {
			name = "the best WATCH loop"
		}
		words = append(words, fmt.Sprintf("%s keeps up with %v", name, best))
	}
	return fmt.Sprintf("At %s %s", verdict.Count(n, "client"), strings.Join(words, "; "))
}
