package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"rmwbench/internal/model"
	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

func init() {
	All.Add("crossing", Chart{
		Summary: "goodput of WATCH loops and of scripts as the decision grows, which clients or the server take, for each number of keys",
		Joins:   func(c *results.Cell) { c.DecisionNS, c.ScriptTimeNS, c.Keys = 0, 0, 0 },
		Draw:    drawCrossing,
	})
}

// mostKeys is how many numbers of keys have a panel.
const mostKeys = 4

// drawCrossing needs two decisions that both WATCH loops and scripts took.
func drawCrossing(v *View) Drawing {
	duels := v.duels()
	if len(duels) == 0 {
		return Drawing{}
	}
	d := Drawing{Title: crossingFinding(duels)}
	for _, duel := range spread(duels, mostKeys) {
		d.Panels = append(d.Panels, duel.panel(v))
	}
	if len(d.Panels) == mostKeys {
		d.Columns = mostKeys / 2
	}
	return d
}

// duel is WATCH loops against scripts on one number of keys, at the most clients.
type duel struct {
	*report.Setting // one of those with that number of keys
	clients         int
	decisions       []decision
}

// decision is one that both took. Rows are the best of their kind.
type decision struct {
	asked           int64            // nanoseconds
	optimist, other *results.Summary // a WATCH loop and a script
	x               [2]float64       // what it came to, milliseconds: of the WATCH loop, of the script
}

// duels lists those with two decisions at least, by number of keys.
func (v *View) duels() (all []duel) {
	parts := slices.Clone(v.Parts)
	slices.SortStableFunc(parts, func(a, b *report.Setting) int { return a.Keys - b.Keys })
	for _, part := range parts {
		if n := len(all); n > 0 && all[n-1].Keys == part.Keys {
			continue
		}
		d := duel{Setting: part}
		for _, w := range v.Ways {
			for i := range w.Rows {
				if row := &w.Rows[i]; row.Keys == part.Keys && v.duelling(w, row) {
					d.clients = max(d.clients, row.Clients)
				}
			}
		}
		if d.decide(v); len(d.decisions) >= 2 {
			all = append(all, d)
		}
	}
	return all
}

// duelling says whether a row takes part: a WATCH loop whose clients take time to
// decide, or a script that takes as long.
func (v *View) duelling(w Way, row *results.Summary) bool {
	switch {
	case w.Kind.Control || row.DecisionNS == 0:
		return false
	case w.Kind.Watches:
		return true
	}
	return w.Kind.Scripts && row.ScriptTimeNS == row.DecisionNS
}

// decide finds the best rows of each decision that both kinds took, invalid ones
// aside.
func (d *duel) decide(v *View) {
	for _, w := range v.Ways {
		for i := range w.Rows {
			row := &w.Rows[i]
			if row.Keys != d.Keys || row.Clients != d.clients || row.Invalid() || !v.duelling(w, row) {
				continue
			}
			at := slices.IndexFunc(d.decisions, func(o decision) bool { return o.asked == row.DecisionNS })
			if at < 0 {
				at = len(d.decisions)
				d.decisions = append(d.decisions, decision{asked: row.DecisionNS})
			}
			best := &d.decisions[at].other
			if w.Kind.Watches {
				best = &d.decisions[at].optimist
			}
			if *best == nil || row.Goodput().Center > (*best).Goodput().Center {
				*best = row
			}
		}
	}
	for i := range d.decisions {
		if o := &d.decisions[i]; o.optimist != nil && o.other != nil {
			o.x = [2]float64{1e3 * v.taken(o.optimist), 1e3 * v.taken(o.other)}
		}
	}
	d.decisions = slices.DeleteFunc(d.decisions, func(o decision) bool { // what no logarithm has a place for, too
		return o.optimist == nil || o.other == nil || min(o.x[0], o.x[1], o.optimist.Goodput().Lo, o.other.Goodput().Lo) <= 0
	})
	slices.SortFunc(d.decisions, func(a, b decision) int { return cmp.Compare(a.asked, b.asked) })
}

// taken is the time that a row's decisions took, by the client or in the script,
// in seconds.
func (v *View) taken(row *results.Summary) float64 {
	if scripted(row) {
		return v.ScriptTime(row)
	}
	return v.Decision(row)
}

// panel shows all ways that take part, and where WATCH gets ahead.
func (d *duel) panel(v *View) theme.Panel {
	p := theme.Panel{
		Title: verdict.Count(d.Keys, "key") + ", " + verdict.Count(d.clients, "client"),
		X:     theme.Axis{Label: "decision, by the client or in the script (ms)", Scale: theme.Log},
		Y:     theme.Axis{Label: "committed ops per second", Scale: theme.Log},
	}
	spotOf := func(w Way) spot {
		return func(row *results.Summary) (theme.Point, bool) {
			if row.Keys != d.Keys || row.Clients != d.clients || !v.duelling(w, row) {
				return theme.Point{}, false
			}
			return goodputAt(1e3*v.taken(row), row)
		}
	}
	won := d.won()
	var missing []string
	for _, w := range v.Ways {
		points := w.line(spotOf(w))
		for i := range w.Rows {
			row := &w.Rows[i]
			if _, ok := spotOf(w)(row); !ok && row.Keys == d.Keys && row.Clients == d.clients && v.duelling(w, row) {
				missing = append(missing, fmt.Sprintf("%s at %v", w.Label, time.Duration(row.DecisionNS)))
			}
		}
		if points == nil {
			continue
		}
		if won != nil && won.optimist.Strategy == w.Rows[0].Strategy && won.optimist.Backoff == w.Rows[0].Backoff {
			for i := range points {
				if points[i].X == won.x[0] {
					points[i].Label = number(won.factor()) + " times"
				}
			}
		}
		p.Series = append(p.Series, theme.Series{Label: w.Label, Way: w.Index, Points: points})
	}
	for _, w := range v.Predictions {
		if s := w.dashedLine(spotOf(w)); s.Points != nil {
			p.Series = append(p.Series, s)
			p.Notes = []string{dashedNote}
		}
	}
	if p.Series == nil {
		p.Empty = "Nothing was committed."
		return p
	}
	p.Notes = append(p.Notes, v.notDrawn(missing, idleTrial)...)
	p.Notes = append(p.Notes, d.measured(&p))
	if note := d.modelled(&p); note != "" {
		p.Notes = append(p.Notes, note)
	}
	return p
}

// ahead says whether the WATCH loop commits more than the script.
func (o *decision) ahead() bool { return o.factor() > 1 }

// factor is how many times as much as the script the WATCH loop commits.
func (o *decision) factor() float64 { return o.optimist.Goodput().Center / o.other.Goodput().Center }

// sure says whether that is beyond doubt.
func (o *decision) sure() bool { return results.Differ(o.optimist.Goodputs, o.other.Goodputs) }

// won is the decision at which WATCH is furthest ahead beyond doubt; nil if it
// is nowhere.
func (d *duel) won() (most *decision) {
	for i := range d.decisions {
		if o := &d.decisions[i]; o.ahead() && o.sure() && (most == nil || o.factor() > most.factor()) {
			most = o
		}
	}
	return most
}

// crossing is where the best WATCH loop gets ahead of the best script for good,
// in milliseconds, on straight lines between points; ok is false where it is
// ahead all along, or not beyond doubt at the end.
func (d *duel) crossing() (x float64, ok bool) {
	for i := 1; i < len(d.decisions); i++ {
		a, b := &d.decisions[i-1], &d.decisions[i]
		if a.ahead() || !b.ahead() {
			continue
		}
		from, to := math.Log(a.factor()), math.Log(b.factor())
		share := from / (from - to)
		middle := func(o *decision) float64 { return (math.Log(o.x[0]) + math.Log(o.x[1])) / 2 }
		x, ok = math.Exp(middle(a)+share*(middle(b)-middle(a))), true
	}
	last := &d.decisions[len(d.decisions)-1]
	return x, ok && last.ahead() && last.sure()
}

// measured marks the crossing in a panel and says it.
func (d *duel) measured(p *theme.Panel) string {
	source := "measured"
	if d.Source == results.SourceSimulated {
		source = "simulated"
	}
	first, last := &d.decisions[0], &d.decisions[len(d.decisions)-1]
	if x, ok := d.crossing(); ok {
		p.Marks = append(p.Marks, theme.Mark{Value: x, Vertical: true, Label: source + " " + short(x/1e3)})
		return fmt.Sprintf("WATCH gets ahead at %s, on straight lines between points.", short(x/1e3))
	}
	switch {
	case d.won() == nil && slices.ContainsFunc(d.decisions, func(o decision) bool { return o.ahead() }):
		return "WATCH is ahead here and there, and nowhere beyond doubt."
	case first.ahead() && last.ahead():
		return fmt.Sprintf("WATCH is ahead from the shortest decision on that was %s.", source)
	case slices.ContainsFunc(d.decisions, func(o decision) bool { return o.ahead() }):
		return "WATCH is ahead in between only."
	}
	return "WATCH is ahead nowhere in this panel."
}

// modelled marks in a panel where the model lets WATCH get ahead, and says it; ""
// where it has not got what it needs.
func (d *duel) modelled(p *theme.Panel) string {
	keys, known := d.Popularity()
	command, told := d.Command()
	if !known || !told || d.Rate > 0 || d.Shards > 1 {
		return ""
	}
	from, ok := model.Crossing(keys[0].Mass, d.RoundTrip(), command)
	if !ok {
		return "Model: never on one key, where 1/q1 = 1."
	}
	p.Marks = append(p.Marks, theme.Mark{Value: 1e3 * from, Vertical: true, Label: "model " + short(from)})
	return fmt.Sprintf("Model, many clients: ahead from %s on, where 1/q1 > (R+d+3s)/(s+d) and d > 4s; 1/q1 = %s, R = %s, s = %s.",
		short(from), number(1/keys[0].Mass), short(d.RoundTrip()), short(command))
}

func crossingFinding(duels []duel) string {
	var in *duel
	var most *decision
	ahead := false
	for i := range duels {
		d := &duels[i]
		if won := d.won(); won != nil && (most == nil || won.factor() > most.factor()) {
			in, most = d, won
		}
		ahead = ahead || slices.ContainsFunc(d.decisions, func(o decision) bool { return o.ahead() })
	}
	switch {
	case most == nil && ahead:
		return "WATCH is ahead of the best script in some cells, but in none beyond doubt"
	case most == nil:
		return "WATCH is ahead of the best script in none of these cells"
	}
	s := fmt.Sprintf("On %s WATCH wins: %s/s against %s/s at %v of decision",
		verdict.Count(in.Keys, "key"), number(most.optimist.Goodput().Center), number(most.other.Goodput().Center), time.Duration(most.asked))
	if first := &duels[0]; !slices.ContainsFunc(first.decisions, func(o decision) bool { return o.ahead() }) {
		s += fmt.Sprintf("; on %s in no cell", verdict.Count(first.Keys, "key"))
	}
	return s
}
