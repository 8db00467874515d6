// Package calibrate owns the measuring of a profile: short loads of known
// shapes on a server, and the costs that explain what its counters say of them.
//
// It works on any world with counters, so that calibrating a simulated server
// has to give back the profile that it was made from.
package calibrate

import (
	"errors"
	"fmt"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/results"
)

// Config says how to measure, and what to call the result.
type Config struct {
	Name     string // what is measured, in words: server, network, CPU
	Measured string // day, as in 2006-01-02
	Product  string // redis, valkey
	Version  string

	Prefix string        // of every key that is used; all are removed at the end
	Budget time.Duration // about how long the measuring takes; a far server takes longer

	Stop <-chan struct{} // closed to end the measuring early, with engine.ErrInterrupted; nil: never
}

// Bounds of Config.Budget. Less than the least would be overrun.
const (
	DefaultBudget = 1500 * time.Millisecond
	MinBudget     = 700 * time.Millisecond
)

// clients is how many connections are loaded: as many as keep one thread of a
// server busy.
const clients = 24

// Measure measures the server of a world that is also an engine.Witness.
//
// Three short scripts stay in the server's cache; nothing else is left.
func Measure(w engine.World, cfg Config) (*profile.Profile, error) {
	m, err := measure(w, cfg)
	if err != nil {
		return nil, err
	}
	return m.profile(cfg), nil
}

// measure fills the table and fits it.
func measure(w engine.World, cfg Config) (m *measurement, err error) {
	if cfg.Prefix == "" {
		return nil, errors.New("calibrating needs a prefix for its keys")
	}
	if cfg.Budget < MinBudget {
		return nil, fmt.Errorf("calibrating in %v: it takes at least %v", cfg.Budget, MinBudget)
	}
	s, err := newStand(w, cfg.Prefix)
	if err != nil {
		return nil, err
	}
	defer func() {
		if left := s.close(); left != nil {
			err = errors.Join(err, fmt.Errorf("keys %s* may be left on the server: %w", cfg.Prefix, left))
		}
	}()
	shapes, err := s.prepare()
	if err != nil {
		return nil, err
	}
	t, err := s.rounds(shapes, cfg.Budget, cfg.Stop)
	if err != nil {
		return nil, err
	}
	if err := t.alone(); err != nil {
		return nil, err
	}
	return t.explain()
}

// snapshot is one of a world that has the counters which calibrating needs.
func snapshot(w engine.World) (engine.Snapshot, error) {
	witness, ok := w.(engine.Witness)
	if !ok {
		return engine.Snapshot{}, errors.New("calibrating needs the server's own counters, and this world has none")
	}
	s, err := witness.Snapshot()
	if err != nil {
		return s, fmt.Errorf("the server's own counters could not be read: %w", err)
	}
	if s.ServerCPU == nil {
		return s, errors.New("the server does not say how much processor time it has used (INFO cpu), so its costs cannot be measured")
	}
	return s, nil
}

// calls counts the commands that the server has executed, but for those that
// ask it for its counters.
func calls(commands map[string]results.CommandStats) (n int64) {
	for name, stats := range commands {
		if name != "info" {
			n += stats.Calls
		}
	}
	return n
}
