package theme

import "math"

// drawEnds writes the labels at the ends of lines, with a thin leader where a
// label is not beside its point.
func (c *cell) drawEnds(p pen, taken *clutter) {
	heights, spots := c.arrangeEnds(taken)
	for i, e := range c.ends {
		if e.inside {
			c.drawInside(p, e, spots[i])
		} else {
			c.drawOutside(p, e, heights[i])
		}
	}
}

func (c *cell) drawInside(p pen, e endLabel, spot rect) {
	s, f := c.Series[e.series], regular(axisSize)
	l, o := lookOf(s.Way, s.Stroke), c.end(e)
	p.text(f, l.words, left, spot.x0, spot.y0+0.17*f.size, clean(s.Label))
	if to := spot.nearest(o); math.Hypot(to.x-o.x, to.y-o.y) > 9 {
		p.line(rule{l.ink, 0.5, nil}, o, to)
	}
}

func (c *cell) drawOutside(p pen, e endLabel, y float64) {
	s, f := c.Series[e.series], regular(axisSize)
	l, o := lookOf(s.Way, s.Stroke), c.end(e)
	x := c.plot.x1 + endGap
	if moved := y - o.y; moved > 2.5 || moved < -2.5 || o.x < c.plot.x1-2*insetX {
		p.line(rule{l.ink, 0.5, nil}, point{o.x + markerRadius(len(s.Points)) + 1.5, o.y}, point{x - 2, y})
	}
	if l.mark == nothing {
		p.swatch(l, x, y, keyLength)
	}
	p.marker(l.mark, l.ink, point{x + keyLength/2, y}, 0.85*markerRadius(1))
	p.middle(f, l.words, left, x+keyWidth, y, endLine, e.lines)
}
