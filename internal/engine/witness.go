package engine

import (
	"strings"

	"rmwbench/results"
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

// memory asks what the server's memory holds; nil where it does not say. It is
// asked outside of what the server's counters are compared over.
func (t *trial) memory() *int64 {
	w, ok := t.Runner.World.(Weigher)
	if !ok {
		return nil
	}
	used, err := w.Memory()
	if err != nil {
		t.run.Warn("the server's memory could not be read: " + err.Error())
		return nil
	}
	return used
}

// weigh enters the memory that the load has left taken.
func (t *trial) weigh(before *int64) {
	if before == nil || t.run.Server == nil {
		return
	}
	if after := t.memory(); after != nil {
		kept := *after - *before
		t.run.Server.KeptBytes = &kept
	}
}

// witness enters what the server and the machine counted over the load phase,
// and holds the server's counts of commands against ours.
func (t *trial) witness(before, after *Snapshot) {
	if before == nil || after == nil {
		return
	}
	run := &t.run
	if after.Cores > 0 {
		run.Client = &results.Client{CPUNS: int64(after.ClientCPU - before.ClientCPU), Cores: after.Cores, Hosts: after.Hosts}
		if text := run.LoadWarning(); text != "" {
			run.Warn(text)
		}
	}
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
		stats.Rejected -= before.Commands[name].Rejected
		if stats.Calls < 0 || stats.Rejected < 0 {
			run.Warn("the server's counters were reset during the trial")
			return
		}
		if stats.Calls+stats.Rejected != 0 {
			commands[name] = stats
		}
	}
	run.Server.Commands = commands
	for _, script := range t.kind.ScriptsFor(t.workload, t.cell.ScriptTimeNS > 0) {
		run.Whole.Nested = append(run.Whole.Nested, script.Calls()...)
	}
	if differing := run.Disagreements(); len(differing) > 0 {
		run.Warn("the server's counts of commands differ from ours: somebody else used it, or its counters were reset (" +
			strings.Join(differing, ", ") + ")")
	}
}
