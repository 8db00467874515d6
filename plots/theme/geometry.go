package theme

import (
	"math"
	"slices"
)

// Lengths are in points, 1/72 inch, y upwards; 144 pixels make an inch of a PNG,
// so a point is two pixels of it, and one when it is shown at half size.

type point struct{ x, y float64 }

type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) width() float64  { return r.x1 - r.x0 }
func (r rect) height() float64 { return r.y1 - r.y0 }

// grown is the rectangle with a margin around it.
func (r rect) grown(by float64) rect {
	return rect{r.x0 - by, r.y0 - by, r.x1 + by, r.y1 + by}
}

func (r rect) overlaps(o rect) bool {
	return r.x0 < o.x1 && o.x0 < r.x1 && r.y0 < o.y1 && o.y0 < r.y1
}

func (r rect) holds(o rect) bool {
	return r.x0 <= o.x0 && o.x1 <= r.x1 && r.y0 <= o.y0 && o.y1 <= r.y1
}

// nearest is the point of the rectangle that is nearest to another.
func (r rect) nearest(p point) point {
	return point{max(r.x0, min(p.x, r.x1)), max(r.y0, min(p.y, r.y1))}
}

// crossedBy says whether the segment from a to b enters the rectangle (Liang and
// Barsky: the part of the segment that is inside all four sides).
func (r rect) crossedBy(a, b point) bool {
	from, to := 0.0, 1.0
	dx, dy := b.x-a.x, b.y-a.y
	for _, side := range [4][2]float64{
		{-dx, a.x - r.x0}, {dx, r.x1 - a.x}, {-dy, a.y - r.y0}, {dy, r.y1 - a.y},
	} {
		p, q := side[0], side[1]
		switch {
		case p == 0 && q < 0:
			return false
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		}
	}
	return from <= to
}

// clutter is what a label must not cover.
type clutter struct {
	boxes    []rect
	segments [][2]point
	words    []rect // those of the boxes that no line to a label may cross
}

// clone is a copy that can grow on its own.
func (c *clutter) clone() *clutter {
	return &clutter{slices.Clone(c.boxes), slices.Clone(c.segments), slices.Clone(c.words)}
}

func (c *clutter) addBox(r rect)      { c.boxes = append(c.boxes, r) }
func (c *clutter) addWords(r rect)    { c.addBox(r); c.words = append(c.words, r) }
func (c *clutter) addLine(a, b point) { c.segments = append(c.segments, [2]point{a, b}) }
func (c *clutter) free(r rect) bool   { return c.hits(r, 1) == 0 }

// crossings counts the lines that the segment from a to b crosses, but for what
// begins within a few points of a.
func (c *clutter) crossings(a, b point) int {
	const skip = 4
	far := math.Hypot(b.x-a.x, b.y-a.y)
	if far <= skip {
		return 0
	}
	a = point{a.x + (b.x-a.x)*skip/far, a.y + (b.y-a.y)*skip/far}
	n := 0
	for _, s := range c.segments {
		if side(a, b, s[0])*side(a, b, s[1]) < 0 && side(s[0], s[1], a)*side(s[0], s[1], b) < 0 {
			n++
		}
	}
	return n
}

// overWords says whether the segment from a to b crosses a label.
func (c *clutter) overWords(a, b point) bool {
	return slices.ContainsFunc(c.words, func(r rect) bool { return r.crossedBy(a, b) })
}

// side is positive where p lies left of the line from a to b.
func side(a, b, p point) float64 { return (b.x-a.x)*(p.y-a.y) - (b.y-a.y)*(p.x-a.x) }

// hits counts what lies under a rectangle, up to a limit.
func (c *clutter) hits(r rect, limit int) int {
	n := 0
	for _, b := range c.boxes {
		if r.overlaps(b) {
			if n++; n >= limit {
				return n
			}
		}
	}
	for _, s := range c.segments {
		if r.crossedBy(s[0], s[1]) {
			if n++; n >= limit {
				return n
			}
		}
	}
	return n
}
