package plots

import (
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
	All.Add("script-time", Chart{
		Summary: "goodput of scripts against the time that they take, with the cap of one server",
		Joins:   func(c *results.Cell) { c.DecisionNS, c.ScriptTimeNS = 0, 0 },
		Draw:    drawScriptTime,
	})
}

// drawScriptTime needs two script times.
func drawScriptTime(v *View) Drawing {
	v = v.decidingOnce()
	if len(scriptTimes(v.Ways)) < 2 && (!v.unmeasured() || len(scriptTimes(v.Predictions)) < 2) {
		return Drawing{}
	}
	return Drawing{Title: scriptTimeFinding(v), Panels: []theme.Panel{scriptTimePanel(v)}}
}

// decidingOnce is the view with one of the rows of a script that differ in their
// decision alone, which is no client's there: the one whose script takes as long
// as the decision, if it is there.
func (v *View) decidingOnce() *View {
	once := func(ways []Way) (all []Way) {
		for _, w := range ways {
			if w.Kind.Scripts {
				var rows []results.Summary
				for _, row := range w.Rows {
					at := slices.IndexFunc(rows, func(r results.Summary) bool {
						return r.Clients == row.Clients && r.ScriptTimeNS == row.ScriptTimeNS
					})
					switch {
					case at < 0:
						rows = append(rows, row)
					case row.DecisionNS == row.ScriptTimeNS:
						rows[at] = row
					}
				}
				w.Rows = rows
			}
			all = append(all, w)
		}
		return all
	}
	reduced := *v
	reduced.Ways, reduced.Predictions = once(v.Ways), once(v.Predictions)
	return &reduced
}

// scripted says whether a row's script takes time.
func scripted(row *results.Summary) bool { return row.ScriptTimeNS > 0 }

// scriptTimes are those that were asked for, ascending, without zero.
func scriptTimes(ways []Way) (all []int64) {
	for _, w := range ways {
		for i := range w.Rows {
			if scripted(&w.Rows[i]) {
				all = append(all, w.Rows[i].ScriptTimeNS)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mostLoads is how many numbers of clients can be told apart in a picture.
const mostLoads = 4

// scriptTimePanel has a line for each way and number of clients. The ends on the
// left, where they are apart, say how many clients.
func scriptTimePanel(v *View) theme.Panel {
	p := theme.Panel{
		X: theme.Axis{Label: "time that the server spends in each script (ms)", Scale: theme.Log},
		Y: theme.Axis{Label: "committed ops per second", Scale: theme.Log},
	}
	loads := spread(clients(slices.Concat(v.Ways, v.Predictions)...), mostLoads)
	var labelled []int // ways
	var missing []string
	for i := len(loads) - 1; i >= 0; i-- {
		at := func(row *results.Summary) (theme.Point, bool) {
			if float64(row.Clients) != loads[i] || !scripted(row) {
				return theme.Point{}, false
			}
			return goodputAt(1e3*v.ScriptTime(row), row)
		}
		for _, w := range v.Ways {
			s := theme.Series{Way: w.Index, Points: w.line(at)}
			for k := range w.Rows {
				row := &w.Rows[k]
				if _, ok := at(row); !ok && float64(row.Clients) == loads[i] && scripted(row) {
					missing = append(missing, report.Who(row.Cell))
				}
			}
			if s.Points == nil {
				continue
			}
			if len(loads) > 1 {
				s.Points[0].Label = verdict.Count(int(loads[i]), "client")
			}
			if !slices.Contains(labelled, w.Index) {
				labelled = append(labelled, w.Index)
				s.Label = w.Label
			}
			p.Series = append(p.Series, s)
		}
		for _, w := range v.Predictions {
			if s := w.dashedLine(at); s.Points != nil {
				if v.way(w.Index) == nil && !slices.Contains(labelled, w.Index) {
					labelled = append(labelled, w.Index)
					s.Label = w.Label
				}
				p.Series = append(p.Series, s)
				p.Notes = []string{dashedNote}
			}
		}
	}
	if p.Series == nil {
		p.Empty = "No script that takes time committed anything."
		return p
	}
	if v.Shards <= 1 {
		cap, note := v.scriptCap(width(p.Series))
		p.Series = append(p.Series, cap)
		p.Notes = append(p.Notes, note)
	}
	if len(loads) > 1 {
		var words []string
		for _, n := range loads {
			words = append(words, fmt.Sprint(n))
		}
		p.Notes = append(p.Notes, "A line for each of "+verdict.Join(words)+" clients.")
	}
	p.Y.To = 2 * highest(p.Series) // room for the numbers of clients
	p.Notes = append(p.Notes, v.notDrawn(missing, idleTrial)...)
	return p
}

// scriptCap is the most scripts that one server can run, over times from .. to in
// milliseconds: 1/d, or 1/(s+d) where the time s that a script takes by itself
// is known.
func (v *View) scriptCap(from, to float64) (theme.Series, string) {
	own, d := v.scriptName()
	line := law("1/"+d, from, to, func(ms float64) float64 { return model.ServerLimit(ms/1e3 + own) })
	if own == 0 {
		return line, "1/d: the most scripts that one server can run, whatever the number of clients, if each takes d."
	}
	return line, fmt.Sprintf("1/(s+d): the most scripts that one server can run, whatever the number of clients, if each takes d besides the s of %s that the server needs for a script without script time.",
		short(own))
}

// scriptName is the server's own time for a script, in seconds, where it is
// known, and how a formula names the whole time of one.
func (v *View) scriptName() (own float64, name string) {
	if own = v.ownTime(); own > 0 {
		return own, "(s+d)"
	}
	return 0, "d"
}

// ownTime is the server's time for an op by a script without script time, in
// seconds: the least of all rows, or 0 where there is none.
func (v *View) ownTime() float64 {
	least := math.Inf(1)
	for _, w := range v.Ways {
		for i := range w.Rows {
			row := &w.Rows[i]
			if at, ok := v.pool(row, serverTime); ok && w.Kind.Scripts && !w.Kind.Control && row.ScriptTimeNS == 0 {
				least = min(least, at.Y/1e6)
			}
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

func scriptTimeFinding(v *View) string {
	if v.unmeasured() {
		return "Nothing was measured here: every line is predicted"
	}
	var most int
	for _, w := range v.Ways {
		for i := range w.Rows {
			if scripted(&w.Rows[i]) && !w.Rows[i].Invalid() {
				most = max(most, w.Rows[i].Clients)
			}
		}
	}
	var brief, long *results.Summary // the best row of the shortest and of the longest script
	better := func(a, b *results.Summary) bool { return b == nil || a.Goodput().Center > b.Goodput().Center }
	times := scriptTimes(v.Ways)
	for _, w := range v.Ways {
		for i := range w.Rows {
			row := &w.Rows[i]
			if row.Clients != most || row.Invalid() {
				continue
			}
			switch row.ScriptTimeNS {
			case times[0]:
				if better(row, brief) {
					brief = row
				}
			case times[len(times)-1]:
				if better(row, long) {
					long = row
				}
			}
		}
	}
	if brief == nil || long == nil {
		return "Goodput of scripts falls with the time that they take"
	}
	return fmt.Sprintf("%s: scripts of %v commit %s/s, scripts of %v %s/s", verdict.Count(most, "client"),
		time.Duration(times[0]), number(brief.Goodput().Center), time.Duration(times[len(times)-1]), number(long.Goodput().Center))
}
