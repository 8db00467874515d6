package engine

import (
	"fmt"
	"slices"
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

// witness enters what the server and the machine counted over the load phase,
// and holds the server's counts of commands against ours.
func (t *trial) witness(before, after *Snapshot, lossless bool) {
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
	run.Server.Commands = map[string]results.CommandStats{}
	for name, stats := range after.Commands {
		stats.Calls -= before.Commands[name].Calls
		stats.USec -= before.Commands[name].USec
		if stats.Calls != 0 {
			run.Server.Commands[name] = stats
		}
	}
	if lossless {
		if differing := disagreements(run); len(differing) > 0 {
			run.Warn("the server counted other numbers of commands than this run sent; is somebody else using it? " +
				strings.Join(differing, ", "))
		}
	}
}

// disagreements lists the commands of which the server executed another number
// than we sent. A script's own calls are counted under their names too, so a
// name that only scripts used is not compared.
func disagreements(run *results.Run) (differing []string) {
	for name, sent := range run.Whole.Commands {
		if served := run.Server.Commands[name].Calls; served != sent {
			differing = append(differing, fmt.Sprintf("%s: %d sent, %d served", name, sent, served))
		}
	}
	slices.Sort(differing)
	return differing
}
