// Package plots owns the pictures and the page made of them: one file for each
// chart, which says as plain data what it shows. It is pure: results in,
// pictures out. How pictures look is theme's business.
package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"rmwbench/internal/registry"
	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
	"rmwbench/strategies"
)

// All holds every chart by name, which is also its file's name.
var All = registry.New[Chart]("chart")

// Chart is one picture of a setting.
type Chart struct {
	Summary string // what it shows
	Draw    func(v *View) Drawing
}

// Drawing is a chart's content: the finding and the panels that show it. One
// without panels says that the chart has no business with the setting: there is
// no picture of it then.
type Drawing struct {
	Title  string
	Panels []theme.Panel
}

// View is a setting as charts look at it.
type View struct {
	*report.Setting
	Report      *report.Report
	Ways        []Way
	Predictions []Way    // beside measured rows: what a simulation made of these and other cells
	Void        []string // ways with rows that may not be used
}

// Way is one way of doing an op, with its rows by number of clients. Rows that
// are void or empty are left out; so is a way without any other.
type Way struct {
	Index int // which colour, marker and line style
	Label string
	Kind  strategies.Kind
	Rows  []results.Summary
}

// views prepares every setting of a report. A way looks the same in all.
func views(r *report.Report) []View {
	index := map[string]int{}
	all := make([]View, 0, len(r.Settings))
	for i := range r.Settings {
		v := View{Setting: &r.Settings[i], Report: r}
		for _, row := range v.Rows {
			if label := wayLabel(row.Cell); row.Audit.Void() && !slices.Contains(v.Void, label) {
				v.Void = append(v.Void, label)
			}
		}
		v.Ways = ways(v.Rows, index)
		v.Predictions = slices.DeleteFunc(ways(v.Predicted, index), func(w Way) bool { return slices.Contains(v.Void, w.Label) })
		all = append(all, v)
	}
	return all
}

// ways sorts rows by way and by clients. index numbers ways by label, new ones
// as they come.
func ways(rows []results.Summary, index map[string]int) (all []Way) {
	for _, row := range rows {
		label := wayLabel(row.Cell)
		if _, ok := index[label]; !ok {
			index[label] = len(index)
		}
		if row.Audit.Void() || row.Trials == 0 {
			continue
		}
		at := slices.IndexFunc(all, func(w Way) bool { return w.Label == label })
		if at < 0 {
			kind, _ := strategies.All.Get(row.Strategy) // from another version: a way without promises
			at = len(all)
			all = append(all, Way{Index: index[label], Label: label, Kind: kind})
		}
		all[at].Rows = append(all[at].Rows, row)
	}
	for _, w := range all {
		slices.SortFunc(w.Rows, func(a, b results.Summary) int { return cmp.Compare(a.Clients, b.Clients) })
	}
	return all
}

// wayLabel names a way in a picture.
func wayLabel(c results.Cell) string {
	name := c.Strategy
	if c.ScriptTimeNS > 0 {
		name += fmt.Sprintf(" of %v", time.Duration(c.ScriptTimeNS))
	}
	if c.Conn == results.ConnShared {
		name += ", shared"
	}
	switch c.Backoff {
	case "":
		return name
	case "none":
		return name + ", no back-off"
	}
	return name + ", " + report.Backoff(c) + " back-off"
}

// clients lists the numbers of clients of the rows of some ways, ascending.
func clients(ways ...Way) []float64 {
	var all []float64
	for _, w := range ways {
		for _, r := range w.Rows {
			all = append(all, float64(r.Clients))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unmeasured says that there are predictions for the setting and nothing else.
func (v *View) unmeasured() bool { return len(v.Rows) == 0 && len(v.Predictions) > 0 }

// most is the largest number of clients that was measured.
func (v *View) most() int {
	all := clients(v.Ways...)
	if len(all) == 0 {
		return 0
	}
	return int(all[len(all)-1])
}

// at is the way's row at that many clients, or nil.
func (w *Way) at(clients int) *results.Summary {
	for i := range w.Rows {
		if w.Rows[i].Clients == clients {
			return &w.Rows[i]
		}
	}
	return nil
}

// best is the way with the highest goodput at that many clients among those
// that fit, invalid rows aside; nil if there is none.
func (v *View) best(clients int, fits func(Way) bool) (way *Way, row *results.Summary) {
	for i := range v.Ways {
		w := &v.Ways[i]
		if r := w.at(clients); r != nil && fits(*w) && !r.Invalid() && (row == nil || r.Goodput().Center > row.Goodput().Center) {
			way, row = w, r
		}
	}
	return way, row
}

// onlyInvalid is the finding where a best way is missing because all rows of
// ways that fit are invalid; "" where that is not so.
func (v *View) onlyInvalid(clients int, fits func(Way) bool) string {
	for i := range v.Ways {
		if w := &v.Ways[i]; fits(*w) && w.at(clients) != nil && w.at(clients).Invalid() {
			return fmt.Sprintf("At %s the tool itself was the bottleneck", verdict.Count(clients, "client"))
		}
	}
	return ""
}

func watches(w Way) bool { return w.Kind.Watches }
func anyWay(Way) bool    { return true }

// clientsAxis has a tick at every measured number of clients.
func (v *View) clientsAxis() theme.Axis {
	return theme.Axis{Label: "clients", Scale: theme.Log, Ticks: clients(v.Ways...)}
}

// ratio is a quantity of one trial that is pooled over trials as the sum of
// numerators over the sum of denominators; ok is false where it is not known.
type ratio func(r *results.Run) (numerator, denominator float64, ok bool)

// overClients draws a ratio for every way that has it: the pooled value, with
// the interval of the median over trials, or least to most where trials are
// few. missing names the ways that do not have it.
func (v *View) overClients(f ratio) (series []theme.Series, missing []string) {
	for _, w := range v.Ways {
		var points []theme.Point
		for i := range w.Rows {
			if p, ok := v.pool(&w.Rows[i], f); ok {
				p.X = float64(w.Rows[i].Clients)
				points = append(points, p)
			}
		}
		if points == nil {
			missing = append(missing, w.Label)
			continue
		}
		series = append(series, theme.Series{Label: w.Label, Way: w.Index, Points: points})
	}
	return series, missing
}

// pool is a ratio over the trials of one row. Zero has no place on the
// logarithmic axes it is made for.
func (v *View) pool(row *results.Summary, f ratio) (theme.Point, bool) {
	var numerators, denominators float64
	var each []float64
	for _, run := range v.Trials(row.Cell) {
		n, d, ok := f(&run)
		if !ok {
			continue
		}
		numerators += n
		denominators += d
		if d > 0 && n > 0 {
			each = append(each, n/d)
		}
	}
	if numerators <= 0 || denominators <= 0 {
		return theme.Point{}, false
	}
	y := numerators / denominators
	iv := results.Median(each)
	return theme.Point{Y: y, Lo: math.Min(iv.Lo, y), Hi: math.Max(iv.Hi, y), Crossed: row.Invalid()}, true
}

func attemptsPerOp(r *results.Run) (float64, float64, bool) {
	return float64(r.Attempts), float64(r.Committed + r.Rejected), true
}

func exchangesPerOp(r *results.Run) (float64, float64, bool) {
	return float64(r.Exchanges), float64(r.Committed + r.Rejected), true
}

// notDrawn says which ways are not in a panel.
func (v *View) notDrawn(missing []string, why string) (notes []string) {
	if len(missing) > 0 {
		notes = append(notes, "Not drawn: "+verdict.Join(missing)+", "+why+".")
	}
	if len(v.Void) > 0 {
		notes = append(notes, "Not drawn: "+verdict.Join(v.Void)+", whose audit found lost updates.")
	}
	return notes
}
