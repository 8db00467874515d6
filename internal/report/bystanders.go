package report

import (
	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// bystanders are the columns of a setting with bystanders; none without. The
// rate of paced ones is what they were told to do, and no finding. Their median
// is detail: it is the slow reads that hurt.
func bystanders(c results.Cell) columnGroup {
	if c.Bystanders == 0 {
		return columnGroup{}
	}
	names := []column{{"bystander p50", true}, {name: "bystander p99"}}
	if c.BystandersClosed {
		names = append(names, column{name: "bystander reads/s"})
	}
	return columnGroup{names, func(row *results.Summary) []string {
		texts := []string{percentile(row.Bystander, 0.5), percentile(row.Bystander, 0.99)}
		if c.BystandersClosed {
			texts = append(texts, figure("%.0f", 1)(row.BystanderRate()))
		}
		return figuresOf(row, texts...)
	}}
}

// besideOf says in a title who is beside the clients.
func besideOf(c results.Cell) string {
	switch {
	case c.Bystanders == 0:
		return ""
	case c.BystandersClosed:
		return ", " + verdict.Count(c.Bystanders, "bystander") + " reading as fast as they can"
	}
	return ", " + verdict.Count(c.Bystanders, "bystander")
}
