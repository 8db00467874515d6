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
	var order []results.Cell // the loops, without the number of clients
	loops := map[results.Cell][]results.Summary{}
	for _, r := range rows {
		if !kind(r).Watches {
			continue
		}
		loop := r.Cell
		loop.Clients = 0
		if loops[loop] == nil {
			order = append(order, loop)
		}
		loops[loop] = append(loops[loop], r)
	}
	var answers []answer
	labels := map[answer][]string{}
	for _, loop := range order {
		slices.SortFunc(loops[loop], func(a, b results.Summary) int { return cmp.Compare(a.Clients, b.Clients) })
		a := crossing(loops[loop])
		if labels[a] == nil {
			answers = append(answers, a)
		}
		labels[a] = append(labels[a], Label(loop))
	}
	if len(answers) == 0 {
		return ""
	}
	if len(answers) == 1 && len(order) > 1 {
		labels[answers[0]] = []string{"every WATCH loop"}
	}
	var clauses []string
	for _, a := range answers {
		clauses = append(clauses, a.of(labels[a]))
	}
	return "One retry per success: " + strings.Join(clauses, "; ") + "."
}

// answer is what is said of a loop: the verb for one, that for several, and
// where.
type answer struct{ verb, verbs, where string }

func (a answer) of(loops []string) string {
	verb := a.verb
	if len(loops) > 1 {
		verb = a.verbs
	}
	return Join(loops) + " " + verb + " " + a.where
}

// crossing says where one loop, its rows ascending by clients, passes it.
func crossing(loop []results.Summary) answer {
	for i, r := range loop {
		attempts, ok := r.AttemptsPerOp()
		if !ok || attempts < oneRetry {
			continue
		}
		if i == 0 {
			return answer{"is", "are", "already past it at " + clients(r.Clients)}
		}
		return answer{"passes", "pass", fmt.Sprintf("it between %d and %s", loop[i-1].Clients, clients(r.Clients))}
	}
	upTo := "up to "
	if len(loop) == 1 {
		upTo = "at "
	}
	return answer{"stays", "stay", "below it " + upTo + clients(loop[len(loop)-1].Clients)}
}
