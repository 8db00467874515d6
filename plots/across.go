package plots

import (
	"cmp"
	"math"
	"slices"
	"time"

	"rmwbench/internal/report"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

// spot is where a row lies in a panel; ok is false for one that does not belong
// there.
type spot func(row *results.Summary) (at theme.Point, ok bool)

// line is the rows of a way that have a place, from left to right.
func (w *Way) line(f spot) (points []theme.Point) {
	for i := range w.Rows {
		if at, ok := f(&w.Rows[i]); ok {
			points = append(points, at)
		}
	}
	slices.SortStableFunc(points, func(a, b theme.Point) int { return cmp.Compare(a.X, b.X) })
	return points
}

// dashedLine is the same of what is predicted, without intervals.
func (w *Way) dashedLine(f spot) theme.Series {
	s := theme.Series{Way: w.Index, Stroke: theme.Dashed, Points: w.line(f)}
	for i := range s.Points {
		s.Points[i] = point(s.Points[i].X, s.Points[i].Y)
	}
	return s
}

// point is a value without interval.
func point(x, y float64) theme.Point { return theme.Point{X: x, Y: y, Lo: y, Hi: y} }

// pointOf is that of a row, crossed out if the row is invalid.
func pointOf(row *results.Summary, x, y float64) theme.Point {
	at := point(x, y)
	at.Crossed = row.Invalid()
	return at
}

// goodputAt is the goodput of a row, the median over trials, at an x; ok is false
// where a logarithmic axis has no place for it.
func goodputAt(x float64, row *results.Summary) (theme.Point, bool) {
	g := row.Goodput()
	return theme.Point{X: x, Y: g.Center, Lo: g.Lo, Hi: g.Hi, Crossed: row.Invalid()}, x > 0 && g.Lo > 0
}

// idleTrial is why a row has no goodputAt.
const idleTrial = "of which a trial committed nothing"

// law is a formula as a line from one x to another, in steps that are even on a
// logarithmic axis.
func law(label string, from, to float64, f func(x float64) float64) theme.Series {
	s := theme.Series{Label: label, Way: theme.Reference}
	const steps = 48
	for i := range steps + 1 {
		x := from * math.Pow(to/from, float64(i)/steps)
		s.Points = append(s.Points, point(x, f(x)))
	}
	return s
}

// width is the least and the largest x of all points.
func width(series []theme.Series) (from, to float64) {
	from, to = math.Inf(1), 0
	for _, s := range series {
		for _, at := range s.Points {
			from, to = min(from, at.X), max(to, at.X)
		}
	}
	return from, to
}

// short is a duration in seconds with three digits.
func short(seconds float64) string { return report.Short(time.Duration(1e9 * seconds)) }

// spread chooses at most n of some values in order: both ends, and between them
// about evenly.
func spread[T any](values []T, n int) []T {
	if len(values) <= n {
		return values
	}
	chosen := make([]T, n)
	for i := range chosen {
		chosen[i] = values[i*(len(values)-1)/(n-1)]
	}
	return chosen
}
