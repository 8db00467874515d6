package theme

import "math"

// drawEnds writes the labels at the ends of lines, with a thin leader where a
// label is not beside its point.
func (c *cell) drawEnds(p pen, taken *clutter) {
	f := regular(axisSize)
	var ends []endLabel
	var want, height []float64
	for _, e := range c.ends {
		if e.inside {
			if r, ok := c.insideSpot(e, taken); ok {
				s := c.Series[e.series]
				l, o := lookOf(s.Way, s.Stroke), c.end(e)
				p.text(f, l.words, left, r.x0, r.y0+0.17*f.size, clean(s.Label))
				if to := r.nearest(o); math.Hypot(to.x-o.x, to.y-o.y) > 9 {
					p.line(rule{l.ink, 0.5, nil}, o, to)
					taken.addLine(o, to)
				}
				continue
			}
		}
		ends = append(ends, e)
		want, height = append(want, c.end(e).y), append(height, e.height())
	}
	x := c.plot.x1 + endGap
	for i, y := range spread(want, height, c.plot.y0-endsOver, c.plot.y1+endsOver) {
		s := c.Series[ends[i].series]
		l, o := lookOf(s.Way, s.Stroke), c.end(ends[i])
		if moved := y - o.y; moved > 2.5 || moved < -2.5 || o.x < c.plot.x1-2*insetX {
			start := point{o.x + markerRadius(len(s.Points)) + 1.5, o.y}
			p.line(rule{l.ink, 0.5, nil}, start, point{x - 2, y})
			taken.addLine(start, point{x - 2, y})
		}
		if l.mark == nothing {
			p.line(rule{l.ink, l.width, l.dash}, point{x, y}, point{x + keyLength, y})
		}
		p.marker(l.mark, l.ink, point{x + keyLength/2, y}, 0.85*markerRadius(1))
		p.middle(f, l.words, left, x+keyWidth, y, endLine, ends[i].lines)
	}
}
