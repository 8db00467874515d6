package plots

import (
	"fmt"

	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

func init() {
	All.Add("latency", Chart{
		Summary: "latency of committed operations by percentile, at the most clients",
		Draw:    drawLatency,
	})
}

// quantiles are where a latency curve has its points.
var quantiles = []float64{
	0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99,
	0.993, 0.995, 0.997, 0.998, 0.999, 0.9993, 0.9995, 0.9997, 0.9998, 0.9999, 0.99995, 0.99999,
}

func drawLatency(v *View) Drawing {
	if v.unmeasured() {
		return Drawing{}
	}
	return Drawing{Title: latencyFinding(v), Panels: []theme.Panel{latencyPanel(v)}}
}

func latencyPanel(v *View) theme.Panel {
	n := v.most()
	p := theme.Panel{
		Title: "Latency at " + verdict.Count(n, "client"),
		X:     theme.Axis{Label: "percentile of committed ops", Scale: theme.Percentile},
		Y:     theme.Axis{Label: "latency, retries and back-off included (ms)", Scale: theme.Log},
	}
	var missing []string
	for _, w := range v.Ways {
		row := w.at(n)
		if row == nil {
			continue
		}
		curve := latencyCurve(row)
		if curve == nil {
			missing = append(missing, w.Label)
			continue
		}
		p.Series = append(p.Series, theme.Series{Label: w.Label, Way: w.Index, Points: curve})
		if tail := latencyTail(row.Latency, curve[len(curve)-1]); tail != nil {
			p.Series = append(p.Series, theme.Series{Way: w.Index, Stroke: theme.Dashed, Points: tail})
		}
	}
	p.Notes = append(v.notDrawn(missing, "with fewer than 20 committed ops"),
		"Solid as far as ten samples lie beyond; dashed to the slowest op of all.")
	if cut := v.cutOff(n); cut != nil {
		p.Notes = append(p.Notes, "More than a tenth of the ops of "+verdict.Join(cut)+
			" were still running when their trial ended, so the longest are missing.")
	}
	if p.Series == nil {
		p.Empty, p.Notes = "Too few ops were committed.", nil
	}
	return p
}

// cutOff names the ways with that many clients of which many ops were still
// running at the end.
func (v *View) cutOff(clients int) (ways []string) {
	for _, w := range v.Ways {
		if row := w.at(clients); row != nil && row.CutOff() {
			ways = append(ways, w.Label)
		}
	}
	return ways
}

// latencyCurve has the quantiles that enough samples stand for.
func latencyCurve(row *results.Summary) (points []theme.Point) {
	for _, q := range quantiles {
		if d, ok := row.Latency.Quantile(q); ok && d > 0 {
			at := milliseconds(q, float64(d))
			at.Crossed = row.Invalid()
			points = append(points, at)
		}
	}
	return points
}

// latencyTail leads from the last of them to the maximum.
func latencyTail(h *results.Histogram, last theme.Point) []theme.Point {
	q := 1 - 1/float64(h.Count())
	if q <= last.X {
		return nil
	}
	return []theme.Point{last, milliseconds(q, float64(h.Max()))}
}

func milliseconds(q, ns float64) theme.Point {
	y := ns / 1e6
	return theme.Point{X: q, Y: y, Lo: y, Hi: y}
}

func latencyFinding(v *View) string {
	n := v.most()
	for _, q := range []struct {
		q    float64
		name string
	}{{0.99, "p99"}, {0.5, "the median"}} {
		fast, first := v.best(n, func(w Way) bool { return !watches(w) && v.equal(w) && hasQuantile(w.at(n), q.q) })
		slow, second := v.best(n, func(w Way) bool { return watches(w) && hasQuantile(w.at(n), q.q) })
		switch {
		case fast != nil && slow != nil:
			return fmt.Sprintf("At %s %s is %s with %s and %s with the best WATCH loop",
				verdict.Count(n, "client"), q.name, quantileText(first, q.q), fast.Label, quantileText(second, q.q))
		case fast != nil:
			return fmt.Sprintf("At %s %s is %s with %s", verdict.Count(n, "client"), q.name, quantileText(first, q.q), fast.Label)
		case slow != nil:
			return fmt.Sprintf("At %s %s is %s with %s", verdict.Count(n, "client"), q.name, quantileText(second, q.q), slow.Label)
		}
	}
	if invalid := v.onlyInvalid(n, anyWay); invalid != "" {
		return invalid
	}
	return "Too few ops were committed to speak of latency"
}

func hasQuantile(row *results.Summary, q float64) bool {
	if row == nil {
		return false
	}
	_, ok := row.Latency.Quantile(q)
	return ok
}

// quantileText is a percentile in words: of a row that was cut off a lower bound.
func quantileText(row *results.Summary, q float64) string {
	d, _ := row.Latency.Quantile(q)
	if row.CutOff() {
		return "more than " + report.Short(d)
	}
	return report.Short(d)
}
