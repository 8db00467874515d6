package sim

import (
	"time"

	"rmwbench/internal/engine"
	"rmwbench/results"
	"rmwbench/strategies"
)

// Spin has scripts spin for d, or for what d came to on the machine: one
// iteration is one nanosecond. Servers go round by round from then on, if they
// are of the kind that does.
func (w *World) Spin(d time.Duration, _ func(strategies.Session) error) (engine.Spin, error) {
	if m := w.config.Machine; m != nil && m.ScriptTime > 0 {
		d = m.ScriptTime
	}
	for _, s := range w.servers {
		s.rounds = w.config.Profile.Server.Rounds
	}
	return &spin{each: d}, nil
}

// spin is exact.
type spin struct {
	each  time.Duration
	ended int64 // attempts
}

func (s *spin) Iterations() int64 { return int64(s.each) }

func (s *spin) Ended(int64) { s.ended++ }

func (s *spin) End(_, _ time.Duration, _ bool) (*results.Spread, string) {
	return results.SpreadOf([]results.Sample{{NS: float64(s.each), Count: s.ended}}), ""
}
