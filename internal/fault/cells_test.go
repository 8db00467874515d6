package fault

import (
	"slices"
	"testing"
	"time"

	"rmwbench/contention"
)

// Every point is of one kind, and every kind has points.
func TestDisturbances(t *testing.T) {
	seen := map[Disturbance]int{}
	for _, p := range append(points([]int{2, 3}, false, true), points([]int{1, 1}, true, false)...) {
		d := p.Disturbance()
		if !slices.Contains(Disturbances, d) {
			t.Errorf("%s: unknown disturbance %q", p, d)
		}
		seen[d]++
	}
	// Exchanges of 2 and 3 commands: a point of each kind for each of 2 lost
	// requests, 3 cuts, 2 lost replies; with a sweep there is one more, a delay.
	want := map[Disturbance]int{requestLost: 4, requestCut: 3, replyLost: 4, inBetween: 7 + 4 + 1, clientDies: 7 + 4, serverRestarts: 2}
	for _, d := range Disturbances {
		if seen[d] != want[d] {
			t.Errorf("%s: %d points, want %d", d, seen[d], want[d])
		}
	}
}

// Every flaw has a word or two, and a weight.
func TestBriefs(t *testing.T) {
	var flaws []Flaw
	for _, b := range briefs {
		if b.weight == Fine || b.brief == "" {
			t.Errorf("%s: %q, weight %d", b.flaw, b.brief, b.weight)
		}
		flaws = append(flaws, b.flaw)
	}
	if got := ordered(flaws); len(briefs) != len(flawOrder) || !slices.Equal(got, flawOrder) {
		t.Errorf("briefs of %q, want %q", got, flawOrder)
	}
}

func TestCells(t *testing.T) {
	lost := Point{Exchange: 1, Fault: contention.Fault{Kind: contention.RequestLost}}
	for _, c := range []struct {
		cases  []Case
		text   string
		weight Weight
	}{
		{nil, "", Fine},
		{[]Case{{Applied: AppliedOnce}}, "once", Fine},
		{[]Case{{Applied: AppliedNever}}, "never", Fine},
		{[]Case{{Applied: AppliedOnce}, {Applied: AppliedNever}}, "0 or 1", Fine},
		{[]Case{{Applied: AppliedOnce}, {Applied: AppliedPart, Flaws: []Flaw{Temporary}, Ends: 60 * time.Second}}, "garbage 60 s", ToKnow},
		{[]Case{{Flaws: []Flaw{Garbage, Drifts}}, {Flaws: []Flaw{Doubles, Misreports}}}, "applied twice", Corrupts},
	} {
		v := Verdict{Cases: []Case{{Point: Point{Exchange: 1, Dies: true}, Flaws: []Flaw{Halves}}}}
		for _, one := range c.cases {
			one.Point = lost
			v.Cases = append(v.Cases, one)
		}
		if text, weight := v.Cell(requestLost); text != c.text || weight != c.weight {
			t.Errorf("%v: %q, weight %d, want %q, %d", c.cases, text, weight, c.text, c.weight)
		}
	}
}
