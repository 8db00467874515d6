package sim

import (
	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/results"
)

// Trial simulates one trial of one cell of a plan. The record is that of a live
// trial; only its source differs.
func Trial(plan *engine.Plan, cell results.Cell, number int, p *profile.Profile) (*results.Run, error) {
	s := newSimulator(plan, nil)
	return s.trial(cell, number, p, nil)
}

// simulator runs one trial after the other and keeps the memory of recorders.
type simulator struct{ engine.Runner }

func newSimulator(plan *engine.Plan, stop <-chan struct{}) *simulator {
	return &simulator{engine.Runner{Plan: plan, Shards: 1, Stop: stop, OneThread: true}}
}

// trial simulates one trial in a world of its own.
func (s *simulator) trial(cell results.Cell, number int, p *profile.Profile, m *Machine) (*results.Run, error) {
	s.World = New(Config{
		Profile: p, Shards: cell.Shards, Speed: cell.ServerSpeed, Machine: m,
	}, engine.TrialSeed(s.Plan.Seed, cell, number))
	s.Source = results.SourceSimulated
	if m != nil {
		s.Source = results.SourcePredicted
	}
	return s.Trial(cell, number)
}
