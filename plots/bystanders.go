package plots

import (
	"fmt"
	"slices"
	"time"

	"rmwbench/internal/model"
	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

func init() {
	All.Add("bystanders", Chart{
		Summary: "what light readers of keys of their own feel of the load: latency and rate against script time, at the most clients",
		Joins:   func(c *results.Cell) { c.DecisionNS, c.ScriptTimeNS = 0, 0 },
		Draw:    drawBystanders,
	})
}

// drawBystanders needs bystanders of scripts that take time.
func drawBystanders(v *View) Drawing {
	v = v.decidingOnce()
	n := 0
	for _, w := range v.Ways {
		for i := range w.Rows {
			if row := &w.Rows[i]; scripted(row) && row.Bystander.Count() > 0 {
				n = max(n, row.Clients)
			}
		}
	}
	if v.Bystanders == 0 || n == 0 {
		return Drawing{}
	}
	d := Drawing{Title: bystandersFinding(v, n), Panels: []theme.Panel{bystanderLatencyPanel(v, n, 0.5)}}
	if p99 := bystanderLatencyPanel(v, n, 0.99); p99.Series != nil {
		d.Panels = append(d.Panels, p99)
	}
	if v.BystandersClosed {
		d.Panels = append(d.Panels, bystanderRatePanel(v, n))
	}
	return d
}

// overTaken joins what f makes of the rows of each way with that many clients
// over the time that decisions took: of the server in scripts, of the clients
// elsewhere. Rows whose decisions take no time have no place on the axis; a note
// says what they come to.
func (v *View) overTaken(p *theme.Panel, n int, f figure, unit func(float64) string) {
	p.X = theme.Axis{Label: "time in each script, or decision of clients (ms)", Scale: theme.Log}
	at := func(row *results.Summary) (theme.Point, bool) {
		y, ok := f(row)
		x := 1e3 * v.taken(row)
		return pointOf(row, x, y), ok && row.Clients == n && x > 0 && y > 0
	}
	var without []string
	for _, w := range v.Ways {
		if w.Kind.Control {
			continue
		}
		if points := w.line(at); points != nil {
			p.Series = append(p.Series, theme.Series{Label: w.Label, Way: w.Index, Points: points})
		}
		if i := slices.IndexFunc(w.Rows, func(r results.Summary) bool { return r.Clients == n && v.taken(&r) == 0 }); i >= 0 {
			if y, ok := f(&w.Rows[i]); ok {
				without = append(without, w.Label+" "+unit(y))
			}
		}
	}
	for _, w := range v.Predictions {
		if s := w.dashedLine(at); s.Points != nil {
			p.Series = append(p.Series, s)
			p.Notes = []string{dashedNote}
		}
	}
	if without != nil {
		p.Notes = append(p.Notes, "Beside decisions that take no time: "+verdict.Join(without)+".")
	}
}

func bystanderLatencyPanel(v *View, n int, q float64) theme.Panel {
	name := fmt.Sprintf("p%v", 100*q)
	p := theme.Panel{Title: name + " of a read", Y: theme.Axis{Label: "latency of bystanders (ms)", Scale: theme.Log}}
	v.overTaken(&p, n, func(row *results.Summary) (ms float64, ok bool) {
		d, ok := row.Bystander.Quantile(q)
		return float64(d) / 1e6, ok
	}, func(ms float64) string { return short(ms / 1e3) })
	if p.Series == nil {
		p.Empty, p.Notes = "Too few reads for a "+name+".", nil
		return p
	}
	if v.Shards > 1 {
		return p
	}
	from, to := width(p.Series)
	own, d := v.scriptName()
	p.Series = append(p.Series, law("", from, to, func(ms float64) float64 {
		return 1e3 / model.BystanderLimit(1, n, ms/1e3+own)
	}))
	note := fmt.Sprintf("Grey: C%s, a round of the scripts of %d clients, in which every other connection gets one turn", d, n)
	if !v.BystandersClosed {
		note += "; a read that comes at any time takes one to two"
	}
	p.Notes = append(p.Notes, note+".")
	return p
}

func bystanderRatePanel(v *View, n int) theme.Panel {
	p := theme.Panel{Title: "Reads", Y: theme.Axis{Label: fmt.Sprintf("reads per second by %s together", verdict.Count(v.Bystanders, "bystander")), Scale: theme.Log}}
	v.overTaken(&p, n, (*results.Summary).BystanderRate, func(rate float64) string { return number(rate) + "/s" })
	if p.Series == nil {
		p.Empty, p.Notes = "No read was answered.", nil
		return p
	}
	if v.Shards > 1 {
		return p
	}
	from, to := width(p.Series)
	own, d := v.scriptName()
	p.Series = append(p.Series, law("", from, to, func(ms float64) float64 {
		return model.BystanderLimit(v.Bystanders, n, ms/1e3+own)
	}))
	p.Notes = append(p.Notes, fmt.Sprintf("Grey: B/(C%s), one turn a round of scripts for each of %s.", d, verdict.Count(v.Bystanders, "reader")))
	return p
}

// bystandersFinding compares the shortest and the longest script, and the best
// WATCH loop with a decision as long: by the p99 of a read, or by the median
// where there are too few reads beside the longest script.
func bystandersFinding(v *View, n int) string {
	if s := v.felt(n, 0.99, "p99"); s != "" {
		return s
	}
	if s := v.felt(n, 0.5, "median read"); s != "" {
		return s
	}
	return fmt.Sprintf("Beside %s of a script bystanders were hardly answered", verdict.Count(n, "client"))
}

// felt is the finding by one percentile; "" where the longest script has none.
func (v *View) felt(n int, q float64, name string) string {
	var brief, long, loop *results.Summary
	for _, w := range v.Ways {
		for i := range w.Rows {
			row := &w.Rows[i]
			if row.Clients != n || row.Bystander.Count() == 0 || w.Kind.Control || row.Invalid() {
				continue
			}
			switch {
			case scripted(row):
				if brief == nil || row.ScriptTimeNS < brief.ScriptTimeNS {
					brief = row
				}
				if long == nil || row.ScriptTimeNS > long.ScriptTimeNS {
					long = row
				}
			case w.Kind.Watches && (loop == nil || row.DecisionNS > loop.DecisionNS):
				loop = row
			}
		}
	}
	text := func(row *results.Summary) string {
		if row != nil {
			if d, ok := row.Bystander.Quantile(q); ok {
				return report.Short(d)
			}
		}
		return ""
	}
	if text(long) == "" {
		return ""
	}
	s := fmt.Sprintf("A bystander's %s is %s beside %s with scripts of %v", name, text(long), verdict.Count(n, "client"), time.Duration(long.ScriptTimeNS))
	switch {
	case text(loop) != "" && loop.DecisionNS == long.ScriptTimeNS:
		s += fmt.Sprintf(" and %s beside %s that decides as long", text(loop), loop.Strategy)
	case text(brief) != "" && brief.ScriptTimeNS < long.ScriptTimeNS:
		s += fmt.Sprintf(" and %s with scripts of %v", text(brief), time.Duration(brief.ScriptTimeNS))
	}
	return s
}
