package cli

import (
	"fmt"
	"slices"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/results"
)

// Bounds of script time on a real server. It serves nobody else meanwhile, and
// answers everybody with an error where a script takes long (5 s by default).
const (
	mostScriptTime = time.Second
	mostScripts    = 5 * time.Second // clients x script time: what an op waits for the scripts of all
)

// checkScriptTime refuses script times that keep a real server busy for too long,
// or without having been asked for.
func (c *runCmd) checkScriptTime(p *engine.Plan) error {
	if !p.HasScriptTime() {
		return nil
	}
	flag, remedy, times := "--script-time", "", p.ScriptTimes
	if p.ScriptTimeIsDecision {
		flag, remedy, times = "--decision", " (--script-time 0: the decision is free on the server)", p.Decisions
	}
	most, clients := slices.Max(times), slices.Max(p.Clients)
	switch {
	case p.ScriptTimeIsDecision && c.named():
		return fmt.Errorf("--script-time: with --decision %v a script may keep the server busy that long: "+
			"give --script-time %v, or 0 if the decision is free on the server", most, most)
	case most > mostScriptTime:
		return fmt.Errorf("%s %v: a script may keep a server busy for at most %v%s", flag, most, mostScriptTime, remedy)
	case time.Duration(clients)*most > mostScripts:
		return fmt.Errorf("%s %v with -c %d: an op waits %v for the scripts of all clients, want at most %v%s",
			flag, most, clients, time.Duration(clients)*most, mostScripts, remedy)
	}
	return nil
}

// mostClients bounds a search for the most clients of a cell.
func mostClients(c results.Cell, most int) int {
	if c.ScriptTimeNS == 0 {
		return most
	}
	return min(most, int(int64(mostScripts)/c.ScriptTimeNS))
}

// scriptTimeOf says where the script time of cells comes from.
func scriptTimeOf(p *engine.Plan, cells []results.Cell) string {
	switch {
	case !slices.ContainsFunc(cells, func(c results.Cell) bool { return c.ScriptTimeNS > 0 }):
		return ""
	case p.ScriptTimeIsDecision:
		return results.ScriptTimeDecision
	}
	return results.ScriptTimeAsked
}
