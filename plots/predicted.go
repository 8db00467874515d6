package plots

import (
	"fmt"
	"math"

	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

func init() {
	All.Add("predicted", Chart{
		Summary: "predicted against measured goodput and conflict probability",
		Draw:    drawPredicted,
	})
}

// drawPredicted holds what was predicted against what was measured; without both
// there is nothing to draw.
func drawPredicted(v *View) Drawing {
	cells, near := 0, 0
	for _, w := range v.Ways {
		for i := range w.Rows {
			if e, ok := v.Error(&w.Rows[i]); ok {
				cells++
				if e.Good() {
					near++
				}
			}
		}
	}
	if cells == 0 {
		return Drawing{}
	}
	return Drawing{
		Title: fmt.Sprintf("Goodput is predicted within %.0f %% and p within %v in %d of %s",
			100*report.GoodError, report.GoodPError, near, verdict.Count(cells, "cell")),
		Panels: []theme.Panel{predictedGoodputPanel(v), predictedConflictsPanel(v)},
	}
}

func predictedGoodputPanel(v *View) theme.Panel {
	p := theme.Panel{
		Title: "Goodput",
		X:     theme.Axis{Label: "measured, committed ops per second", Scale: theme.Log},
		Y:     theme.Axis{Label: "predicted, committed ops per second", Scale: theme.Log},
	}
	far, inside := 0, 0
	p.Series = v.against(func(row *results.Summary, e report.Error) (at theme.Point, ok, isFar bool) {
		measured := row.Goodput()
		isFar = math.Abs(e.Relative) > report.GoodError
		if isFar {
			far++
			if e.Goodput >= measured.Lo && e.Goodput <= measured.Hi {
				inside++
			}
		}
		at = theme.Point{X: measured.Center, Y: e.Goodput, Lo: e.Goodput, Hi: e.Goodput}
		return at, at.X > 0 && at.Y > 0, isFar
	})
	if p.Series == nil {
		p.Empty = "Nothing was committed."
		return p
	}
	least, most := ends(p.Series)
	below, above := 1-report.GoodError, 1+report.GoodError
	p.Series = append(p.Series, alike(least, most, []float64{least, least / below, most / above, most},
		func(x float64) (lo, hi float64) { return below * x, above * x })...)
	p.Notes = []string{fmt.Sprintf("Line: predicted as measured. Grey: within %.0f %%.", 100*report.GoodError)}
	switch {
	case inside > 0:
		p.Notes = append(p.Notes, fmt.Sprintf("Numbers: clients of cells further off. Inside the interval of what was measured: %d of these %s.",
			inside, verdict.Count(far, "prediction")))
	case far > 0:
		p.Notes = append(p.Notes, "Numbers: clients of cells further off.")
	}
	return p
}

func predictedConflictsPanel(v *View) theme.Panel {
	p := theme.Panel{
		Title: "Conflict probability p",
		X:     theme.Axis{Label: "measured conflicts per attempt", FromZero: true, To: 1},
		Y:     theme.Axis{Label: "predicted conflicts per attempt", FromZero: true, To: 1},
	}
	p.Series = v.against(func(row *results.Summary, e report.Error) (at theme.Point, ok, isFar bool) {
		measured, _ := row.ConflictRate()
		y := measured + e.P
		at = theme.Point{X: measured, Y: y, Lo: y, Hi: y}
		return at, e.PKnown && (measured > 0 || y > 0), math.Abs(e.P) > report.GoodPError
	})
	if p.Series == nil {
		p.Empty = "No attempt met a conflict, neither measured nor predicted."
		return p
	}
	p.Series = append(p.Series, alike(0, 1, []float64{0, report.GoodPError, 1 - report.GoodPError, 1},
		func(x float64) (lo, hi float64) { return x - report.GoodPError, x + report.GoodPError })...)
	p.Notes = []string{fmt.Sprintf("Line: predicted as measured. Grey: within %v. Cells without any conflict are left out.", report.GoodPError)}
	return p
}

// against has a point for every measured row with a prediction that f has one
// for; far ones carry their number of clients.
func (v *View) against(f func(*results.Summary, report.Error) (at theme.Point, ok, far bool)) (series []theme.Series) {
	for _, w := range v.Ways {
		s := theme.Series{Label: w.Label, Way: w.Index, Stroke: theme.Dots}
		for i := range w.Rows {
			e, ok := v.Error(&w.Rows[i])
			if !ok {
				continue
			}
			at, ok, far := f(&w.Rows[i], e)
			if !ok {
				continue
			}
			if far {
				at.Label = fmt.Sprint(w.Rows[i].Clients)
			}
			s.Points = append(s.Points, at)
		}
		if s.Points != nil {
			series = append(series, s)
		}
	}
	return series
}

// ends are the least and the most of all coordinates, with room between.
func ends(series []theme.Series) (least, most float64) {
	least, most = math.Inf(1), 0
	for _, s := range series {
		for _, at := range s.Points {
			least, most = min(least, at.X, at.Y), max(most, at.X, at.Y)
		}
	}
	const room = 1.25
	return least / room, most * room
}

// alike is the line on which predictions equal what was measured, and the band
// of those that are near, in the square from least to most. The band has its
// corners at xs.
func alike(least, most float64, xs []float64, near func(x float64) (lo, hi float64)) []theme.Series {
	line := theme.Series{Way: theme.Reference, Points: []theme.Point{
		{X: least, Y: least, Lo: least, Hi: least}, {X: most, Y: most, Lo: most, Hi: most},
	}}
	band := theme.Series{Way: theme.Reference, Stroke: theme.Band}
	for _, x := range xs {
		lo, hi := near(x)
		band.Points = append(band.Points, theme.Point{X: x, Y: x, Lo: max(lo, least), Hi: min(hi, most)})
	}
	return []theme.Series{line, band}
}
