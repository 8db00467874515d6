package calibrate

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestFitFindsTheCosts(t *testing.T) {
	shapes := [][]float64{{1, 1, 0, 0}, {1, 16, 0, 0}, {1, 0, 1, 0}, {2, 2, 1, 1}, {1, 0, 0, 8}}
	for _, costs := range [][]float64{{8000, 400, 5000, 700}, {0, 1, 2, 3}, {9000, 0, 0, 100}, {1, 1000, 1, 1000}} {
		var lines []line
		for _, counts := range shapes {
			l := line{counts: counts, weight: 1}
			l.total = l.sum(costs)
			lines = append(lines, l)
		}
		got := fit(lines, len(costs))
		for i := range costs {
			if math.Abs(got[i]-costs[i]) > 1e-3*slices.Max(costs) {
				t.Errorf("got %.1f, want %.1f", got, costs)
				break
			}
		}
	}
}

func TestFitIsNeverNegative(t *testing.T) {
	// Sixteen take less than one: the line through both falls.
	got := fit([]line{{[]float64{1, 1}, 1000, 1}, {[]float64{1, 16}, 900, 1}}, 2)
	if got[1] != 0 || got[0] < 900 || got[0] > 1000 {
		t.Errorf("got %v", got)
	}
}

func TestFitFollowsTheHeavierLine(t *testing.T) {
	got := fit([]line{{[]float64{1}, 100, 3}, {[]float64{1}, 200, 1}}, 1)
	if got[0] < 100 || got[0] > 110 {
		t.Errorf("got %v", got)
	}
}

func TestFitLeavesOutWhatNoLineHas(t *testing.T) {
	if got := fit([]line{{[]float64{2, 0}, 10, 1}}, 2); math.Abs(got[0]-5) > 1e-9 || got[1] != 0 {
		t.Errorf("got %v", got)
	}
}

// A round in which everything took twice as long changes nothing, and neither
// does one slice that went wrong.
func TestLevelsTakeOutSlowRounds(t *testing.T) {
	rows := [][]float64{{10, 20, 20, 10, 10}, {30, 60, 60, 30, 30}, {50, 100, 100, 5000, 50}, {0, 0, 0, 0, 0}}
	got := levels(rows)
	for i, want := range []float64{10, 30, 50, 0} {
		if got[i] != want {
			t.Errorf("got %v", got)
			break
		}
	}
}

func TestEveryRoundHasEveryShapeOnce(t *testing.T) {
	const rounds = 10
	first := map[int]bool{}
	for round := range rounds {
		list := order(round, rounds, 21)
		first[list[0]] = true
		slices.Sort(list)
		for i, shape := range list {
			if shape != i {
				t.Fatalf("round %d: %v", round, list)
			}
		}
	}
	if len(first) != rounds {
		t.Errorf("the rounds begin with only %d shapes", len(first))
	}
}

func TestRoundTripIsWithoutTheServer(t *testing.T) {
	var times []time.Duration
	for i := range 1000 {
		times = append(times, time.Duration(1000+i))
	}
	times[500] = time.Second // held up by the machine
	q := spread(times, 1100)
	if q[0].NS != 0 || q[len(q)-1].NS > 900 || q[len(q)-1].NS < 880 {
		t.Errorf("got %v", q)
	}
	if m := q.Mean(); math.Abs(m-405) > 10 { // of 0 for the first tenth, 0 to 900 for the rest
		t.Errorf("mean %v of %v", m, q)
	}
}
