package plots

import (
	"fmt"
	"slices"

	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

func init() {
	All.Add("goodput", Chart{
		Summary: "committed operations per second against clients",
		Draw:    drawGoodput,
	})
}

func drawGoodput(v *View) Drawing {
	return Drawing{Title: goodputFinding(v), Panels: []theme.Panel{goodputPanel(v)}}
}

// goodputPanel shows the median over trials, as the table does, and beside what
// was measured what was predicted.
func goodputPanel(v *View) theme.Panel {
	p := theme.Panel{
		Title: "Goodput", X: v.predictedAxis(),
		Y: theme.Axis{Label: "committed ops per second", Scale: theme.Log},
	}
	var missing []string
	for _, w := range v.Ways {
		s := theme.Series{Label: w.Label, Way: w.Index}
		for i := range w.Rows {
			if g := w.Rows[i].Goodput(); g.Center > 0 && g.Lo > 0 {
				s.Points = append(s.Points, theme.Point{X: float64(w.Rows[i].Clients), Y: g.Center, Lo: g.Lo, Hi: g.Hi, Crossed: w.Rows[i].Invalid()})
			}
		}
		if s.Points == nil {
			missing = append(missing, w.Label)
			continue
		}
		p.Series = append(p.Series, s)
	}
	p.Notes = v.notDrawn(missing, "which committed nothing")
	if dashed := v.dashed(goodput); dashed != nil {
		p.Series = append(p.Series, dashed...)
		p.Notes = append(p.Notes, dashedNote)
	}
	if p.Series == nil {
		p.Empty = "Nothing was committed."
		return p
	}
	bands, doubt := v.bands()
	p.Series = append(p.Series, bands...)
	if doubt != "" {
		p.Notes = append(p.Notes, doubt)
	}
	if p.Marks = v.caps(); p.Marks != nil {
		p.Notes = append(p.Notes, "1/d: the most that scripts which keep the server for d can do, with d as achieved.")
	}
	return p
}

// caps are the most ops per second that one server has time for where a script
// takes some: 1/d, for the times that were achieved. Nothing where there are
// several servers, or of another speed.
func (v *View) caps() (marks []theme.Mark) {
	if v.Shards > 1 || v.ServerSpeed != 0 && v.ServerSpeed != 1 {
		return nil
	}
	var rows []results.Summary
	for _, w := range slices.Concat(v.Ways, v.Predictions) {
		rows = append(rows, w.Rows...)
	}
	for _, t := range verdict.ScriptTimes(rows) {
		marks = append(marks, theme.Mark{Value: t.Cap(), Label: fmt.Sprintf("1/d = %s/s", number(t.Cap()))})
	}
	return marks
}

func goodputFinding(v *View) string {
	if v.unmeasured() {
		return "Nothing was measured here: every line is predicted"
	}
	n := v.most()
	way, first := v.best(n, v.equal)
	if invalid := v.onlyInvalid(n, anyWay); way == nil && invalid != "" {
		return invalid
	}
	if way == nil || first.Committed == 0 {
		return "Nothing was committed"
	}
	s := fmt.Sprintf("At %s %s commits %s/s", verdict.Count(n, "client"), way.Label, number(first.Goodput().Center))
	other, second := v.best(n, watches)
	if watches(*way) {
		other, second = v.best(n, func(w Way) bool { return !watches(w) && v.equal(w) })
		if second != nil {
			name := "the best way without WATCH"
			if verdict.Unequal(v.Rows) { // some are not compared
				name = other.Label
			}
			return s + fmt.Sprintf(", %s %s/s", name, number(second.Goodput().Center))
		}
	}
	if other == nil || other == way {
		return s
	}
	return s + fmt.Sprintf(", the best WATCH loop %s/s", number(second.Goodput().Center))
}
