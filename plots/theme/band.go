package theme

import "math"

// drawBands paints the bands of a panel: all tints, and over them all edges, so
// that of two that overlap both can be followed. They lie under everything else,
// the grid included.
func (c *cell) drawBands(p pen) {
	for i, s := range c.Series {
		if l := lookOf(s.Way, s.Stroke); l.fill != nil && len(s.Points) > 0 {
			lo, hi := c.edges(i)
			for k := len(hi) - 1; k >= 0; k-- {
				lo = append(lo, hi[k])
			}
			p.fill(l.fill, lo)
		}
	}
	for i, s := range c.Series {
		if l := lookOf(s.Way, s.Stroke); l.fill != nil && len(s.Points) > 0 {
			lo, hi := c.edges(i)
			p.line(rule{l.edge, l.width, nil}, lo...)
			p.line(rule{l.edge, l.width, nil}, hi...)
		}
	}
}

// edges are the lower and the upper edge of a band. That of one point is a
// little wider than a marker.
func (c *cell) edges(series int) (lo, hi []point) {
	points := c.Series[series].Points
	for _, p := range points {
		lo, hi = append(lo, c.at(p.X, p.Lo)), append(hi, c.at(p.X, p.Hi))
	}
	if len(points) == 1 {
		const half = 5
		a, b := lo[0], hi[0]
		lo = []point{{a.x - half, a.y}, {a.x + half, a.y}}
		hi = []point{{b.x - half, b.y}, {b.x + half, b.y}}
	}
	return lo, hi
}

// obstructBand notes what a band covers, in slices narrower than a word.
func (c *cell) obstructBand(taken *clutter, series int) {
	const width = 6
	lo, hi := c.edges(series)
	for k := 1; k < len(lo); k++ {
		parts := math.Max(1, math.Ceil((lo[k].x-lo[k-1].x)/width))
		for n := range int(parts) {
			from, to := between(lo, hi, k, float64(n)/parts), between(lo, hi, k, float64(n+1)/parts)
			taken.addBox(rect{from.x0, min(from.y0, to.y0), to.x1, max(from.y1, to.y1)})
		}
	}
}

// between is the upright through a band at a share of the way from one point to
// the next, the k-th.
func between(lo, hi []point, k int, share float64) rect {
	mix := func(a, b float64) float64 { return a + share*(b-a) }
	x := mix(lo[k-1].x, lo[k].x)
	return rect{x, mix(lo[k-1].y, lo[k].y), x, mix(hi[k-1].y, hi[k].y)}
}
