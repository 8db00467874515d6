package plots

import (
	"fmt"

	"rmwbench/plots/theme"
	"rmwbench/results"
)

// dashedNote says what predictions are among measured lines.
const dashedNote = "Thin dashes in a way's colour: predicted by simulation."

// figure is one of a row's; ok is false where it is not known.
type figure func(row *results.Summary) (value float64, ok bool)

func goodput(row *results.Summary) (float64, bool) { return row.Goodput().Center, true }

func attempts(row *results.Summary) (float64, bool) { return row.AttemptsPerOp() }

// dashed are the lines of what was predicted beside measured rows and beyond
// them. Only ways that were not measured at all have a label here.
func (v *View) dashed(f figure) (series []theme.Series) {
	for _, w := range v.Predictions {
		s := theme.Series{Way: w.Index, Stroke: theme.Dashed}
		for i := range w.Rows {
			if y, ok := f(&w.Rows[i]); ok && y > 0 {
				s.Points = append(s.Points, theme.Point{X: float64(w.Rows[i].Clients), Y: y, Lo: y, Hi: y})
			}
		}
		if s.Points == nil {
			continue
		}
		if v.way(w.Index) == nil {
			s.Label = w.Label
		}
		series = append(series, s)
	}
	return series
}

// predictedAxis has a tick at every number of clients that was measured or
// predicted.
func (v *View) predictedAxis() theme.Axis {
	axis := v.clientsAxis()
	axis.Ticks = clients(append(v.Predictions, v.Ways...)...)
	return axis
}

// bands are how far off simulated goodputs may be, and a sentence about it; both
// empty where nothing is simulated.
func (v *View) bands() (series []theme.Series, note string) {
	simulated := v.Predictions
	if v.Source == results.SourceSimulated {
		simulated = v.Ways
	}
	if len(simulated) == 0 {
		return nil, ""
	}
	checked := v.Report.Checked()
	if checked == nil {
		return nil, "How far off the simulation may be is not known: it was held against no measurement."
	}
	for _, w := range simulated {
		if points := v.band(w); points != nil {
			series = append(series, theme.Series{Way: w.Index, Stroke: theme.Band, Points: points})
		}
	}
	if series == nil {
		return nil, ""
	}
	return series, fmt.Sprintf("Bands: beyond the %d clients that were checked a prediction may be off by a factor of %.2f or more: "+
		"nine in ten of the %d checked cells stay within it, predicted for the machine that they were measured on, of which a what-if knows nothing.", checked.Clients, 1+checked.Goodput, checked.Cells)
}

// band is the goodput of a way with the error of the checked cells to both
// sides, as a factor: from the last of its cells that is no larger than they are
// to the largest; nil if none is larger.
func (v *View) band(w Way) (points []theme.Point) {
	start := theme.Point{} // of the last cell without doubt
	for i := range w.Rows {
		y, ok := goodput(&w.Rows[i])
		if !ok || y <= 0 {
			continue
		}
		at := theme.Point{X: float64(w.Rows[i].Clients), Y: y, Lo: y, Hi: y}
		doubt, _ := v.Report.Doubt(w.Rows[i].Cell)
		if doubt == 0 {
			start = at
			continue
		}
		if points == nil && start.Y > 0 {
			points = append(points, widened(start, doubt))
		}
		points = append(points, widened(at, doubt))
	}
	return points
}

// widened gives a point an interval of a relative error, as a factor, so that it
// reaches as far up as down on a logarithmic axis.
func widened(at theme.Point, by float64) theme.Point {
	at.Lo, at.Hi = at.Y/(1+by), at.Y*(1+by)
	return at
}
