package theme

// mostMarks is how many ticks without label an axis may show.
const mostMarks = 40

// drawAxes paints grid, ticks and tick labels.
func (c *cell) drawAxes(p pen) {
	f := regular(axisSize)
	grid := rule{gridGrey, 0.5, nil}
	for _, t := range c.y.ticks {
		y := c.at(c.x.lo, t.at).y
		if t.label != "" || len(c.y.ticks) <= mostMarks {
			p.hair(grid, point{c.plot.x0, y}, point{c.plot.x1, y})
		}
		p.text(f, softBlack, right, c.plot.x0-tickGap, y-f.ascent()/2, t.label)
	}
	for _, t := range c.x.ticks {
		x := c.at(t.at, c.y.lo).x
		if t.label != "" || len(c.x.ticks) <= mostMarks {
			p.hair(grid, point{x, c.plot.y0}, point{x, c.plot.y1})
			p.hair(rule{axisGrey, 1, nil}, point{x, c.plot.y0 - 3}, point{x, c.plot.y0})
		}
		p.text(f, softBlack, centre, x, c.plot.y0-tickGap-f.drop(), t.label)
	}
	p.hair(rule{axisGrey, 1, nil}, point{c.plot.x0, c.plot.y0}, point{c.plot.x1, c.plot.y0})
}
