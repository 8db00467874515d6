package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rmwbench/results"
)

// oneRetry is the number of attempts per answered op at which a WATCH loop
// does as much work in vain as to a purpose.
const oneRetry = 2

// retries says between which numbers of clients each WATCH loop passes one
// retry per success. Loops with the same answer share a clause.
func retries(rows []results.Summary) string {
	type design struct {
		strategy, backoff string
		tries             int
	}
	var order []design
	byDesign := map[design][]results.Summary{}
	for _, r := range rows {
		if !kind(r).Watches {
			continue
		}
		d := design{r.Strategy, r.Backoff, r.MaxTries}
		if byDesign[d] == nil {
			order = append(order, d)
		}
		byDesign[d] = append(byDesign[d], r)
	}
	var clauses []string
	labels := map[string][]string{}
	for _, d := range order {
		loop := byDesign[d]
		slices.SortFunc(loop, func(a, b results.Summary) int { return cmp.Compare(a.Clients, b.Clients) })
		clause := crossing(loop)
		if labels[clause] == nil {
			clauses = append(clauses, clause)
		}
		labels[clause] = append(labels[clause], Label(loop[0].Cell))
	}
	for i, clause := range clauses {
		clauses[i] = join(labels[clause]) + " " + clause
	}
	if len(clauses) == 0 {
		return ""
	}
	return "One retry per success: " + strings.Join(clauses, "; ") + "."
}

// crossing says where one loop, its rows ascending by clients, passes it.
func crossing(loop []results.Summary) string {
	for i, r := range loop {
		attempts, ok := r.AttemptsPerOp()
		if !ok || attempts < oneRetry {
			continue
		}
		if i == 0 {
			return "is past it at " + clients(r.Clients) + " already"
		}
		return fmt.Sprintf("passes it between %d and %s", loop[i-1].Clients, clients(r.Clients))
	}
	return "stays below it up to " + clients(loop[len(loop)-1].Clients)
}
