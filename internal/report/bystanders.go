package report

import (
	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// bystanders are the columns of a setting with bystanders; none without. The
// rate of paced ones is what they were told to do, and no finding. Their median
// is detail where every row has a p99: it is the slow reads that hurt.
func (s *Setting) bystanders() columnGroup {
	if s.Bystanders == 0 {
		return columnGroup{}
	}
	tail := !s.any(func(row *results.Summary) bool {
		_, ok := row.Bystander.Quantile(0.99)
		return !ok && row.Trials > 0 && !row.Audit.Void()
	})
	names := []column{{"bystander p50", tail}, {"bystander p99", !tail}}
	if s.BystandersClosed {
		names = append(names, column{name: "bystander reads/s"})
	}
	return columnGroup{names, func(row *results.Summary) []string {
		texts := []string{percentile(row.Bystander, 0.5), percentile(row.Bystander, 0.99)}
		if s.BystandersClosed {
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
