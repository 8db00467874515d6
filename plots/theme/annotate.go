package theme

import (
	"math"
	"slices"
)

// drawMarks paints the lines across the panel and their labels. A mark that lies
// beyond the axis is not drawn; Axis.To makes room for it.
func (c *cell) drawMarks(p pen, taken *clutter) {
	line := rule{lawGrey, 0.9, []float64{0.9, 2.2}}
	f := regular(smallSize)
	for _, m := range c.Marks {
		switch {
		case m.shade():
		case m.Vertical && c.x.holds(m.Value):
			x := c.at(m.Value, c.y.lo).x
			p.line(line, point{x, c.plot.y0}, point{x, c.plot.y1})
		case !m.Vertical && c.y.holds(m.Value):
			y := c.at(c.x.lo, m.Value).y
			p.line(line, point{c.plot.x0, y}, point{c.plot.x1, y})
			c.labelLevel(p, taken, y, markText(m))
		}
	}
	for _, b := range c.above {
		y := c.plot.y1 + float64(b.row)*markRow + 3
		p.text(f, smallGrey, centre, c.plot.x0+b.x, y, markText(c.Marks[b.mark]))
	}
}

// drawShades paints the shades of a panel. They lie under everything else.
func (c *cell) drawShades(p pen) {
	for _, m := range c.Marks {
		if from, to, ok := c.shaded(m); ok {
			p.box(shadeGrey, rect{c.at(from, c.y.lo).x, c.plot.y0, c.at(to, c.y.lo).x, c.plot.y1})
		}
	}
}

// shaded is the part of a shade that the axis holds, in data units.
func (c *cell) shaded(m Mark) (from, to float64, ok bool) {
	from, to = max(m.Value, c.x.lo), min(m.Until, c.x.hi)
	return from, to, m.shade() && from < to
}

// labelLevel writes the label of a horizontal mark on or under its line, at the
// first place from the left that covers nothing, or where it covers least.
func (c *cell) labelLevel(p pen, taken *clutter, y float64, label string) {
	if label == "" {
		return
	}
	f := regular(smallSize)
	w, best, least := f.width(label), rect{}, -1
	for _, below := range []bool{false, true} {
		for x := c.plot.x0 + 3; x+w <= c.plot.x1; x += 8 {
			r := rect{x, y + 2, x + w, y + 2 + f.size}
			if below {
				r.y0, r.y1 = y-2-f.size, y-2
			}
			if r.y0 < c.plot.y0 || r.y1 > c.plot.y1+f.size {
				continue
			}
			if hits := taken.hits(r.grown(1.5), 50); least < 0 || hits < least {
				best, least = r, hits
			}
		}
	}
	if least < 0 {
		return
	}
	taken.addBox(best)
	if least > 0 {
		p.box(white, best.grown(1))
	}
	p.text(f, smallGrey, left, best.x0, best.y0+0.15*f.size, label)
}

// drawPointLabels writes the labels of points where they cover nothing, at the
// point or a little away with a thin leader; a label for which there is no such
// place is left out.
func (c *cell) drawPointLabels(p pen, taken *clutter) {
	f := regular(noteSize)
	for i, s := range c.Series {
		l, gap := lookOf(s.Way, s.Stroke), markerRadius(len(s.Points))+2.5
		for k, o := range c.points(i) {
			label := clean(s.Points[k].Label)
			if label == "" {
				continue
			}
			w := f.width(label)
			free := func(r rect) bool { return c.plot.holds(r) && taken.free(r) }
			places := beside(o, gap, w, f.size)
			n := slices.IndexFunc(places, free)
			if n < 0 {
				places = around(o, 2*gap, w, f.size)
				n = slices.IndexFunc(places, func(r rect) bool {
					to := r.nearest(o)
					return free(r) && taken.crossings(o, to) <= mostCrossed && !taken.overWords(o, to)
				})
				if n < 0 {
					continue
				}
				to := places[n].nearest(o)
				away := (gap - 1.5) / math.Hypot(to.x-o.x, to.y-o.y) // of the way to the label: out of the marker
				p.line(rule{l.ink, 0.6, nil}, point{o.x + away*(to.x-o.x), o.y + away*(to.y-o.y)}, to)
			}
			taken.addWords(places[n].grown(2.5))
			p.text(f, l.words, left, places[n].x0, places[n].y0+0.17*f.size, label)
		}
	}
}
