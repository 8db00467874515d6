package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rmwbench/results"
)

// winners says who has the highest goodput at the fewest and at the most
// clients, whether that is beyond doubt, and how far behind WATCH is. Ways that
// decide in no time are left out where others do not.
func winners(rows []results.Summary) string {
	rows, instant := peers(rows)
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
	if s := watchLeads(rows, ends[0], ends[1]); s != "" {
		parts = append(parts, s)
	}
	if len(parts) > 0 && instant != nil {
		decide := "decides"
		if len(instant) > 1 {
			decide = "decide"
		}
		parts = append(parts, fmt.Sprintf("Compared are the ways whose decision takes time; %s %s in none.", Join(instant), decide))
	}
	return strings.Join(parts, " ")
}

// ranked lists the rows with that many clients, the highest goodput first.
func ranked(rows []results.Summary, clients int) []results.Summary {
	at := slices.DeleteFunc(slices.Clone(rows), func(s results.Summary) bool { return s.Clients != clients })
	slices.SortStableFunc(at, func(a, b results.Summary) int {
		return cmp.Compare(b.Goodput().Center, a.Goodput().Center)
	})
	return at
}

// winner says who has the highest goodput at n clients: which rows it is not
// beyond doubt ahead of, the next one that it is, and the best WATCH loop if
// that comes later still.
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
		level = append(level, fmt.Sprintf("%s (%s)", Label(r.Cell), rate(r)))
	}
	s := fmt.Sprintf("At %s %s has the highest goodput, %s", clients(n), Label(first.Cell), rate(first))
	if behind < 0 && len(level) > 2 {
		return s + fmt.Sprintf(", not beyond doubt ahead of any other (down to %s).", rate(at[len(at)-1]))
	}
	if len(level) > 0 {
		s += ", not beyond doubt ahead of " + Join(level)
	}
	if behind < 0 {
		return s + "."
	}
	if len(level) > 0 {
		s += ", but"
	} else {
		s += ","
	}
	s += " beyond doubt " + ahead(first, at[behind], "")
	if i := slices.IndexFunc(at, func(s results.Summary) bool { return kind(s).Watches }); i > behind {
		s += " and "
		if !results.Differ(first.Goodputs, at[i].Goodputs) {
			s += "not beyond doubt "
		}
		s += ahead(first, at[i], "the best WATCH loop, ")
	}
	return s + "."
}

// ahead says how far a is ahead of b, which is introduced by what it is.
func ahead(a, b results.Summary, what string) string {
	who := fmt.Sprintf("%s%s (%s)", what, Label(b.Cell), rate(b))
	x, y := a.Goodput().Center, b.Goodput().Center
	if y <= 0 || x/y < 1.1 {
		return "ahead of " + who // there is no factor, or the rates say it better
	}
	return fmt.Sprintf("%.1f times that of %s", x/y, who)
}

// watchLeads names the numbers of clients between the ends at which a WATCH
// loop has the highest goodput, or says that there are none at all.
func watchLeads(rows []results.Summary, fewest, most int) string {
	watches := func(s results.Summary) bool { return kind(s).Watches }
	other := func(s results.Summary) bool { return !kind(s).Watches }
	if !slices.ContainsFunc(rows, watches) {
		return ""
	}
	leads := false
	var between []int
	for _, r := range rows {
		at := ranked(rows, r.Clients)
		if !watches(at[0]) {
			continue
		}
		leads = true
		if r.Clients != fewest && r.Clients != most && slices.ContainsFunc(at, other) {
			between = append(between, r.Clients)
		}
	}
	if !leads {
		return "WATCH leads nowhere in this table."
	}
	slices.Sort(between)
	var numbers []string
	for _, n := range slices.Compact(between) {
		numbers = append(numbers, strconv.Itoa(n))
	}
	if len(numbers) == 0 {
		return "" // the ends have been told
	}
	return "In between, a WATCH loop has the highest goodput at " + Join(numbers) + " clients."
}

// rate is a row's goodput with its unit.
func rate(s results.Summary) string {
	g := s.Goodput().Center
	if g < 10 {
		return fmt.Sprintf("%.1f/s", g)
	}
	return fmt.Sprintf("%.0f/s", g)
}
