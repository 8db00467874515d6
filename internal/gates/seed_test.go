package gates

import (
	"bytes"
	"cmp"
	"encoding/json"
	"runtime"
	"sync"
	"testing"

	"rmwbench/internal/engine"
	"rmwbench/internal/sim"
	"rmwbench/results"
	"rmwbench/strategies"
)

// The same seed gives the same bytes, whatever the number of cores, what else
// is in the grid, and in which order or company a trial runs.
func TestSameSeed(t *testing.T) {
	big := way{point{0, 10, 0.99, 16}, "watch-pipelined", "full"}.plan(10_000, 50_000)
	big.Strategies = []string{"watch", "watch-pipelined", "lua"}
	big.Clients = []int{1, 16, 40}
	big.Backoffs = []string{"none", "full", "decorrelated"}
	big.Seed = 7
	if err := big.Validate(); err != nil {
		t.Fatal(err)
	}
	cells, _ := big.Grid(strategies.Facts{})
	encode := func(plan *engine.Plan, cell results.Cell, number int) []byte {
		run, err := sim.Trial(plan, cell, number, jittered)
		if err != nil {
			t.Error(err)
			return nil
		}
		text, err := json.Marshal(run)
		if err != nil {
			t.Error(err)
		}
		return text
	}

	together := make([][]byte, len(cells))
	before := runtime.GOMAXPROCS(8)
	var wg sync.WaitGroup
	for i, c := range cells {
		wg.Go(func() { together[i] = encode(big, c, 3) })
	}
	wg.Wait()

	runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	for i := len(cells) - 1; i >= 0; i-- {
		c := cells[i]
		small := way{point{0, 10, 0.99, c.Clients}, c.Strategy, cmp.Or(c.Backoff, "none")}.plan(10_000, 50_000)
		small.Seed = 7
		if only := onlyCell(t, small); only != c {
			t.Fatalf("the cell alone is %+v, in a grid %+v", only, c)
		}
		if alone := encode(small, c, 3); !bytes.Equal(alone, together[i]) {
			t.Errorf("%+v: alone\n%s\nin company\n%s", c, alone, together[i])
		}
		if other := encode(small, c, 4); bytes.Equal(other, together[i]) {
			t.Errorf("%+v: two trials are the same", c)
		}
	}
}
