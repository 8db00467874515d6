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

// Chart is one picture of a setting, or of several settings that differ only in
// what the chart compares.
type Chart struct {
	Summary string // what it shows
	// Joins clears in a cell what the chart compares besides ways and clients:
	// settings that are alike then are drawn as one. nil: nothing.
	Joins func(c *results.Cell)
	Draw  func(v *View) Drawing
}

// Drawing is a chart's content: the finding and the panels that show it. One
// without panels says that the chart has no business with the view: there is
// no picture of it then.
type Drawing struct {
	Title   string
	Panels  []theme.Panel
	Columns int // panels in a row; 0: all
}

// View is a setting, or several as one, as charts look at it.
type View struct {
	*report.Setting
	Parts       []*report.Setting // that it is made of
	Report      *report.Report
	Ways        []Way
	Predictions []Way    // beside measured rows: what a simulation made of these and other cells
	Void        []string // ways with rows that may not be used
	looks       *looks
}

// Way is one way of doing an op, with its rows by number of clients; of a view
// of several settings there may be many of one number. Rows that
// are void or empty are left out; so is a way without any other.
type Way struct {
	Index int // which colour, marker and line style
	Label string
	Kind  strategies.Kind
	Rows  []results.Summary
}

// views prepares every setting of a report. A way looks the same in all.
func views(r *report.Report) []View { return newLooks(r).views(r, nil) }

// views prepares the settings of a report, those as one that are alike when
// joins, which may be nil, has cleared what a chart compares.
func (l *looks) views(r *report.Report, joins func(*results.Cell)) (all []View) {
	joined := func(c results.Cell) results.Cell {
		if joins != nil {
			joins(&c)
		}
		return c
	}
	at := map[results.Cell]int{}
	for i := range r.Settings {
		cell := joined(r.Settings[i].Cell)
		n, ok := at[cell]
		if !ok {
			n = len(all)
			at[cell] = n
			all = append(all, View{Report: r, looks: l})
		}
		all[n].Parts = append(all[n].Parts, &r.Settings[i])
	}
	for i := range all {
		v := &all[i]
		v.Setting = v.Parts[0]
		if joins != nil {
			v.Setting = report.Joined(joined(v.Parts[0].Cell), v.Parts...)
		}
		label := func(c results.Cell) string { return wayLabel(joined(c)) }
		for _, row := range v.Rows {
			if name := label(row.Cell); row.Audit.Void() && !slices.Contains(v.Void, name) {
				v.Void = append(v.Void, name)
			}
		}
		v.Ways = l.ways(v.Rows, label)
		v.Predictions = slices.DeleteFunc(l.ways(v.Predicted, label), func(w Way) bool { return slices.Contains(v.Void, w.Label) })
	}
	return all
}

// looks numbers the ways of a report: which colour, marker and line style.
type looks struct {
	index map[string]int
	meet  map[string]bool // ways of which one setting has several script times
}

func newLooks(r *report.Report) *looks {
	l := &looks{index: map[string]int{}, meet: map[string]bool{}}
	for i := range r.Settings {
		times := map[string]int64{}
		for _, rows := range [][]results.Summary{r.Settings[i].Rows, r.Settings[i].Predicted} {
			for _, row := range rows {
				way := timeless(row.Cell)
				if before, ok := times[way]; ok && before != row.ScriptTimeNS {
					l.meet[way] = true
				}
				times[way] = row.ScriptTimeNS
			}
		}
	}
	return l
}

// timeless names a way without its script time.
func timeless(c results.Cell) string {
	c.ScriptTimeNS = 0
	return wayLabel(c)
}

// of is the number of a way with that label. A script of another duration looks
// the same, unless the two meet.
func (l *looks) of(c results.Cell, label string) int {
	if way := timeless(c); !l.meet[way] {
		label = way
	}
	if _, ok := l.index[label]; !ok {
		l.index[label] = len(l.index)
	}
	return l.index[label]
}

// ways sorts rows by way, which label names, and by clients.
func (l *looks) ways(rows []results.Summary, label func(results.Cell) string) (all []Way) {
	for _, row := range rows {
		name := label(row.Cell)
		index := l.of(row.Cell, name)
		if row.Audit.Void() || row.Trials == 0 {
			continue
		}
		at := slices.IndexFunc(all, func(w Way) bool { return w.Label == name })
		if at < 0 {
			kind, _ := strategies.All.Get(row.Strategy) // from another version: a way without promises
			at = len(all)
			all = append(all, Way{Index: index, Label: name, Kind: kind})
		}
		all[at].Rows = append(all[at].Rows, row)
	}
	for _, w := range all {
		slices.SortStableFunc(w.Rows, func(a, b results.Summary) int { return cmp.Compare(a.Clients, b.Clients) })
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

// neverRetries says that there are ways, and that nothing is ever tried twice by
// any of them.
func (v *View) neverRetries() bool {
	return len(v.Ways) > 0 && !slices.ContainsFunc(v.Ways, func(w Way) bool { return w.Kind.Retries })
}

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

// equal says whether a way may be compared with the others: where clients and
// scripts take time to decide, none that does not.
func (v *View) equal(w Way) bool { return verdict.Decides(w.Rows[0].Cell) || !verdict.Unequal(v.Rows) }

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
		notes = append(notes, "Not drawn: "+verdict.Join(v.Void)+", whose audit failed.")
	}
	return notes
}
