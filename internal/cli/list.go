package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"rmwbench/contention"
	"rmwbench/internal/fault"
	"rmwbench/internal/profile"
	"rmwbench/internal/registry"
	"rmwbench/plots"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// listCmd shows what there is to combine.
type listCmd struct{}

// Run prints the tables.
func (listCmd) Run(s *session) error {
	fmt.Fprintln(s.out, "Strategies (-t NAME,... or a group; a control is wrong on purpose)")
	t := newTable("strategy", "group", "what it does")
	for _, name := range strategies.All.Names() {
		k, _ := strategies.All.Get(name)
		group := k.Group
		if k.Control && group == "" {
			group = "control"
		}
		t.AppendRow(table.Row{name, group, k.Summary})
	}
	fmt.Fprintln(s.out, t.Render())

	fmt.Fprintln(s.out, "\nWorkloads (--workload NAME,...)")
	t = newTable("workload", "group", "what an operation does", "script", "single command")
	for _, name := range workloads.All.Names() {
		w, _ := workloads.All.Get(name)
		script, command := "n/a", "n/a"
		if sw, ok := w.(workloads.Scripted); ok {
			script = sw.Script().Name + ".lua"
		}
		if a, ok := w.(workloads.Atomic); ok {
			command = a.Form()
		} else if n, ok := w.(workloads.NotAtomic); ok {
			command = "n/a: " + n.NotAtomic()
		}
		t.AppendRow(table.Row{name, workloads.GroupOf(w), w.Summary(), script, command})
	}
	fmt.Fprintln(s.out, t.Render())

	wrong := func(name string) bool { k, _ := strategies.All.Get(name); return k.Group != "" }
	fmt.Fprintln(s.out, "\nWorkloads x strategies (those of a group, which read nothing first: atomic, steps and strategies with tokens)")
	matrix(s, slices.DeleteFunc(strategies.All.Names(), wrong))
	bugs, _ := strategies.Select(strategies.GroupBugs)
	fmt.Fprintln(s.out, "\nWorkloads x bugs")
	matrix(s, bugs)

	summaries(s, "Distributions (--dist NAME,...)", "distribution", "how ops are spread over keys",
		contention.Dists, func(d contention.Distribution) string { return d.Summary })
	summaries(s, "Back-offs (--backoff NAME,...), n = failures so far", "back-off", "wait before the next attempt",
		contention.Backoffs, func(b contention.BackoffKind) string { return b.Summary })
	summaries(s, "Profiles (simulate --profile NAME)", "profile", "what it is of",
		profile.All, func(p profile.Profile) string { return strings.TrimSuffix(p.Name+", "+p.Measured, ", ") })
	fmt.Fprintln(s.out, "\nRetry designs (faults NAME,...)")
	t = newTable("design", "group", "what the client does")
	for _, name := range fault.ByGroup() {
		d, _ := fault.Designs.Get(name)
		t.AppendRow(table.Row{name, d.Group, d.Summary})
	}
	fmt.Fprintln(s.out, t.Render())
	summaries(s, "Charts (in the report of run, simulate and plot)", "chart", "what it shows",
		plots.All, func(c plots.Chart) string { return c.Summary })
	return nil
}

// matrix prints which workloads which strategies can do. Long heads take two
// lines.
func matrix(s *session, names []string) {
	head := []string{"workload"}
	for _, name := range names {
		head = append(head, strings.ReplaceAll(name, "-", "-\n"))
	}
	t := newTable(head...)
	for _, name := range workloads.Ungrouped() {
		w, _ := workloads.All.Get(name)
		row := table.Row{name}
		for _, strategy := range names {
			k, _ := strategies.All.Get(strategy)
			cell := "yes"
			if k.NotApplicable(w, strategies.Facts{}) != "" {
				cell = "n/a"
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(s.out, t.Render())
}

// summaries prints a table of names and what they stand for.
func summaries[T any](s *session, title, name, what string, all *registry.Table[T], summary func(T) string) {
	fmt.Fprintf(s.out, "\n%s\n", title)
	t := newTable(name, what)
	for _, n := range all.Names() {
		item, _ := all.Get(n)
		t.AppendRow(table.Row{n, summary(item)})
	}
	fmt.Fprintln(s.out, t.Render())
}
