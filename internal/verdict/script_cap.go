package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rmwbench/internal/model"
	"rmwbench/results"
)

// ScriptTime is a script time that was asked for, and what it came to.
type ScriptTime struct {
	Asked    time.Duration
	Achieved time.Duration // the mean over all rows; Asked where no server tells
}

// Cap is the most scripts of that time that one server can run in a second.
func (t ScriptTime) Cap() float64 { return model.ServerLimit(t.Achieved.Seconds()) }

// ScriptTimes lists those of some rows, ascending.
func ScriptTimes(rows []results.Summary) (times []ScriptTime) {
	achieved := map[time.Duration][]results.Sample{}
	for i := range rows {
		asked := time.Duration(rows[i].ScriptTimeNS)
		if asked == 0 {
			continue
		}
		if !slices.ContainsFunc(times, func(t ScriptTime) bool { return t.Asked == asked }) {
			times = append(times, ScriptTime{Asked: asked, Achieved: asked})
		}
		if mean, ok := rows[i].ScriptTime(); ok {
			achieved[asked] = append(achieved[asked], results.Sample{NS: float64(mean), Count: 1})
		}
	}
	for i := range times {
		if spread := results.SpreadOf(achieved[times[i].Asked]); spread != nil {
			times[i].Achieved = time.Duration(spread.Mean)
		}
	}
	slices.SortFunc(times, func(a, b ScriptTime) int { return cmp.Compare(a.Asked, b.Asked) })
	return times
}

// scriptCap says for each script time in the rows what it caps a server at,
// whatever the number of clients.
func scriptCap(rows []results.Summary) string {
	var caps []string
	for _, t := range ScriptTimes(rows) {
		what := fmt.Sprintf("one of %v", t.Asked)
		if achieved := t.Achieved.Round(t.Asked / 1000); achieved != t.Asked {
			what += fmt.Sprintf(" (achieved %v)", achieved)
		}
		caps = append(caps, fmt.Sprintf("%s near %.0f/s", what, t.Cap()))
	}
	if caps == nil {
		return ""
	}
	return "A script caps each server whatever the number of clients: " + strings.Join(caps, ", ") + "."
}
