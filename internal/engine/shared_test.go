package engine

import (
	"strings"
	"testing"

	"rmwbench/results"
	"rmwbench/strategies"
)

// Connections are an axis of what is compared: cells on either kind meet the
// same keys, and stand in one table.
func TestGridOfConnections(t *testing.T) {
	p := validPlan()
	p.Conns = []string{results.ConnDedicated, results.ConnShared}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	cells, na := p.Grid(strategies.Facts{})
	if len(na) != 1 || na[0].Strategy != "watch" || !strings.Contains(na[0].Reason, "--conn shared: WATCH belongs to the connection") {
		t.Errorf("n/a: %+v", na)
	}
	count := map[string]int{}
	loads, seeds := map[results.Cell]bool{}, map[uint64]bool{}
	for _, c := range cells {
		count[c.Strategy+" "+c.Conn]++
		if c.Strategy == "lua" {
			loads[c.Load()], seeds[TrialSeed(1, c, 0)] = true, true
		}
		if c.Setting() != cells[0].Setting() {
			t.Errorf("%+v has a table of its own", c)
		}
	}
	if count["watch dedicated"] != 4 || count["watch shared"] != 0 || count["lua dedicated"] != 2 || count["lua shared"] != 2 {
		t.Errorf("cells %v", count)
	}
	if len(loads) != 2 || len(seeds) != 2 { // by number of clients
		t.Errorf("%d loads and %d seeds of 2 numbers of clients", len(loads), len(seeds))
	}
	for _, refused := range [][]string{{"pooled"}, {"shared", "shared"}, {}} {
		p.Conns = refused
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "--conn") {
			t.Errorf("--conn %v: %v", refused, err)
		}
	}
}

// A world that cannot share a connection says so, and runs nothing.
func TestAWorldWithoutSharedConnections(t *testing.T) {
	p := validPlan()
	p.Strategies, p.Conns = []string{"lua"}, []string{results.ConnShared}
	cells, _ := p.Grid(strategies.Facts{})
	r := Runner{Plan: &p, World: &shop{}, Cells: cells}
	if run, err := r.Trial(cells[0], 0); run != nil || err == nil || !strings.Contains(err.Error(), "--conn shared") {
		t.Errorf("%v, %v", run, err)
	}
}
