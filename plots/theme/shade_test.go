package theme

import (
	"math"
	"testing"
)

// shadedPage has a line from 0 to 10 and shades, the second partly and the third
// wholly beyond the axis.
func shadedPage() Page {
	return Page{Panels: []Panel{{
		X: Axis{Label: "time", FromZero: true}, Y: Axis{Label: "ops/s", FromZero: true},
		Series: []Series{{Way: 0, Points: []Point{{X: 0, Y: 5, Lo: 5, Hi: 5}, {X: 10, Y: 5, Lo: 5, Hi: 5}}}},
		Marks: []Mark{
			{Vertical: true, Value: 2, Until: 4, Label: "burst"},
			{Vertical: true, Value: 9, Until: 100, Label: "to the end"},
			{Vertical: true, Value: 90, Until: 100, Label: "beyond"},
		},
	}}}
}

func TestShades(t *testing.T) {
	p := shadedPage()
	m, s := draw(t, p), layout(p)
	c := s.cells[0]
	for what, want := range map[point]any{
		c.at(2.6, 1.3): shadeGrey, // the whole height
		c.at(3.7, 4.3): shadeGrey,
		c.at(9.6, 1.3): shadeGrey, // to the end of the axis
		c.at(1.5, 1.3): white,
		c.at(4.5, 1.3): white,
		c.at(3, 5):     okabeIto[0], // the line lies over the shade
	} {
		if got := pixel(m, s, what); got != want {
			t.Errorf("%v at %v, want %v", got, what, want)
		}
	}
	if len(c.above) != 2 {
		t.Fatalf("%d labels over the plot", len(c.above))
	}
	if middle := c.at(3, 1).x - c.plot.x0; math.Abs(c.above[0].x-middle) > 0.5 {
		t.Errorf("the label of the shade stands at %v, its middle is at %v", c.above[0].x, middle)
	}
	taken := &clutter{}
	c.obstruct(taken)
	if o := c.at(3, 2); !taken.free(rect{o.x, o.y, o.x + 4, o.y + 4}) {
		t.Error("a shade leaves no room for words")
	}
}

// A line of many points has few markers, and points that nothing joins keep
// theirs.
func TestMarkersAreThinnedOut(t *testing.T) {
	for _, c := range []struct {
		stroke Stroke
		points int
		want   int
	}{{Solid, 30, 1}, {Solid, 36, 3}, {Solid, 1200, 100}, {Dots, 1200, 1}} {
		if got := lookOf(0, c.stroke).markEvery(c.points); got != c.want {
			t.Errorf("%d points of stroke %d: every %d, want %d", c.points, c.stroke, got, c.want)
		}
	}
}
