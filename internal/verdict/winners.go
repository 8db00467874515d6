package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rmwbench/results"
)

// winners says who has the highest goodput at the fewest and at the most
// clients, whether that is beyond doubt, and how far behind WATCH is.
func winners(rows []results.Summary) string {
	ends := []int{rows[0].Clients, rows[0].Clients}
	for _, r := range rows {
		ends[0], ends[1] = min(ends[0], r.Clients), max(ends[1], r.Clients)
	}
	var parts []string
	for _, n := range slices.Compact(ends) {
		if s := winner(rows, n); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " ") + watchWins(rows)
}

// ranked lists the rows with that many clients, the highest goodput first.
func ranked(rows []results.Summary, clients int) []results.Summary {
	at := slices.DeleteFunc(slices.Clone(rows), func(s results.Summary) bool { return s.Clients != clients })
	slices.SortStableFunc(at, func(a, b results.Summary) int {
		return cmp.Compare(b.Goodput().Center, a.Goodput().Center)
	})
	return at
}

func winner(rows []results.Summary, n int) string {
	at := ranked(rows, n)
	if len(at) < 2 {
		return ""
	}
	first := at[0]
	var level []string
	behind := -1
	for i, r := range at[1:] {
		if results.Differ(first.Goodputs, r.Goodputs) {
			behind = i + 1
			break
		}
		level = append(level, fmt.Sprintf("%s (%s/s)", Label(r.Cell), rate(r)))
	}
	s := fmt.Sprintf("At %s %s has the highest goodput, %s/s", clients(n), Label(first.Cell), rate(first))
	if len(level) > 0 {
		s += ", not beyond doubt ahead of " + join(level)
	}
	if behind > 0 {
		r := at[behind]
		s += fmt.Sprintf(", beyond doubt %s x %s", factor(first, r), Label(r.Cell))
	}
	if i := slices.IndexFunc(at, func(s results.Summary) bool { return kind(s).Watches }); i > behind && behind > 0 {
		s += fmt.Sprintf(" and %s x the best WATCH, %s (%s/s)", factor(first, at[i]), Label(at[i].Cell), rate(at[i]))
	}
	return s + "."
}

// watchWins says whether there is a number of clients at which WATCH leads.
func watchWins(rows []results.Summary) string {
	if !slices.ContainsFunc(rows, func(s results.Summary) bool { return kind(s).Watches }) ||
		!slices.ContainsFunc(rows, func(s results.Summary) bool { return !kind(s).Watches }) {
		return "" // nothing to compare
	}
	for _, r := range rows {
		if kind(ranked(rows, r.Clients)[0]).Watches {
			return ""
		}
	}
	return " WATCH leads nowhere in this grid."
}

func rate(s results.Summary) string { return fmt.Sprintf("%.0f", s.Goodput().Center) }

func factor(a, b results.Summary) string {
	return fmt.Sprintf("%.1f", a.Goodput().Center/b.Goodput().Center)
}
