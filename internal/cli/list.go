package cli

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"rmwbench/contention"
	"rmwbench/plots"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// listCmd shows what there is to combine.
type listCmd struct{}

// Run prints the tables.
func (listCmd) Run(s *session) error {
	fmt.Fprintln(s.out, "Strategies (run -t NAME,... or a group; a control loses updates on purpose)")
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

	fmt.Fprintln(s.out, "\nWorkloads (run --workload NAME,...)")
	t = newTable("workload", "what an operation does", "script", "single command")
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
		t.AppendRow(table.Row{name, w.Summary(), script, command})
	}
	fmt.Fprintln(s.out, t.Render())

	fmt.Fprintln(s.out, "\nStrategies x workloads")
	t = newTable(append([]string{"strategy"}, workloads.All.Names()...)...)
	for _, name := range strategies.All.Names() {
		k, _ := strategies.All.Get(name)
		row := table.Row{name}
		for _, workload := range workloads.All.Names() {
			w, _ := workloads.All.Get(workload)
			cell := "yes"
			if k.NotApplicable(w, strategies.Facts{}) != "" {
				cell = "n/a"
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(s.out, t.Render())

	fmt.Fprintln(s.out, "\nDistributions (run --dist NAME,...)")
	t = newTable("distribution", "how ops are spread over keys")
	for _, name := range contention.Dists.Names() {
		d, _ := contention.Dists.Get(name)
		t.AppendRow(table.Row{name, d.Summary})
	}
	fmt.Fprintln(s.out, t.Render())

	fmt.Fprintln(s.out, "\nBack-offs (run --backoff NAME,...), n = failures so far")
	t = newTable("back-off", "wait before the next attempt")
	for _, name := range contention.Backoffs.Names() {
		b, _ := contention.Backoffs.Get(name)
		t.AppendRow(table.Row{name, b.Summary})
	}
	fmt.Fprintln(s.out, t.Render())

	fmt.Fprintln(s.out, "\nCharts (in the report of run and plot)")
	t = newTable("chart", "what it shows")
	for _, name := range plots.All.Names() {
		c, _ := plots.All.Get(name)
		t.AppendRow(table.Row{name, c.Summary})
	}
	fmt.Fprintln(s.out, t.Render())
	return nil
}
