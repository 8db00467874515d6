package plots

import (
	"fmt"
	"math"

	"rmwbench/internal/model"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
)

func init() {
	All.Add("collapse", Chart{
		Summary: "attempts per operation against clients, with the linear law; and against what first attempts predict",
		Draw:    drawCollapse,
	})
}

func drawCollapse(v *View) Drawing {
	if v.unmeasured() || v.neverRetries() {
		return Drawing{}
	}
	p := attemptsPanel(v)
	if p.Empty == "" {
		for _, w := range v.Ways {
			p.Series = append(p.Series, v.law(w)...)
		}
	}
	return Drawing{Title: collapseFinding(v), Panels: []theme.Panel{p, firstAttemptPanel(v)}}
}

// attemptsPanel shows attempts per op over clients.
func attemptsPanel(v *View) theme.Panel {
	series, missing := v.overClients(attemptsPerOp)
	p := theme.Panel{
		Title: "Attempts per operation", X: v.predictedAxis(),
		Y:     theme.Axis{Label: "attempts per committed or rejected op", Scale: theme.Log, To: 2},
		Notes: v.notDrawn(missing, "of which no op was answered"), Series: series,
	}
	if dashed := v.dashed(attempts); dashed != nil {
		p.Series = append(p.Series, dashed...)
		p.Notes = append(p.Notes, dashedNote)
	}
	if p.Series == nil {
		p.Empty = "No op was answered."
		return p
	}
	shares := []float64{0.1, 0.5, 0.7}
	if highest(p.Series) > 30 {
		shares = []float64{0.5, 0.9, 0.99}
	}
	for _, at := range shares {
		p.Marks = append(p.Marks, theme.Mark{Value: model.AttemptsAt(at), Label: fmt.Sprintf("p = %v", at)})
	}
	return p
}

// highest is the largest value of all points.
func highest(series []theme.Series) (y float64) {
	for _, s := range series {
		for _, at := range s.Points {
			y = max(y, at.Y)
		}
	}
	return y
}

// law is what the linear law makes of a loop without back-off, from the length
// of its attempts with one client: solid where it may be believed, dashed
// beyond. Nothing if one client was not measured.
func (v *View) law(w Way) []theme.Series {
	alone := w.at(1)
	if !watches(w) || alone == nil || alone.Backoff != "none" || v.most() < 2 {
		return nil
	}
	keys, ok := v.Popularity()
	if !ok {
		return nil
	}
	loop, ok := v.Loop(alone)
	if !ok {
		return nil
	}
	believed := theme.Series{Way: theme.Reference, Stroke: theme.Solid}
	beyond := theme.Series{Way: theme.Reference, Stroke: theme.Dashed, Label: "linear law, " + w.Strategy()}
	const steps = 48
	for i := range steps + 1 {
		clients := math.Pow(float64(v.most()), float64(i)/steps)
		at := model.Linear(keys, clients, loop)
		point := theme.Point{X: clients, Y: at.Attempts, Lo: at.Attempts, Hi: at.Attempts}
		if at.InRange {
			believed.Points = append(believed.Points, point)
			beyond.Points = []theme.Point{point} // so that the two lines meet
			continue
		}
		beyond.Points = append(beyond.Points, point)
	}
	return []theme.Series{believed, beyond}
}

// Strategy is the way's strategy.
func (w *Way) Strategy() string { return w.Rows[0].Strategy }

// firstAttemptPanel sets what first attempts predict beside what happened: if
// attempts failed independently of each other, all points would lie on the
// curve 1/(1-p1).
func firstAttemptPanel(v *View) theme.Panel {
	p := theme.Panel{
		Title: "What first attempts predict",
		X:     theme.Axis{Label: "p1, the share of first attempts that conflict", FromZero: true, To: 1},
		Y:     theme.Axis{Label: "attempts per committed or rejected op", Scale: theme.Log, To: 2},
		Notes: []string{"Numbers beside points are clients."},
	}
	for _, w := range v.Ways {
		s := theme.Series{Label: w.Label, Way: w.Index, Stroke: theme.Dots}
		for i := range w.Rows {
			row := &w.Rows[i]
			point, ok := v.pool(row, attemptsPerOp)
			first := row.AttemptsByAttempt.At(1)
			if !ok || first == 0 || row.Conflicts == 0 {
				continue
			}
			point.X = float64(row.ConflictsByAttempt.At(1)) / float64(first)
			point.Label = fmt.Sprint(row.Clients)
			s.Points = append(s.Points, point)
		}
		if s.Points != nil {
			p.Series = append(p.Series, s)
		}
	}
	if p.Series == nil {
		p.Empty = "No attempt met a conflict."
		p.Notes = nil
		return p
	}
	curve := theme.Series{Label: "1/(1-p1)", Way: theme.Reference}
	for i := range 49 {
		x := float64(i) / 50
		y := model.AttemptsAt(x)
		curve.Points = append(curve.Points, theme.Point{X: x, Y: y, Lo: y, Hi: y})
	}
	p.Series = append(p.Series, curve)
	return p
}

func collapseFinding(v *View) string {
	n := v.most()
	way, row := v.best(n, watches)
	if way == nil {
		if invalid := v.onlyInvalid(n, watches); invalid != "" {
			return invalid
		}
		return "No WATCH loop in this table"
	}
	attempts, ok := row.AttemptsPerOp()
	if !ok {
		return fmt.Sprintf("At %s no WATCH loop finished an op", verdict.Count(n, "client"))
	}
	return fmt.Sprintf("At %s the best WATCH loop needs %s attempts per op", verdict.Count(n, "client"), number(attempts))
}
