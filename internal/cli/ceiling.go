package cli

import (
	"errors"
	"fmt"

	"rmwbench/internal/calibrate"
	"rmwbench/internal/engine"
	"rmwbench/results"
)

// pings measures the ceiling that rows are held against: what the plan's clients
// manage when they do nothing but PING. A search does not know its numbers of
// clients. A run is worth as much without, so the only error is an interrupt.
func (c *runCmd) pings(s *session, w engine.World, plan *engine.Plan) ([]results.Pings, error) {
	if c.searches() {
		return nil, nil
	}
	pings, err := calibrate.Ceilings(w, plan.Clients, s.stop)
	if errors.Is(err, engine.ErrInterrupted) {
		return nil, coded{fmt.Errorf("%w: nothing was measured", err), exitInterrupted}
	}
	if err != nil {
		fmt.Fprintf(s.err, "rmwbench: no PING ceiling: %v\n", err)
		return nil, nil
	}
	return pings, nil
}
