package plots

import (
	"fmt"

	"rmwbench/internal/model"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
)

func init() {
	All.Add("attempts", Chart{
		Summary: "how many operations need more than n attempts, beside the geometric law, at the most clients",
		Draw:    drawAttempts,
	})
}

// drawAttempts shows where independence fails: if every attempt failed with
// probability p on its own, the share of ops that need more than n attempts
// would be p^n.
func drawAttempts(v *View) Drawing {
	if v.unmeasured() || v.neverRetries() {
		return Drawing{}
	}
	return Drawing{Title: attemptsFinding(v), Panels: []theme.Panel{distributionPanel(v)}}
}

func distributionPanel(v *View) theme.Panel {
	n := v.most()
	p := theme.Panel{
		Title: "Attempts of one operation at " + verdict.Count(n, "client"),
		X:     theme.Axis{Label: "n, attempts", Scale: theme.Log},
		Y:     theme.Axis{Label: "share of committed ops that need more than n", Scale: theme.Log},
		Notes: []string{"Dashed: p^n, if attempts failed independently of each other with the same overall p."},
	}
	for _, w := range v.Ways {
		row := w.at(n)
		if row == nil || row.Conflicts == 0 || row.Committed == 0 {
			continue
		}
		measured := theme.Series{Label: w.Label, Way: w.Index}
		total, below := float64(row.AttemptsHistogram.Total()), 0.0
		row.AttemptsHistogram.Each(func(upTo, count int64) {
			below += float64(count)
			if y := 1 - below/total; below < total && shown(upTo) {
				measured.Points = append(measured.Points, theme.Point{X: float64(upTo), Y: y, Lo: y, Hi: y, Crossed: row.Invalid()})
			}
		})
		if measured.Points == nil {
			continue
		}
		p.Series = append(p.Series, measured)
		conflicts, _ := row.ConflictRate()
		law := theme.Series{Way: w.Index, Stroke: theme.Dashed}
		least := 1 / total // where less than one op of this run would be
		for _, at := range measured.Points {
			if y := model.Geometric(conflicts, int(at.X)); y >= least {
				law.Points = append(law.Points, theme.Point{X: at.X, Y: y, Lo: y, Hi: y})
			}
		}
		if law.Points != nil {
			p.Series = append(p.Series, law)
		}
	}
	if p.Series == nil {
		p.Empty, p.Notes = "No op needed a second attempt.", nil
	}
	return p
}

// shown thins the exact counts out: a point at every attempt number would be
// a band of markers.
func shown(upTo int64) bool {
	switch upTo {
	case 1, 2, 3, 4, 6, 8, 11, 16, 22:
		return true
	}
	return upTo >= 32
}

func attemptsFinding(v *View) string {
	n := v.most()
	way, row := v.best(n, watches)
	if invalid := v.onlyInvalid(n, watches); way == nil && invalid != "" {
		return invalid
	}
	if way == nil || row.Conflicts == 0 {
		return fmt.Sprintf("At %s no op needed a second attempt", verdict.Count(n, "client"))
	}
	p, _ := row.ConflictRate()
	total, first := float64(row.AttemptsHistogram.Total()), float64(row.AttemptsHistogram.At(1))
	if total == 0 {
		return fmt.Sprintf("At %s no WATCH loop finished an op", verdict.Count(n, "client"))
	}
	return fmt.Sprintf("At %s %.0f %% of the best WATCH loop's ops commit at once; if attempts were independent, %.0f %% would",
		verdict.Count(n, "client"), 100*first/total, 100*(1-p))
}
