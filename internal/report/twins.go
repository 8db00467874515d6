package report

import (
	"fmt"
	"strings"

	"rmwbench/internal/verdict"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// Twins sets side by side what people write by hand although one command does it:
// for each workload that a single command expresses, that command, the best
// script and the best WATCH loop. It is about settings that differ in nothing but
// the workload, at the most clients among their rows.
type Twins struct {
	Title string
	Table Table
	Notes []string // how to read the table, and why there is nothing where it says n/a
}

// hand is a group of ways, of which the best stands in the table.
type hand struct {
	name string
	best string
	is   func(strategies.Kind) bool
}

var hands = [...]hand{
	{"command", "command", func(k strategies.Kind) bool { return k.Command }},
	{"script", "Best script", func(k strategies.Kind) bool { return k.Scripts && !k.Watches }},
	{"WATCH", "Best WATCH loop", func(k strategies.Kind) bool { return k.Watches }},
}

// Twins are the tables of all settings that have two such workloads or more.
func (r *Report) Twins() (all []Twins) {
	var groups [][]*Setting
	index := map[results.Cell]int{}
	for i := range r.Settings {
		s := &r.Settings[i]
		if !s.twin() {
			continue
		}
		alike := s.Cell
		alike.Workload = ""
		g, ok := index[alike]
		if !ok {
			g = len(groups)
			index[alike] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], s)
	}
	for _, group := range groups {
		if len(group) > 1 {
			all = append(all, r.twins(group))
		}
	}
	return all
}

// twin reports whether the setting has something to set beside a command.
func (s *Setting) twin() bool {
	w, err := workloads.All.Get(s.Workload)
	if err != nil {
		return false // of another version
	}
	if _, ok := w.(workloads.Atomic); !ok {
		return false
	}
	has := func(hand int) bool {
		return s.any(func(row *results.Summary) bool { k := kindOf(row.Cell); return !k.Control && hands[hand].is(k) })
	}
	return has(0) && (has(1) || has(2))
}

func kindOf(c results.Cell) strategies.Kind {
	k, _ := strategies.All.Get(c.Strategy) // of another version: neither
	return k
}

// twins makes the table of settings that differ in their workload.
func (r *Report) twins(group []*Setting) Twins {
	clients, interval := 0, "95 % interval"
	all := Setting{Cell: group[0].Cell, Source: group[0].Source, Server: group[0].Server}
	for _, s := range group {
		for i := range s.Rows {
			clients = max(clients, s.Rows[i].Clients)
		}
		all.Rows = append(all.Rows, s.Rows...)
		all.runs = append(all.runs, s.runs...)
	}
	if all.any(func(row *results.Summary) bool {
		return row.Clients == clients && row.Trials > 0 && !row.Goodput().Confident
	}) {
		interval = "least .. most"
	}
	t := Twins{Title: fmt.Sprintf("Twins: one command, a script and the best WATCH loop at %s, the most in this report; %s",
		verdict.Count(clients, "client"), strings.TrimPrefix(all.Title(), all.Workload+" on "))}
	t.Table.Columns = []string{"workload", "command", "command/s (" + interval + ")", "script/s (" + interval + ")", "ratio",
		"WATCH/s (" + interval + ")", "ratio", "command p50", "script p50", "WATCH p50", "exchanges/op of each"}
	t.Table.detail = make([]bool, len(t.Table.Columns))
	t.Table.detail[len(t.Table.detail)-1] = true // exchanges are in the tables of the workloads
	t.Table.Figures = func(column int) bool { return column > 1 }
	t.Notes = []string{"Ratio: goodput as a multiple of the command's; ~ where the difference is not beyond doubt."}
	if text := preparing(group); text != "" {
		t.Notes = append(t.Notes, text)
	}
	best := make([][len(hands)]*results.Summary, len(group))
	var missing []string
	for i, s := range group {
		for h := range hands {
			row, why := r.best(s, hands[h], clients)
			if best[i][h] = row; row == nil {
				missing = append(missing, fmt.Sprintf("n/a, %s of %s: %s.", hands[h].name, s.Workload, why))
			}
		}
		t.Table.Rows = append(t.Table.Rows, twinRow(s.Workload, best[i]))
	}
	for h := 1; h < len(hands); h++ {
		var ways []string
		stands := map[string][]string{} // workloads by way
		for i, s := range group {
			if row := best[i][h]; row != nil {
				way := verdict.Label(row.Cell)
				if stands[way] == nil {
					ways = append(ways, way)
				}
				stands[way] = append(stands[way], s.Workload)
			}
		}
		for i, way := range ways {
			if len(ways) > 1 {
				ways[i] += " for " + verdict.Join(stands[way])
			}
		}
		if ways != nil {
			t.Notes = append(t.Notes, hands[h].best+": "+strings.Join(ways, "; ")+".")
		}
	}
	t.Notes = append(t.Notes, missing...)
	return t
}

// best is the usable row of a group of ways with the highest goodput at that
// many clients, or why there is none.
func (r *Report) best(s *Setting, h hand, clients int) (best *results.Summary, why string) {
	why = r.absent(s.Workload, h)
	for i := range s.Rows {
		row := &s.Rows[i]
		if k := kindOf(row.Cell); !h.is(k) || k.Control || row.Clients != clients {
			continue
		}
		switch {
		case row.Audit.Void():
			why = "the audit found its updates wrong"
		case row.Trials == 0:
			why = "no trial was finished"
		case row.Committed == 0:
			why = "nothing was committed"
		case row.Invalid():
			why = "the row is invalid, the tool itself used the cores"
		case best == nil || row.Goodput().Center > best.Goodput().Center:
			best = row
		}
	}
	return best, why
}

// absent is why a group of ways has no row for a workload: no way can do it, or
// none was asked for.
func (r *Report) absent(workload string, h hand) string {
	for _, header := range r.main() {
		for _, n := range header.NA {
			if k, err := strategies.All.Get(n.Strategy); err == nil && h.is(k) && n.Workload == workload {
				return n.Reason
			}
		}
	}
	return "not run with so many clients"
}

// commandOf is a workload's command, and the one that prepares its next op where
// that is another.
func commandOf(workload string) (command, prepares string) {
	w, _ := workloads.All.Get(workload)
	command, prepares, _ = strings.Cut(w.(workloads.Atomic).Form(), "; ")
	return command, prepares
}

// preparing says which ops of the workloads take another command, or "".
func preparing(group []*Setting) string {
	var words []string
	for _, s := range group {
		if _, prepares := commandOf(s.Workload); prepares != "" {
			words = append(words, prepares+" ("+s.Workload+")")
		}
	}
	if words == nil {
		return ""
	}
	return "Ops that renew the state take another command: " + strings.Join(words, "; ") + "."
}

// twinRow is the line of a workload.
func twinRow(workload string, best [len(hands)]*results.Summary) []string {
	command, _ := commandOf(workload)
	row := []string{workload, command}
	for h, s := range best {
		row = append(row, goodputCell(s))
		if h > 0 {
			row = append(row, ofCommand(s, best[0]))
		}
	}
	for _, s := range best {
		row = append(row, orNone(s, func() string { return atLeast(s, 0.5) }))
	}
	var exchanges []string
	for _, s := range best {
		exchanges = append(exchanges, orNone(s, func() string { return figure("%.2f", 1)(s.ExchangesPerOp()) }))
	}
	return append(row, strings.Join(exchanges, " / "))
}

func orNone(s *results.Summary, text func() string) string {
	if s == nil {
		return "n/a"
	}
	return text()
}

func goodputCell(s *results.Summary) string {
	return orNone(s, func() string {
		g := s.Goodput()
		return fmt.Sprintf("%.0f (%.0f .. %.0f)", g.Center, g.Lo, g.Hi)
	})
}

// ofCommand is a row's goodput as a multiple of the command's.
func ofCommand(s, command *results.Summary) string {
	if s == nil || command == nil {
		return "n/a"
	}
	text := fmt.Sprintf("%.2f", s.Goodput().Center/command.Goodput().Center)
	if !results.Differ(s.Goodputs, command.Goodputs) {
		return "~" + text
	}
	return text
}
