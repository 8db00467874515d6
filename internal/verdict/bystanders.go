package verdict

import (
	"fmt"
	"time"

	"rmwbench/internal/model"
	"rmwbench/results"
)

// turnShare is the share of the time that a server must spend in scripts for
// everybody else to wait for a round of them.
const turnShare = 0.9

// bystanders says, of the saturated row with the longest round of scripts, how
// long others waited for their turn, beside what the law of the turn says; ""
// where no row is saturated or nobody was there to feel it.
//
// A single script client leaves the server to others while its replies travel,
// and several servers have a round each: there the law is no law.
func bystanders(rows []results.Summary) string {
	var row *results.Summary
	for i := range rows {
		if r := &rows[i]; saturated(r) && r.Bystander.Count() > 0 && (row == nil || round(r) > round(row)) {
			row = r
		}
	}
	if row == nil {
		return ""
	}
	d := time.Duration(row.ScriptTimeNS)
	text := fmt.Sprintf("Everybody else gets one turn in each round of the scripts: beside %s that keep the server busy with scripts of %v, ",
		clients(row.Clients), d)
	if row.BystandersClosed {
		rate, _ := row.BystanderRate()
		return text + fmt.Sprintf("%s that never rest got %.3g/s together (law: %d/(%d x %v) = %.3g/s).", Count(row.Bystanders, "reader"), rate,
			row.Bystanders, row.Clients, d, model.BystanderLimit(row.Bystanders, row.Clients, d.Seconds()))
	}
	p50, ok := row.Bystander.Quantile(0.5)
	if !ok {
		return ""
	}
	return text + fmt.Sprintf("a read took %.3g ms in the median (law: %v to %v, one to two rounds of %d x %v).", 1e3*p50.Seconds(), round(row), 2*round(row), row.Clients, d)
}

// saturated reports whether scripts keep the row's only server busy.
func saturated(r *results.Summary) bool {
	if r.ScriptTimeNS == 0 || r.Clients < 2 || r.Shards > 1 || r.Elapsed <= 0 {
		return false
	}
	return float64(r.Attempts)*float64(r.ScriptTimeNS) >= turnShare*float64(r.Elapsed)
}

// round is the time in which each client of the row has a script served.
func round(r *results.Summary) time.Duration {
	return time.Duration(r.Clients) * time.Duration(r.ScriptTimeNS)
}
