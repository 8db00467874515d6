package plots

import (
	"fmt"

	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
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

// goodputPanel shows the median over trials, as the table does.
func goodputPanel(v *View) theme.Panel {
	p := theme.Panel{
		Title: "Goodput", X: v.clientsAxis(),
		Y: theme.Axis{Label: "committed ops per second", Scale: theme.Log},
	}
	var missing []string
	for _, w := range v.Ways {
		s := theme.Series{Label: w.Label, Way: w.Index}
		for i := range w.Rows {
			if g := w.Rows[i].Goodput(); g.Center > 0 && g.Lo > 0 {
				s.Points = append(s.Points, theme.Point{X: float64(w.Rows[i].Clients), Y: g.Center, Lo: g.Lo, Hi: g.Hi})
			}
		}
		if s.Points == nil {
			missing = append(missing, w.Label)
			continue
		}
		p.Series = append(p.Series, s)
	}
	p.Notes = v.notDrawn(missing, "which committed nothing")
	if p.Series == nil {
		p.Empty = "Nothing was committed."
	}
	return p
}

func goodputFinding(v *View) string {
	n := v.most()
	way, first := v.best(n, anyWay)
	if way == nil || first.Committed == 0 {
		return "Nothing was committed"
	}
	s := fmt.Sprintf("At %s %s commits %s/s", verdict.Count(n, "client"), way.Label, number(first.Goodput().Center))
	other, second := v.best(n, watches)
	if watches(*way) {
		other, second = v.best(n, func(w Way) bool { return !watches(w) })
		if second != nil {
			return s + fmt.Sprintf(", the best way without WATCH %s/s", number(second.Goodput().Center))
		}
	}
	if other == nil || other == way {
		return s
	}
	return s + fmt.Sprintf(", the best WATCH loop %s/s", number(second.Goodput().Center))
}
