package theme

// alongX is where a value lies from the left side of a plot of the given width.
// An axis that begins at zero begins at the side, others a little inside.
func (c *cell) alongX(v, width float64) float64 {
	from := insetX
	if c.X.Scale == Linear && c.X.FromZero && c.x.lo == 0 {
		from = 0
	}
	return from + c.x.along(v)*(width-from-insetX)
}

// alongY is where a value lies from the bottom of a plot of the given height.
func (c *cell) alongY(v, height float64) float64 {
	from := insetY
	if c.Y.Scale == Linear && c.y.lo == 0 {
		from = 0
	}
	return from + c.y.along(v)*(height-from-insetY)
}

func (c *cell) at(x, y float64) point {
	return point{c.plot.x0 + c.alongX(x, c.plot.width()), c.plot.y0 + c.alongY(y, c.plot.height())}
}
