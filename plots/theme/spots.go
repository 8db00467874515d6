package theme

import "slices"

// beside are the places for a label of a point, the best first.
func beside(o point, gap, w, h float64) []rect {
	near := gap / 2
	return []rect{
		{o.x + gap, o.y - h/2, o.x + gap + w, o.y + h/2},
		{o.x - w/2, o.y + gap, o.x + w/2, o.y + gap + h},
		{o.x - w/2, o.y - gap - h, o.x + w/2, o.y - gap},
		{o.x - gap - w, o.y - h/2, o.x - gap, o.y + h/2},
		{o.x + near, o.y + near, o.x + near + w, o.y + near + h},
		{o.x + near, o.y - near - h, o.x + near + w, o.y - near},
		{o.x - near - w, o.y + near, o.x - near, o.y + near + h},
		{o.x - near - w, o.y - near - h, o.x - near, o.y - near},
		{o.x - near, o.y - gap - h, o.x - near + w, o.y - gap},
		{o.x - near, o.y + gap, o.x - near + w, o.y + gap + h},
		{o.x + near - w, o.y - gap - h, o.x + near, o.y - gap},
		{o.x + near - w, o.y + gap, o.x + near, o.y + gap + h},
	}
}

// around are places for a label away from its point.
func around(o point, away, w, h float64) []rect {
	return []rect{
		{o.x + away, o.y - away - h, o.x + away + w, o.y - away},
		{o.x + away, o.y + away, o.x + away + w, o.y + away + h},
		{o.x - away - w, o.y + away, o.x - away, o.y + away + h},
		{o.x - away - w, o.y - away - h, o.x - away, o.y - away},
		{o.x - w/2, o.y + away, o.x + w/2, o.y + away + h},
		{o.x - w/2, o.y - away - h, o.x + w/2, o.y - away},
	}
}

const (
	// endsEarly is how far from the right side of the plot, as a share of it, a
	// line ends whose label is better inside the plot than beside it.
	endsEarly = 0.2
	// widestInside is how wide such a label may be.
	widestInside = 0.45
	// mostCrossed is how many lines its leader may cross.
	mostCrossed = 2
)

// settleEnds finds out which labels stand inside the plot as it is now.
func (c *cell) settleEnds() {
	if len(c.ends) == 0 || c.plot.width() <= 0 {
		return
	}
	for i := range c.ends {
		c.ends[i].inside = true
	}
	taken := &clutter{}
	c.obstruct(taken)
	c.arrangeEnds(taken)
}

// arrangeEnds places the labels of lines: those outside at heights, those inside
// in rectangles, each at the index of its label. Labels inside for which there is
// no room go outside, and all are placed again, because leaders change.
func (c *cell) arrangeEnds(taken *clutter) (heights []float64, spots []rect) {
	spots = make([]rect, len(c.ends))
	for {
		heights = c.endHeights()
		trial := taken.clone()
		for i, e := range c.ends {
			if !e.inside {
				trial.addLine(c.end(e), point{c.plot.x1 + endGap, heights[i]})
			}
		}
		moved := false
		for i, e := range c.ends {
			if !e.inside {
				continue
			}
			var ok bool
			if spots[i], ok = c.insideSpot(e, trial); !ok {
				c.ends[i].inside, moved = false, true
				continue
			}
			trial.addLine(c.end(e), spots[i].nearest(c.end(e)))
		}
		if !moved {
			*taken = *trial
			return heights, spots
		}
	}
}

// endHeights pushes the labels outside apart.
func (c *cell) endHeights() []float64 {
	var outside []int
	var want, height []float64
	for i, e := range c.ends {
		if !e.inside {
			outside = append(outside, i)
			want, height = append(want, c.end(e).y), append(height, e.height())
		}
	}
	heights := make([]float64, len(c.ends))
	for k, y := range spread(want, height, c.plot.y0-endsOver, c.plot.y1+endsOver) {
		heights[outside[k]] = y
	}
	return heights
}

// insideSpot is where the label of a line that ends early can stand.
func (c *cell) insideSpot(e endLabel, taken *clutter) (rect, bool) {
	s := c.Series[e.series]
	o := c.end(e)
	f := regular(axisSize)
	w := f.width(clean(s.Label))
	if o.x > c.plot.x1-endsEarly*c.plot.width() || w > widestInside*c.plot.width() {
		return rect{}, false
	}
	places := beside(o, markerRadius(len(s.Points))+3.5, w, f.size)
	for away := 10.0; away <= 70; away += 5 { // with a leader
		places = append(places, around(o, away, w, f.size)...)
	}
	n := slices.IndexFunc(places, func(r rect) bool {
		to := r.nearest(o)
		return c.plot.holds(r) && taken.free(r.grown(2)) && taken.crossings(o, to) <= mostCrossed && !taken.overWords(o, to)
	})
	if n < 0 {
		return rect{}, false
	}
	taken.addWords(places[n].grown(2))
	return places[n], true
}

// end is where the line of a label ends.
func (c *cell) end(e endLabel) point {
	last := lastPoint(tail(c.Panel, e.series).Points)
	return c.at(last.X, last.Y)
}
