package engine

import (
	"errors"
	"slices"
	"testing"
	"time"

	"rmwbench/results"
	"rmwbench/strategies"
)

// order runs a plan in the clockwork world and answers the cells in the order
// in which their trials ran.
func order(t *testing.T, p Plan, sink func(*results.Run) error) (cells, ran []results.Cell, progress []Progress, err error) {
	t.Helper()
	p.Clients, p.Keys, p.Ops, p.Duration = []int{1}, []int{1, 2, 3, 4, 5}, 3, 0
	p.Strategies = []string{"lua", "atomic"}
	cells, _ = p.Grid(strategies.Facts{})
	r := Runner{
		Plan: &p, World: &clockwork{}, Cells: cells, Shards: 1,
		Sink: func(run *results.Run) error {
			ran = append(ran, run.Cell)
			return sink(run)
		},
		Progress: func(at Progress) { progress = append(progress, at) },
	}
	err = r.Run()
	return cells, ran, progress, err
}

func keep(*results.Run) error { return nil }

func TestTrialsOfAllCellsAreInterleaved(t *testing.T) {
	p := validPlan()
	p.Trials = 3
	cells, ran, progress, err := order(t, p, keep)
	if err != nil {
		t.Fatal(err)
	}
	if len(ran) != 3*len(cells) {
		t.Fatalf("%d trials of %d cells", len(ran), len(cells))
	}
	rounds := [][]results.Cell{ran[:len(cells)], ran[len(cells) : 2*len(cells)], ran[2*len(cells):]}
	for i, round := range rounds {
		for _, c := range cells {
			if !slices.Contains(round, c) {
				t.Errorf("round %d misses %+v", i, c)
			}
		}
	}
	if slices.Equal(rounds[0], cells) || slices.Equal(rounds[0], rounds[1]) {
		t.Error("rounds are not shuffled")
	}
	_, again, _, _ := order(t, p, keep)
	if !slices.Equal(ran, again) {
		t.Error("the same seed gives another order")
	}
	p.Seed = 2
	if _, other, _, _ := order(t, p, keep); slices.Equal(ran, other) {
		t.Error("another seed gives the same order")
	}
	for i, at := range progress {
		if at.Done != i || at.Total != len(ran) || i > 0 && at.Left <= 0 {
			t.Errorf("progress %d: %+v", i, at)
		}
	}
}

func TestAFullDiskEndsTheRun(t *testing.T) {
	full := errors.New("no space left on device")
	_, ran, _, err := order(t, validPlan(), func(*results.Run) error { return full })
	if !errors.Is(err, full) || len(ran) != 1 {
		t.Errorf("%d trials, then %v", len(ran), err)
	}
}

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		what     string
		ops      int64
		duration time.Duration
		want     window
	}{
		{"by time", 0, 5 * time.Second, window{12 * time.Second, 17 * time.Second}},
		{"by ops", 100, 0, window{10 * time.Second, forever}},
		{"by both", 100, 5 * time.Second, window{10 * time.Second, 15 * time.Second}},
	} {
		p := Plan{Ops: c.ops, Duration: c.duration, Warmup: 2 * time.Second}
		if got := p.window(10 * time.Second); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}
