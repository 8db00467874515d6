package gates

import (
	"fmt"
	"math"
	"testing"
)

// point is one setting of the reference system. Every point has been simulated
// by an independent program; some of its figures are kept below.
type point struct {
	decision float64 // d, microseconds
	keys     int
	skew     float64
	clients  int
}

func (p point) String() string {
	return fmt.Sprintf("d %v us, %d keys, skew %v, %d clients", p.decision, p.keys, p.skew, p.clients)
}

// reference is what the independent simulation found at a point, with two
// exchanges per attempt. Where no p was kept it is negative.
type reference struct {
	point
	full    bool    // full jitter 50 us to 10 ms; otherwise no back-off
	goodput float64 // commits per second
	within  float64 // of another simulation; where keys differ both have an error of one percent or so
	p       float64
}

const unknown = -1

var references = []reference{
	{point{0, 1, 0, 4}, false, 3488, 35, .642},
	{point{0, 1, 0, 64}, false, 3608, 36, .964},
	{point{0, 10, 0, 16}, false, 21606, 320, .443},
	{point{0, 100, .99, 64}, false, 18778, 560, .812},
	{point{0, 1000, 0, 256}, false, 88179, 1300, .118},
	{point{1000, 10, 0, 16}, false, 4746, 70, .582},
	{point{1000, 100, 0, 64}, false, 28840, 430, .363},
	{point{1000, 1000, .99, 64}, false, 6465, 190, .857},
	{point{0, 1, 0, 256}, false, 808, 10, unknown},
	{point{0, 1, 0, 16}, false, 5193, 30, unknown},
	{point{1000, 1, 0, 16}, false, 772, 5, unknown},
	{point{1000, 1000, 0, 256}, false, 84240, 1300, unknown},
	{point{0, 1, 0, 64}, true, 4907, 49, .843},
	{point{0, 100, .99, 64}, true, 25171, 750, .522},
	{point{1000, 10, 0, 64}, true, 6158, 90, .765},
	{point{0, 1, 0, 256}, true, 5658, 60, unknown},
	{point{0, 1, 0, 16}, true, 4046, 40, unknown},
}

// The oracles are within the errors that were found for them over the whole
// grid of the independent simulation: 6.9 % of the goodput for M5 and 10.5 %
// for M8, at worst.
func TestOraclesAgainstIndependentSimulation(t *testing.T) {
	for _, r := range references {
		oracle, name, within, withinP := firstCompletion, "M5", 0.069, 0.06
		if r.full {
			oracle, name, within, withinP = meanField, "M8", 0.105, 0.07
		}
		got := oracle(keysOf(r.keys, r.skew), r.clients, r.decision, pipelined)
		what := fmt.Sprintf("%s, %v", name, r.point)
		t.Logf("%s: X %.0f, simulated %.0f (%+.2f %%); p %.3f, simulated %.3f", what, got.goodput, r.goodput, 100*(got.goodput/r.goodput-1), got.p, r.p)
		near(t, what+": X", got.goodput, r.goodput, within)
		if r.p != unknown && math.Abs(got.p-r.p) > withinP {
			t.Errorf("%s: p = %v, simulated %v", what, got.p, r.p)
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s = %v, want %v within %v", what, got, want, tolerance)
	}
}
