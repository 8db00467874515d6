package report

import (
	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// bystanders are the columns of a setting with bystanders; none without. The
// rate of paced ones is what they were told to do, and no finding.
func bystanders(c results.Cell) columnGroup {
	switch {
	case c.Bystanders == 0:
		return columnGroup{}
	case c.BystandersClosed:
		return columnGroup{[]string{"bystander p50", "bystander p99", "bystander reads/s"}, func(row *results.Summary) []string {
			return append(waited(row), figureOf(row, figure("%.0f", 1)(row.BystanderRate())))
		}}
	}
	return columnGroup{[]string{"bystander p50", "bystander p99"}, waited}
}

// waited is how long bystanders waited for their reads.
func waited(row *results.Summary) []string {
	return []string{figureOf(row, percentile(row.Bystander, 0.5)), figureOf(row, percentile(row.Bystander, 0.99))}
}

// figureOf is a figure of a row, if the row has figures.
func figureOf(row *results.Summary, text string) string {
	switch {
	case row.Audit.Void():
		return "void"
	case row.Trials == 0:
		return "-"
	}
	return text
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
