package plots

import (
	"fmt"

	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

func init() {
	All.Add("cost", Chart{
		Summary: "server time per operation, useful and wasted, and exchanges per operation, against clients",
		Draw:    drawCost,
	})
}

// drawCost shows what goodput hides while the server has time to spare: the
// work that contention makes it do for nothing.
func drawCost(v *View) Drawing {
	if v.unmeasured() {
		return Drawing{}
	}
	return Drawing{Title: costFinding(v), Panels: []theme.Panel{serverTimePanel(v), exchangesPanel(v)}}
}

// serverTime is the server's processor time, in microseconds, per answered op
// over the whole load phase.
func serverTime(r *results.Run) (float64, float64, bool) {
	answered := r.Whole.Verdicts["committed"] + r.Whole.Verdicts["rejected"]
	if r.Server == nil || r.Server.CPUNS == nil {
		return 0, 0, false
	}
	return float64(*r.Server.CPUNS) / 1000, float64(answered), true
}

// usefulTime is the part of it that went into attempts that were answered,
// if every attempt costs the server the same.
func usefulTime(r *results.Run) (float64, float64, bool) {
	total, answered, ok := serverTime(r)
	if !ok || r.Whole.Attempts == 0 {
		return 0, 0, false
	}
	return total * answered / float64(r.Whole.Attempts), answered, true
}

func serverTimePanel(v *View) theme.Panel {
	series, missing := v.overClients(serverTime)
	p := theme.Panel{
		Title: "Server time per operation", X: v.clientsAxis(),
		Y:      theme.Axis{Label: "µs of server CPU per answered op", Scale: theme.Log},
		Series: series, Notes: v.notDrawn(missing, "for which the server tells no time"),
	}
	if series == nil {
		p.Empty, p.Notes = "The server does not tell its own time.", nil
		return p
	}
	useful, _ := v.overClients(usefulTime)
	for _, s := range useful {
		if w := v.way(s.Way); w != nil && watches(*w) {
			s.Label, s.Stroke = "", theme.Dashed
			p.Series = append(p.Series, s)
		}
	}
	p.Notes = append(p.Notes, "Dashed: the part that went into attempts that were answered; the rest was wasted.")
	return p
}

func (v *View) way(index int) *Way {
	for i := range v.Ways {
		if v.Ways[i].Index == index {
			return &v.Ways[i]
		}
	}
	return nil
}

func exchangesPanel(v *View) theme.Panel {
	series, missing := v.overClients(exchangesPerOp)
	p := theme.Panel{
		Title: "Exchanges per operation", X: v.clientsAxis(),
		Y:      theme.Axis{Label: "network round trips per answered op", Scale: theme.Log, To: 2},
		Series: series, Notes: v.notDrawn(missing, "of which no op was answered"),
	}
	if series == nil {
		p.Empty = "No op was answered."
	}
	return p
}

func costFinding(v *View) string {
	n := v.most()
	way, row := v.best(n, watches)
	if way == nil {
		if invalid := v.onlyInvalid(n, watches); invalid != "" {
			return invalid
		}
		if v.neverRetries() {
			return "No way in this table is ever retried: no work is done in vain"
		}
		return "No WATCH loop in this table"
	}
	p, ok := row.ConflictRate()
	exchanges, answered := row.ExchangesPerOp()
	if !ok || !answered {
		return fmt.Sprintf("At %s no WATCH loop finished an op", verdict.Count(n, "client"))
	}
	return fmt.Sprintf("At %s %.0f %% of the best WATCH loop's attempts are wasted: %s exchanges per op",
		verdict.Count(n, "client"), 100*p, number(exchanges))
}
