package fault

import (
	"strings"
	"testing"

	"rmwbench/internal/profile"
	"rmwbench/internal/sim"
	"rmwbench/internal/state"
	"rmwbench/strategies"
)

func TestMatrixInTheSimulatedWorld(t *testing.T) {
	p, err := profile.Open("ideal")
	if err != nil {
		t.Fatal(err)
	}
	world := sim.New(sim.Config{Profile: p}, 1)
	hold(t, Server{World: world, Facts: strategies.Facts{Product: "redis", Version: "7.0.15"}, Clock: state.Exact})
}

// hold tries every design and holds it to its promise.
func hold(t *testing.T, s Server) {
	t.Helper()
	all, err := Matrix(s, Designs.Names(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if v.NA != "" {
			t.Errorf("%s: n/a: %s", v.Name, v.NA)
		}
		if !v.Kept() {
			t.Errorf("%s: %q, promised %q", v.Name, v.Flaws, v.Design.Promise)
			for _, c := range v.Cases {
				t.Logf("  %v: told %s, applied %s, %q, %s", c.Point, c.Told, c.Applied, c.Flaws, strings.Join(c.Left, "; "))
			}
		}
	}
}
