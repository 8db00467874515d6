package theme

import (
	"image/color"
	"slices"
)

// Lengths of tables, points.
const (
	cellSize    = 10.5 // of the words in cells
	cellPad     = 5.0  // left and right of words
	cellLead    = 2.5  // above and below them
	cellGap     = 2.0  // between coloured cells
	markRadius  = 3.0
	markRoom    = 2*markRadius + 6 // of a mark and the space behind it
	groupLead   = 9.0              // above the heading of a group
	leastColumn = 60.0             // of the last column
)

// grid is a table with everything measured, for a page.
type grid struct {
	left    []float64 // of each column; one more for where the last one ends
	columns [][]string
	groups  []gridGroup
	key     []TableCell
}

type gridGroup struct {
	title string
	rows  []gridRow
}

type gridRow struct {
	cells  []gridCell
	height float64
}

type gridCell struct {
	lines []string
	tone  Tone
}

// tabulate lays out a page with a table: as high as its rows are.
func tabulate(p Page) *sheet {
	s := &sheet{width: summaryWidth}
	s.wrapWords(p)
	s.grid = gridOf(p.Table, s.width-2*marginX)
	s.height = marginTop + s.header() + s.grid.height() + s.footer() + marginBottom
	return s
}

// gridOf gives the first column the room its cells need, those between it and
// the last what the widest cell of any of them needs, and the last the rest.
func gridOf(t *Table, width float64) *grid {
	last := len(t.Columns) - 1
	g := &grid{left: make([]float64, last+2), key: t.Key}
	first, between := wordRoom(t.Columns[0]), 0.0
	for _, head := range t.Columns[1:last] {
		between = max(between, wordRoom(head))
	}
	for _, group := range t.Groups {
		for _, row := range group.Rows {
			first = max(first, row[0].natural())
			for _, c := range row[1:last] {
				between = max(between, c.natural())
			}
		}
	}
	first = min(first, width/3)
	if last > 1 {
		between = min(between, (width-first-leastColumn)/float64(last-1))
	}
	for i := range last {
		width := between
		if i == 0 {
			width = first
		}
		g.left[i+1] = g.left[i] + width
	}
	g.left[last+1] = width

	head := bold(cellSize)
	for i, text := range t.Columns {
		g.columns = append(g.columns, wrap(clean(text), g.room(i, Plain), head.width))
	}
	for _, group := range t.Groups {
		out := gridGroup{title: clean(group.Title)}
		for _, cells := range group.Rows {
			var row gridRow
			for i, c := range cells {
				lines := wrap(clean(c.Text), g.room(i, c.Tone), c.Tone.face().width)
				row.cells = append(row.cells, gridCell{lines, c.Tone})
				row.height = max(row.height, float64(max(1, len(lines)))*regular(cellSize).line()+2*cellLead+cellGap)
			}
			out.rows = append(out.rows, row)
		}
		g.groups = append(g.groups, out)
	}
	return g
}

// natural is the width of a cell whose words stand on one line.
func (c TableCell) natural() float64 {
	return c.Tone.face().width(clean(c.Text)) + 2*cellPad + c.Tone.markRoom() + cellGap + 1
}

// wordRoom is what the head of a column needs at least.
func wordRoom(head string) float64 {
	return widest(slices.Collect(words(clean(head))), bold(cellSize).width) + 2*cellPad + cellGap + 1
}

// room is what a column has for the words of a cell.
func (g *grid) room(column int, t Tone) float64 {
	return g.left[column+1] - g.left[column] - 2*cellPad - cellGap - t.markRoom()
}

func (g *grid) headHeight() float64 {
	most := 0
	for _, lines := range g.columns {
		most = max(most, len(lines))
	}
	return float64(most)*bold(cellSize).line() + 4
}

func (g *grid) height() float64 {
	h := g.headHeight()
	for _, group := range g.groups {
		h += group.headHeight()
		for _, row := range group.rows {
			h += row.height
		}
	}
	if len(g.key) > 0 {
		h += sectionGap + regular(cellSize).line()
	}
	return h
}

func (g gridGroup) headHeight() float64 {
	if g.title == "" {
		return cellGap
	}
	return groupLead + bold(axisSize).line()
}

// draw paints the table below a height.
func (g *grid) draw(p pen, y float64) {
	x, end := marginX, marginX+g.left[len(g.left)-1]
	below := y - g.headHeight()
	for i, lines := range g.columns {
		top := below + 4 + float64(len(lines))*bold(cellSize).line()
		p.lines(bold(cellSize), softBlack, left, x+g.left[i]+cellPad, top, lines)
	}
	p.hair(rule{axisGrey, 1, nil}, point{x, below}, point{end, below})
	y = below
	for _, group := range g.groups {
		if group.title != "" {
			p.text(bold(axisSize), black, left, x+cellPad, y-groupLead-bold(axisSize).drop(), group.title)
		}
		y -= group.headHeight()
		for _, row := range group.rows {
			for i, c := range row.cells {
				c.draw(p, rect{x + g.left[i], y - row.height + cellGap, x + g.left[i+1] - cellGap, y})
			}
			y -= row.height
			p.hair(rule{gridGrey, 0.5, nil}, point{x, y + cellGap/2}, point{end, y + cellGap/2})
		}
	}
	y -= sectionGap
	for _, c := range g.key {
		width := c.natural()
		line := gridCell{[]string{clean(c.Text)}, c.Tone}
		line.draw(p, rect{x, y - regular(cellSize).line(), x + width - cellGap, y})
		x += width + 10
	}
}

// draw paints a cell into its rectangle.
func (c gridCell) draw(p pen, r rect) {
	if len(c.lines) == 0 {
		return
	}
	middle := (r.y0 + r.y1) / 2
	x := r.x0 + cellPad
	if fill := c.tone.fill(); fill != nil {
		p.box(fill, r)
		p.sign(c.tone, point{x + markRadius, middle})
		x += c.tone.markRoom()
	}
	f := c.tone.face()
	p.middle(f, black, left, x, middle, f.line(), c.lines)
}

// The look of tones: from light to dark, a disc, a triangle, a cross.

func (t Tone) fill() color.Color {
	switch t {
	case Good:
		return tint(okabeIto[2], 0.10)
	case Notable:
		return tint(okabeIto[4], 0.32)
	case Bad:
		return tint(okabeIto[1], 0.50)
	}
	return nil
}

func (t Tone) face() face {
	if t == Bad {
		return bold(cellSize)
	}
	return regular(cellSize)
}

func (t Tone) markRoom() float64 {
	if t == Plain {
		return 0
	}
	return markRoom
}

// sign draws the mark of a tone.
func (p pen) sign(t Tone, o point) {
	switch t {
	case Good:
		p.SetLineDash(nil, 0)
		p.SetColor(readable(okabeIto[2]))
		p.Fill(circle(o, 0.8*markRadius))
	case Notable:
		p.fill(softBlack, moved(pyramid.outline(markRadius), o))
	case Bad:
		a := 0.9 * markRadius
		for _, up := range []float64{-1, 1} {
			p.line(rule{black, 1.6, nil}, point{o.x - a, o.y - up*a}, point{o.x + a, o.y + up*a})
		}
	}
}
