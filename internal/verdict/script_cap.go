package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rmwbench/internal/model"
	"rmwbench/results"
)

// scriptCap says for each script time in the rows what it caps a server at,
// whatever the number of clients.
func scriptCap(rows []results.Summary) string {
	var times []time.Duration
	for _, r := range rows {
		if d := time.Duration(r.ScriptTimeNS); d > 0 && !slices.Contains(times, d) {
			times = append(times, d)
		}
	}
	slices.Sort(times)
	var caps []string
	for _, d := range times {
		caps = append(caps, fmt.Sprintf("one of %v near %.0f/s", d, model.ServerLimit(d.Seconds())))
	}
	if caps == nil {
		return ""
	}
	return "A script caps each server whatever the number of clients: " + strings.Join(caps, ", ") + "."
}
