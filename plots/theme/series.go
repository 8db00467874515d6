package theme

import "math"

// drawSeries paints lines under bars under markers, so that no bar is hidden by
// the line of another series and no marker by anything. Laws lie under ways.
func (c *cell) drawSeries(p pen) {
	order := make([]int, 0, len(c.Series))
	for i, s := range c.Series {
		if s.Way < 0 {
			order = append(order, i)
		}
	}
	for i, s := range c.Series {
		if s.Way >= 0 {
			order = append(order, i)
		}
	}
	for _, i := range order {
		l := lookOf(c.Series[i].Way, c.Series[i].Stroke)
		if l.fill == nil {
			p.line(rule{l.ink, l.width, l.dash}, c.joined(i, l)...)
		}
	}
	for _, i := range order {
		c.drawBars(p, c.Series[i])
	}
	for _, i := range order {
		s := c.Series[i]
		l, r := lookOf(s.Way, s.Stroke), markerRadius(len(s.Points))
		every := l.markEvery(len(s.Points))
		for k, o := range c.points(i) {
			if k%every == 0 {
				p.marker(l.mark, l.ink, o, r)
			}
			if s.Points[k].Crossed && l.mark != nothing {
				p.crossOut(o, r)
			}
		}
	}
}

// markEvery thins out the markers on a line with so many points that it would be
// one of markers.
func (l look) markEvery(points int) int {
	const most, wanted = 30, 12
	if points <= most || l.width == 0 {
		return 1
	}
	return points / wanted
}

// joined are the points that a line leads through; one alone without a marker
// becomes a short line.
func (c *cell) joined(series int, l look) []point {
	const half = 7
	pts := c.points(series)
	if len(pts) == 1 && l.mark == nothing {
		return []point{{pts[0].x - half, pts[0].y}, {pts[0].x + half, pts[0].y}}
	}
	return pts
}

// points are where the points of a series lie.
func (c *cell) points(series int) []point {
	pts := make([]point, len(c.Series[series].Points))
	for i, p := range c.Series[series].Points {
		pts[i] = c.at(p.X, p.Y)
	}
	return pts
}

// drawBars paints the intervals of a series, each side as far as it reaches out
// of the marker: what lies under that is less than the picture can show.
func (c *cell) drawBars(p pen, s Series) {
	if s.Stroke == Band {
		return
	}
	const reach = 3 // half the width of a cap
	l := lookOf(s.Way, s.Stroke)
	bar, hidden := rule{l.ink, 1, nil}, 0.0
	if l.mark != nothing {
		hidden = markerRadius(len(s.Points)) + 1
	}
	for _, pt := range s.Points {
		o := c.at(pt.X, pt.Y)
		for _, end := range []point{c.at(pt.X, pt.Lo), c.at(pt.X, pt.Hi)} {
			if math.Abs(end.y-o.y) > hidden {
				p.line(bar, o, end)
				p.line(bar, point{end.x - reach, end.y}, point{end.x + reach, end.y})
			}
		}
	}
}

// obstruct notes what series and marks cover, for labels that must not.
func (c *cell) obstruct(taken *clutter) {
	for _, m := range c.Marks {
		if m.Vertical && !m.shade() && c.x.holds(m.Value) {
			x := c.at(m.Value, c.y.lo).x
			taken.addLine(point{x, c.plot.y0}, point{x, c.plot.y1})
		}
		if !m.Vertical && c.y.holds(m.Value) {
			y := c.at(c.x.lo, m.Value).y
			taken.addLine(point{c.plot.x0, y}, point{c.plot.x1, y})
		}
	}
	for i, s := range c.Series {
		if s.Stroke == Band {
			c.obstructBand(taken, i)
			continue
		}
		l, r := lookOf(s.Way, s.Stroke), markerRadius(len(s.Points))
		pts := c.points(i)
		for k, o := range pts {
			reach := r
			if s.Points[k].Crossed {
				reach *= crossReach
			}
			taken.addBox(rect{o.x, o.y, o.x, o.y}.grown(reach))
			if k > 0 && l.width > 0 {
				taken.addLine(pts[k-1], o)
			}
			if p := s.Points[k]; p.Lo != p.Hi {
				taken.addLine(c.at(p.X, p.Lo), c.at(p.X, p.Hi))
			}
		}
	}
}
