package theme

// deal measures the panels and places their plots. What stands around a plot
// depends on its size - how many ticks there are, whether labels fit at the
// lines - and its size on what stands around; a few rounds settle it.
func (s *sheet) deal(columns, rows int) {
	const rounds = 4
	inner := s.width - 2*marginX - float64(columns-1)*gapX
	w := inner/float64(columns) - 100
	h := (s.height-marginTop-marginBottom-s.header()-s.footer())/float64(rows) - 90
	base := s.height

	for range rounds {
		h = max(h, leastHeight)
		for _, c := range s.cells {
			c.measureAxes(w, h)
			c.chooseLabels(h)
			c.settleEnds()
		}
		s.shareKey()
		for _, c := range s.cells {
			c.measureHeights(w, h)
			c.measureWidths()
		}

		around := marginTop + marginBottom + s.header() + s.footer() + float64(rows-1)*gapY
		heads, feet := s.rowRooms(rows)
		for r := range rows {
			around += heads[r] + feet[r]
		}
		s.height = max(base, around+leastHeight*float64(rows))
		h = (s.height - around) / float64(rows)

		lefts, rights := s.columnRooms(columns)
		w = inner
		for k := range columns {
			w -= lefts[k] + rights[k]
		}
		w = max(w/float64(columns), leastWidth)
		for _, c := range s.cells {
			c.left = lefts[c.column] // so that titles stand one above the other
			c.width = c.left + w + rights[c.column]
		}
		s.place(w, h, lefts, rights, heads, feet)
	}
	for _, c := range s.cells { // ticks and labels for the size that it became
		c.measureAxes(w, h)
		c.above = c.banners(w)
	}
}

// place puts the plots where they belong.
func (s *sheet) place(w, h float64, lefts, rights, heads, feet []float64) {
	y := s.height - marginTop - s.header()
	for r := range heads {
		y -= heads[r]
		x := marginX
		for k := range lefts {
			x += lefts[k]
			for _, c := range s.cells {
				if c.row == r && c.column == k {
					c.plot = rect{x, y - h, x + w, y}
				}
			}
			x += w + rights[k] + gapX
		}
		y -= h + feet[r] + gapY
	}
}

// rowRooms is the room above and below the plots of each row.
func (s *sheet) rowRooms(rows int) (heads, feet []float64) {
	heads, feet = make([]float64, rows), make([]float64, rows)
	for r := range rows {
		heads[r], _ = s.headOf(r)
	}
	for _, c := range s.cells {
		feet[c.row] = max(feet[c.row], c.foot)
	}
	return heads, feet
}

// columnRooms is the room left and right of the plots of each column.
func (s *sheet) columnRooms(columns int) (lefts, rights []float64) {
	lefts, rights = make([]float64, columns), make([]float64, columns)
	for _, c := range s.cells {
		lefts[c.column] = max(lefts[c.column], c.left)
		rights[c.column] = max(rights[c.column], c.right)
	}
	return lefts, rights
}

// shareKey replaces the legends of panels by one for the page, when there are
// several panels.
func (s *sheet) shareKey() {
	s.key = legend{}
	if len(s.cells) < 2 {
		return
	}
	var entries []entry
	for _, c := range s.cells {
		if len(c.beside.entries) > 0 || len(c.below.entries) > 0 {
			entries = union(entries, entriesOf(c.Panel))
			c.beside, c.below = legend{}, legend{}
		}
	}
	if len(entries) > 0 {
		s.key = legendBelow(entries, s.width-2*marginX)
	}
}
