package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
	"rmwbench/strategies"
)

func init() {
	All.Add("bugs", Chart{
		Summary: "what wrong loops seem to do against the updates that they lose, beside correct ways",
		Draw:    drawBugs,
	})
}

// drawBugs needs a way that is wrong on purpose.
func drawBugs(v *View) Drawing {
	n := 0
	for _, row := range v.Rows {
		if kind, _ := strategies.All.Get(row.Strategy); kind.Control && row.Trials > 0 {
			n = max(n, row.Clients)
		}
	}
	if n == 0 {
		return Drawing{}
	}
	return Drawing{Title: bugsFinding(v, n), Panels: []theme.Panel{bugsPanel(v, n)}}
}

// lost is how many of 1000 acknowledged updates of a row are missing; ok is false
// where the audit could not tell.
func lost(row *results.Summary) (perThousand float64, ok bool) {
	switch row.Audit.Verdict {
	case results.AuditNone, results.AuditBroken:
		return 0, false
	}
	if row.Audit.Acknowledged == 0 {
		return 0, false
	}
	return 1000 * float64(row.Audit.Lost) / float64(row.Audit.Acknowledged), true
}

// bestOfEach are the rows with that many clients, of each strategy the one with
// the highest goodput, an invalid one only if all are.
func bestOfEach(rows []results.Summary, clients int) (best []*results.Summary) {
	for i := range rows {
		row := &rows[i]
		if row.Clients != clients || row.Trials == 0 {
			continue
		}
		at := slices.IndexFunc(best, func(b *results.Summary) bool { return b.Strategy == row.Strategy })
		switch {
		case at < 0:
			best = append(best, row)
		case row.Invalid() != best[at].Invalid():
			if best[at].Invalid() {
				best[at] = row
			}
		case row.Goodput().Center > best[at].Goodput().Center:
			best[at] = row
		}
	}
	return best
}

// several says whether some strategy has more than one row with that many
// clients.
func several(rows []results.Summary, clients int) bool {
	seen := map[string]bool{}
	for _, row := range rows {
		if row.Clients != clients || row.Trials == 0 {
			continue
		}
		if seen[row.Strategy] {
			return true
		}
		seen[row.Strategy] = true
	}
	return false
}

func bugsPanel(v *View, n int) theme.Panel {
	p := theme.Panel{
		Title: verdict.Count(n, "client"),
		X:     theme.Axis{Label: "updates lost of 1000 that were acknowledged", FromZero: true, To: 1000},
		Y:     theme.Axis{Label: "acknowledged ops per second", Scale: theme.Log},
	}
	var missing []string
	for _, row := range bestOfEach(v.Rows, n) {
		x, ok := lost(row)
		if y := row.Goodput().Center; ok && y > 0 {
			at := pointOf(row, x, y)
			at.Label = row.Strategy
			if x > 0 && x < 10 { // near nothing, and not nothing
				at.Label += ", " + number(x) + " lost"
			}
			p.Series = append(p.Series, theme.Series{Way: v.looks.of(row.Cell, wayLabel(row.Cell)), Stroke: theme.Dots, Points: []theme.Point{at}})
			continue
		}
		missing = append(missing, row.Strategy)
	}
	if several(v.Rows, n) {
		p.Notes = append(p.Notes, "Of several back-offs or script times the one with the most acknowledged ops.")
	}
	nameTogether(p.Series)
	if missing != nil {
		p.Notes = append(p.Notes, "Not drawn: "+verdict.Join(missing)+", of which nothing was acknowledged or nothing can be counted.")
	}
	if p.Series == nil {
		p.Empty, p.Notes = "Nothing was acknowledged that could be counted.", nil
	}
	return p
}

// nameTogether gives series of one point each that lie upon each other one label
// for all, at the highest: labels of their own would have no room.
func nameTogether(series []theme.Series) {
	const beside, height = 30, 0.07 // updates; of a label, as a share of the axis
	least, most := math.Inf(1), 0.0
	var points []*theme.Point
	for i := range series {
		at := &series[i].Points[0]
		least, most = min(least, at.Y), max(most, at.Y)
		points = append(points, at)
	}
	near := math.Pow(max(most/least, 2), height)
	slices.SortStableFunc(points, func(a, b *theme.Point) int { return cmp.Compare(b.Y, a.Y) })
	names := map[*theme.Point][]string{} // of those that keep a label
	var leaders []*theme.Point
	for _, at := range points {
		i := slices.IndexFunc(leaders, func(l *theme.Point) bool { return math.Abs(l.X-at.X) <= beside && l.Y <= at.Y*near })
		if i < 0 {
			leaders, i = append(leaders, at), len(leaders)
		}
		names[leaders[i]] = append(names[leaders[i]], at.Label)
		at.Label = ""
	}
	for _, l := range leaders {
		l.Label = verdict.Join(names[l])
	}
}

func bugsFinding(v *View, n int) string {
	var worst, honest *results.Summary
	for _, row := range bestOfEach(v.Rows, n) {
		kind, _ := strategies.All.Get(row.Strategy)
		x, ok := lost(row)
		switch {
		case !ok || row.Invalid():
		case kind.Control && x > 0 && (worst == nil || row.Goodput().Center > worst.Goodput().Center):
			worst = row
		case kind.Watches && !kind.Control && (honest == nil || row.Goodput().Center > honest.Goodput().Center):
			honest = row
		}
	}
	if worst == nil {
		return fmt.Sprintf("At %s no wrong loop lost an update", verdict.Count(n, "client"))
	}
	x, _ := lost(worst)
	s := fmt.Sprintf("%s acknowledges %s/s and loses %s of 1000", worst.Strategy, number(worst.Goodput().Center), number(x))
	if honest != nil {
		s += fmt.Sprintf("; a correct WATCH loop commits %s/s", number(honest.Goodput().Center))
	}
	return s
}
