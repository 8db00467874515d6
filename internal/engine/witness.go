package engine

import (
	"strings"

	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// snapshot asks the world's own counters, if it has any.
func (t *trial) snapshot() *Snapshot {
	w, ok := t.Runner.World.(Witness)
	if !ok {
		return nil
	}
	s, err := w.Snapshot()
	if err != nil {
		t.run.Warn("the server's own counters could not be read: " + err.Error())
		return nil
	}
	return &s
}

// witness enters what the server and the machine counted over the load phase,
// and holds the server's counts of commands against ours.
func (t *trial) witness(before, after *Snapshot) {
	if before == nil || after == nil {
		return
	}
	run := &t.run
	run.Client = &results.Client{CPUNS: int64(after.ClientCPU - before.ClientCPU), Cores: after.Cores}
	run.Server = &results.Server{}
	if before.ServerCPU != nil && after.ServerCPU != nil {
		cpu := int64(*after.ServerCPU - *before.ServerCPU)
		run.Server.CPUNS = &cpu
	}
	if after.Commands == nil {
		return
	}
	commands := map[string]results.CommandStats{}
	for name, stats := range after.Commands {
		stats.Calls -= before.Commands[name].Calls
		stats.USec -= before.Commands[name].USec
		if stats.Calls != 0 {
			commands[name] = stats
		}
	}
	if reset(commands, run.Whole.Commands) {
		run.Warn("the server's counters were reset during the trial")
		return
	}
	run.Server.Commands = commands
	if kind, _ := strategies.All.Get(run.Strategy); kind.Scripts {
		run.Whole.Nested = t.workload.(workloads.Scripted).Script().Calls()
	}
	if differing := run.Disagreements(); len(differing) > 0 {
		run.Warn("somebody else used the server: it served other commands than this run sent (" +
			strings.Join(differing, ", ") + ")")
	}
}

// reset reports whether a server that answered everything counts less than was
// sent to it, or less than nothing.
func reset(served map[string]results.CommandStats, sent map[string]int64) bool {
	for _, stats := range served {
		if stats.Calls < 0 {
			return true
		}
	}
	for name, n := range sent {
		if served[name].Calls < n {
			return true
		}
	}
	return false
}
