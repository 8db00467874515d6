package cli

import (
	"fmt"
	"io"
	"slices"
	"time"

	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// report is what a verb prints of the runs it made.
type report struct {
	header results.Header
	runs   []results.Run
	rows   []results.Summary
}

func newReport(header results.Header, runs []results.Run) *report {
	return &report{header: header, runs: runs, rows: results.Summaries(header.Cells, runs)}
}

// planned is the number of trials that were to be run.
func (r *report) planned() int { return r.header.Trials * len(r.header.Cells) }

// whole is the number of trials that were.
func (r *report) whole() (n int) {
	for _, row := range r.rows {
		n += row.Trials
	}
	return n
}

// void reports whether some row may not be used.
func (r *report) void() bool {
	for i := range r.rows {
		if r.rows[i].Audit.Void() {
			return true
		}
	}
	return false
}

// dead says which cell measured nothing because every op failed, or "".
func (r *report) dead() string {
	for i := range r.rows {
		row := &r.rows[i]
		if row.Dead() {
			s := fmt.Sprintf("every op of %s with %d clients failed", verdict.Label(row.Cell), row.Clients)
			if len(row.Warnings) > 0 {
				s += ": " + row.Warnings[0]
			}
			return s
		}
	}
	return ""
}

// settings groups the rows by what their table has in common, in plan order.
func (r *report) settings() (groups [][]results.Summary) {
	index := map[results.Cell]int{}
	for _, row := range r.rows {
		s := row.Setting()
		i, ok := index[s]
		if !ok {
			i = len(groups)
			index[s] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], row)
	}
	return groups
}

// text prints everything for a reader; brief leaves only tables and what makes
// their rows void.
func (r *report) text(w io.Writer, brief bool) {
	if r.whole() == 0 && !r.void() {
		return // no figure was measured
	}
	if !brief {
		fmt.Fprintln(w, r.about())
	}
	local := r.header.Server.Started
	for _, rows := range r.settings() {
		reached := slices.DeleteFunc(slices.Clone(rows), func(s results.Summary) bool { return s.Trials+s.Partial == 0 })
		fmt.Fprintf(w, "\n%s\n", r.setting(rows))
		fmt.Fprintln(w, resultTable(reached).Render())
		if n := len(rows) - len(reached); n > 0 {
			fmt.Fprintf(w, "%d of %d cells were not reached.\n", n, len(rows))
		}
		for _, line := range remarks(rows) {
			fmt.Fprintln(w, line)
		}
		if brief {
			continue
		}
		for _, sentence := range verdict.Sentences(rows, local) {
			fmt.Fprintln(w, sentence)
		}
	}
	if brief {
		return
	}
	if line := r.witness(); line != "" {
		fmt.Fprintf(w, "\n%s\n", line)
	}
	for _, n := range r.header.NA {
		fmt.Fprintf(w, "%s x %s: n/a, %s.\n", n.Strategy, n.Workload, n.Reason)
	}
}

// witness says whether the server's own counts of commands bear ours out.
func (r *report) witness() string {
	var agree, differ int
	for i := range r.runs {
		run := &r.runs[i]
		switch {
		case !run.Witnessed():
		case len(run.Disagreements()) > 0:
			differ++
		default:
			agree++
		}
	}
	switch {
	case agree == 0 && differ == 0:
		return "Witness: none; the server keeps no counts of commands, or replies were lost."
	case differ == 0:
		return fmt.Sprintf("Witness: the server's own counts of commands equal ours in all %d trials.", agree)
	}
	return fmt.Sprintf("Witness: the server's own counts of commands differ from ours in %d of %d trials.", differ, agree+differ)
}

// about says what was run on what.
func (r *report) about() string {
	h := r.header
	s := fmt.Sprintf("rmwbench %s on %s, ping %s, RESP%d, %d cores (%s)\n",
		h.Version, serverName(h.Server), short(time.Duration(h.Server.PingNS)), h.Server.Protocol,
		h.Environment.Cores, h.Environment.CPU)
	s += fmt.Sprintf("closed loop, %d trials of %s, seed %d", h.Trials, length(h), h.Seed)
	if h.Server.Embedded {
		s += "\n" + embeddedWarning
	}
	return s
}

const embeddedWarning = "EMBEDDED SERVER: it shows shapes only. Its scripts run in a Go interpreter, so its ranking of strategies is not Redis's."

func serverName(f results.ServerFacts) string {
	s := f.Product
	if f.Version != "" {
		s += " " + f.Version
	}
	switch {
	case f.Embedded:
		return s + " (embedded)"
	case f.Started:
		return s + " (throw-away)"
	}
	return s + " at " + f.Address
}

func length(h results.Header) string {
	switch {
	case h.Ops > 0 && h.DurationNS > 0:
		return fmt.Sprintf("%d ops or %v", h.Ops, time.Duration(h.DurationNS))
	case h.Ops > 0:
		return fmt.Sprintf("%d ops", h.Ops)
	}
	return fmt.Sprintf("%v after %v of warm-up", time.Duration(h.DurationNS), time.Duration(h.WarmupNS))
}

// setting says what all rows of a table have in common.
func (r *report) setting(rows []results.Summary) string {
	c := rows[0].Cell
	keys := "1 key"
	if c.Keys > 1 {
		keys = fmt.Sprintf("%d keys, %s", c.Keys, c.Dist)
		switch {
		case c.Hot != "":
			keys += " " + c.Hot
		case c.Skew != 0:
			keys += fmt.Sprintf(" %v", c.Skew)
		}
	}
	s := fmt.Sprintf("%s on %s", c.Workload, keys)
	s += ", network delay " + asked(c.RTTNS, rows, func(a results.Achieved) *results.Spread { return a.RTTNS }, r.runs)
	if c.DecisionNS > 0 {
		s += ", decision " + asked(c.DecisionNS, rows, func(a results.Achieved) *results.Spread { return a.DecisionNS }, r.runs) +
			" by the client (a script or single command decides in no time)"
	}
	if c.ThinkNS > 0 {
		s += fmt.Sprintf(", think %v", time.Duration(c.ThinkNS))
	}
	if r.header.Server.Embedded {
		s += ", EMBEDDED SERVER"
	}
	return s
}

// asked is an injected time as asked for, and what it came to: the range over
// the cells of the table of their trials' medians.
func asked(ns int64, rows []results.Summary, which func(results.Achieved) *results.Spread, runs []results.Run) string {
	if ns == 0 {
		return "none injected"
	}
	setting := rows[0].Setting()
	var lo, hi int64
	for i := range runs {
		s := which(runs[i].Achieved)
		if s == nil || runs[i].Setting() != setting {
			continue
		}
		if lo == 0 || s.P50 < lo {
			lo = s.P50
		}
		hi = max(hi, s.P50)
	}
	if hi == 0 {
		return time.Duration(ns).String()
	}
	return fmt.Sprintf("%v (achieved %s to %s)", time.Duration(ns), short(time.Duration(lo)), short(time.Duration(hi)))
}
