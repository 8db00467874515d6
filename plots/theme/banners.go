package theme

// banner is the label of a vertical mark. It stands over the plot, where no data
// are, in the first row where it does not touch its neighbour.
type banner struct {
	mark int     // index in the panel
	x    float64 // of its middle, from the left side of the plot
	row  int     // 0: next to the plot
}

// banners places the labels of vertical marks over a plot of the given width; one
// that fits in no row is left out.
func (c *cell) banners(width float64) []banner {
	f := regular(smallSize)
	var out []banner
	var rows [markRows][]rect
	for i, m := range c.Marks {
		if !m.Vertical || m.Label == "" || !m.shade() && !c.x.holds(m.Value) {
			continue
		}
		half := f.width(markText(m)) / 2
		at := c.alongX(m.Value, width)
		if m.shade() {
			from, to, ok := c.shaded(m)
			if !ok {
				continue
			}
			at = (c.alongX(from, width) + c.alongX(to, width)) / 2
		}
		at = max(half-c.left, min(at, width+c.right-half))
		for row := range rows {
			box := rect{at - half - 2.5, 0, at + half + 2.5, 1}
			if free := (&clutter{boxes: rows[row]}).free(box); free {
				rows[row] = append(rows[row], box)
				out = append(out, banner{i, at, row})
				break
			}
		}
	}
	return out
}

// markText is the label of a mark, not longer than a short sentence.
func markText(m Mark) string {
	f := regular(smallSize)
	const room = 220
	return firstOf(cutTo(wrap(clean(m.Label), room, f.width), 1, room, f.width))
}

func firstOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

func rowsOf(banners []banner) int {
	n := 0
	for _, f := range banners {
		n = max(n, f.row+1)
	}
	return n
}
