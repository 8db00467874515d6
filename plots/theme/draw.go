package theme

// draw paints a page from top to bottom.
func (s *sheet) draw(p pen) {
	y := s.height - marginTop
	y = p.lines(s.titleFace, black, left, marginX, y, s.title)
	if len(s.warning) > 0 {
		y = p.lines(bold(warningSize), warning, left, marginX, y-subtitleGap, s.warning)
	}
	p.lines(regular(subtitleSize), midGrey, left, marginX, y-subtitleGap, s.subtitle)

	if s.grid != nil {
		s.grid.draw(p, s.height-marginTop-s.header())
	}
	for _, c := range s.cells {
		head, banners := s.headOf(c.row)
		c.draw(p, head, banners)
	}
	s.drawFooter(p)
}

// headOf is the room above the plots of a row, and that of it which labels of
// marks take, so that the labels of the y axes of a row stand in line.
func (s *sheet) headOf(row int) (head, banners float64) {
	for _, c := range s.cells {
		if c.row == row {
			head = max(head, c.head)
			banners = max(banners, float64(rowsOf(c.above))*markRow)
		}
	}
	return head + banners, banners
}

// drawFooter paints what stands under the panels, from the top of the footer.
func (s *sheet) drawFooter(p pen) {
	y := marginBottom + s.footer()
	if h := s.key.height(); h > 0 {
		y -= sectionGap
		s.key.draw(p, marginX, y)
		y -= h
	}
	if len(s.text) > 0 {
		y -= sectionGap
		for _, paragraph := range s.text {
			y = p.lines(regular(textSize), black, left, marginX, y, paragraph) - paragraphGap
		}
		y += paragraphGap
	}
	if len(s.small) > 0 {
		y -= sectionGap
		p.hair(rule{gridGrey, 0.5, nil}, point{marginX, y}, point{s.width - marginX, y})
		p.lines(regular(smallSize), smallGrey, left, marginX, y-5, s.small)
	}
}

// draw paints a panel below the top of its row.
func (c *cell) draw(p pen, head, banners float64) {
	x, axisFace := c.plot.x0-c.left, regular(axisSize)
	top := c.plot.y1 + head
	p.lines(bold(panelSize), black, left, x, top, c.title)
	if c.blank() {
		c.drawEmpty(p)
		p.lines(regular(noteSize), smallGrey, left, x, c.plot.y0-blockGap, c.notes)
		return
	}
	yTop := c.plot.y1 + blockGap + banners + float64(len(c.yLabel))*axisFace.line()
	p.lines(axisFace, softBlack, left, x, yTop, c.yLabel)

	c.drawShades(p)
	c.drawBands(p)
	c.drawAxes(p)
	taken := &clutter{}
	c.obstruct(taken)
	c.drawMarks(p, taken)
	c.drawSeries(p)
	c.drawEnds(p, taken)
	c.drawPointLabels(p, taken)
	if len(c.beside.entries) > 0 {
		c.beside.draw(p, c.plot.x1+legendGap, c.plot.y1)
	}

	y := c.plot.y0 - tickGap - axisFace.line()
	if len(c.xLabel) > 0 {
		y -= labelGap
		y = p.lines(axisFace, softBlack, centre, (c.plot.x0+c.plot.x1)/2, y, c.xLabel)
	}
	if h := c.below.height(); h > 0 {
		y -= blockGap
		c.below.draw(p, x, y)
		y -= h
	}
	p.lines(regular(noteSize), smallGrey, left, x, y-blockGap, c.notes)
}

// drawEmpty says in an empty frame why there is nothing in it.
func (c *cell) drawEmpty(p pen) {
	r := c.plot
	r.x0 -= c.left
	for _, side := range [4][2]point{
		{{r.x0, r.y0}, {r.x1, r.y0}}, {{r.x0, r.y1}, {r.x1, r.y1}},
		{{r.x0, r.y0}, {r.x0, r.y1}}, {{r.x1, r.y0}, {r.x1, r.y1}},
	} {
		p.hair(rule{axisGrey, 0.5, nil}, side[0], side[1])
	}
	why := clean(c.Empty)
	if why == "" {
		why = "no data"
	}
	f, room := regular(textSize), r.width()-24
	lines := cutTo(balance(why, room, f.width), max(1, int((r.height()-8)/f.line())), room, f.width)
	p.middle(f, midGrey, centre, (r.x0+r.x1)/2, (r.y0+r.y1)/2, f.line(), lines)
}
