package report

import (
	"cmp"
	"fmt"
	"slices"

	"rmwbench/internal/goal"
	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// Goal is what was wanted of the loads, empty if nothing was.
func (r *Report) Goal() goal.Goal {
	for _, h := range r.main() {
		if g, err := goal.Parse(h.Goal); err == nil {
			return g
		}
	}
	return nil
}

// Missed reports whether some load that was stated misses the goal.
func (r *Report) Missed() bool {
	g := r.Goal()
	if g == nil || r.Planned() == 0 { // none, or searched for
		return false
	}
	return r.any(func(row *results.Summary) bool {
		a, _ := g.Judge(row)
		return a == goal.Missed
	})
}

// Unjudged says which stated load cannot be held against the goal, and why, or
// "".
func (r *Report) Unjudged() (text string) {
	g := r.Goal()
	if g == nil || r.Planned() == 0 {
		return ""
	}
	r.any(func(row *results.Summary) bool {
		if a, why := g.Judge(row); a == goal.Unknown || a == goal.Untold {
			text = fmt.Sprintf("the goal %s cannot be judged for %s: %s", g, Who(row.Cell), why)
		}
		return text != ""
	})
	return text
}

// Goals says of every way up to how many clients it meets the goal.
func (s *Setting) Goals(g goal.Goal) (lines []string) {
	if g == nil {
		return nil
	}
	var said []string
	for i := range s.Rows {
		label := verdict.Label(s.Rows[i].Cell)
		if slices.Contains(said, label) {
			continue
		}
		said = append(said, label)
		lines = append(lines, s.reach(g, label))
	}
	return lines
}

// reach is the sentence for one way: the largest load that meets the goal,
// below the first that misses it.
func (s *Setting) reach(g goal.Goal, label string) string {
	var rows []*results.Summary
	for i := range s.Rows {
		if verdict.Label(s.Rows[i].Cell) == label {
			rows = append(rows, &s.Rows[i])
		}
	}
	slices.SortFunc(rows, func(a, b *results.Summary) int { return cmp.Compare(a.Clients, b.Clients) })
	var best *results.Summary
	missed, unknown := "", ""
	for _, row := range rows {
		switch a, why := g.Judge(row); a {
		case goal.Met:
			best = row
		case goal.Missed:
			missed = fmt.Sprintf("at %s %s", verdict.Count(row.Clients, "client"), why)
		default:
			unknown = fmt.Sprintf("at %s %s", verdict.Count(row.Clients, "client"), why)
		}
		if missed != "" {
			break
		}
	}
	end := cmp.Or(missed, "no larger load was tried")
	switch {
	case best == nil && missed == "":
		return fmt.Sprintf("Goal %s: %s cannot be judged: %s.", g, label, unknown)
	case best == nil:
		return fmt.Sprintf("Goal %s: %s does not meet it: %s.", g, label, end)
	}
	at := fmt.Sprintf("%.0f/s", best.Goodput().Center)
	if l, ok := s.LoadNumber(best); ok {
		at += fmt.Sprintf(", load number of the hottest key %.2g", l)
	}
	if load, ok := best.ServerLoad(); ok {
		at += fmt.Sprintf(", the server's thread busy %.0f %% of the time", 100*load)
	}
	return fmt.Sprintf("Goal %s: %s meets it up to %s (%s); %s.", g, label, verdict.Count(best.Clients, "client"), at, end)
}
