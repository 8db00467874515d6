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

func bugsPanel(v *View, n int) theme.Panel {
	p := theme.Panel{
		Title: verdict.Count(n, "client"),
		X:     theme.Axis{Label: "updates lost of 1000 that were acknowledged", FromZero: true, To: 1000},
		Y:     theme.Axis{Label: "acknowledged ops per second", Scale: theme.Log},
	}
	var missing []string
	for i := range v.Rows {
		row := &v.Rows[i]
		if row.Clients != n || row.Trials == 0 {
			continue
		}
		label := wayLabel(row.Cell)
		x, ok := lost(row)
		g := row.Goodput()
		if !ok || g.Lo <= 0 {
			missing = append(missing, label)
			continue
		}
		if x > 0 && x < 10 { // near nothing, and not nothing
			label += ", " + number(x) + " lost"
		}
		p.Series = append(p.Series, theme.Series{Way: v.looks.of(row.Cell, label), Stroke: theme.Dots, Points: []theme.Point{
			{X: x, Y: g.Center, Lo: g.Lo, Hi: g.Hi, Label: label},
		}})
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
// for all: labels of their own would have no room.
func nameTogether(series []theme.Series) {
	if len(series) == 0 {
		return
	}
	const beside, height = 30, 0.06 // updates; of a label, as a share of the axis
	least, most := series[0].Points[0].Y, series[0].Points[0].Y
	for _, s := range series {
		least, most = min(least, s.Points[0].Y), max(most, s.Points[0].Y)
	}
	near := math.Pow(max(most/least, 2), height)
	order := slices.Clone(series)
	slices.SortStableFunc(order, func(a, b theme.Series) int {
		return cmp.Or(cmp.Compare(math.Floor(a.Points[0].X/beside), math.Floor(b.Points[0].X/beside)), cmp.Compare(b.Points[0].Y, a.Points[0].Y))
	})
	for i := 0; i < len(order); {
		names := []string{order[i].Points[0].Label}
		j := i + 1
		for ; j < len(order); j++ {
			a, b := &order[j-1].Points[0], &order[j].Points[0]
			if math.Abs(a.X-b.X) > beside || a.Y > b.Y*near {
				break
			}
			names, b.Label = append(names, b.Label), ""
		}
		order[i].Points[0].Label = verdict.Join(names)
		i = j
	}
}

func bugsFinding(v *View, n int) string {
	var worst, honest *results.Summary
	for i := range v.Rows {
		row := &v.Rows[i]
		if row.Clients != n || row.Trials == 0 {
			continue
		}
		kind, _ := strategies.All.Get(row.Strategy)
		x, ok := lost(row)
		switch {
		case !ok:
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
	s := fmt.Sprintf("%s acknowledges %s/s and loses %s of 1000", wayLabel(worst.Cell), number(worst.Goodput().Center), number(x))
	if honest != nil {
		s += fmt.Sprintf("; a correct WATCH loop commits %s/s", number(honest.Goodput().Center))
	}
	return s
}
