package theme

import (
	"cmp"
	"slices"
)

const (
	swatchLength = 26.0
	swatchGap    = 6.0
	legendGap    = 18.0 // between columns
)

// entry is one line of a legend.
type entry struct {
	look  look
	label string
	lines []string // the label, wrapped
	end   float64  // where the line ends
}

// legend is a table of entries, for panels whose labels do not fit at their lines.
type legend struct {
	entries []entry
	columns int
	pitch   float64 // from column to column
}

// entriesOf are the labelled series of a panel.
func entriesOf(p Panel) []entry {
	var out []entry
	for i, s := range p.Series {
		if label := clean(s.Label); label != "" && len(s.Points) > 0 {
			out = append(out, entry{look: lookOf(s.Way, s.Stroke), label: label, end: lastPoint(tail(p, i).Points).Y})
		}
	}
	return out
}

// union adds the entries that are not there yet.
func union(a, b []entry) []entry {
	for _, e := range b {
		if !slices.ContainsFunc(a, func(o entry) bool {
			return o.label == e.label && o.look.ink == e.look.ink && o.look.mark == e.look.mark && slices.Equal(o.look.dash, e.look.dash)
		}) {
			a = append(a, e)
		}
	}
	return a
}

// legendBelow arranges entries in as many columns as a width holds.
func legendBelow(entries []entry, width float64) legend {
	f := regular(axisSize)
	room := width - swatchLength - swatchGap
	labels := 0.0
	for _, e := range entries {
		labels = max(labels, f.width(e.label))
	}
	labels = min(labels, room)
	l := legend{entries: slices.Clone(entries), pitch: swatchLength + swatchGap + labels + legendGap}
	l.columns = max(1, min(len(entries), int((width+legendGap)/l.pitch)))
	rows := (len(entries) + l.columns - 1) / l.columns
	l.columns = (len(entries) + rows - 1) / rows // as few columns as these rows need
	for i := range l.entries {
		l.entries[i].lines = cutTo(balance(l.entries[i].label, labels+0.1, f.width), 2, labels, f.width)
	}
	return l
}

// legendBeside is one column no wider than a width and no higher than a height, if
// the entries fit there, in the order in which the lines end.
func legendBeside(entries []entry, width, height float64) (legend, bool) {
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(b.end, a.end) })
	l := legendBelow(entries, width)
	l.columns = 1
	for _, e := range l.entries {
		if len(e.lines) != 1 || e.lines[0] != e.label {
			return l, false
		}
	}
	return l, l.height() <= height
}

func (l legend) rows() [][]entry {
	if len(l.entries) == 0 {
		return nil
	}
	return slices.Collect(slices.Chunk(l.entries, l.columns))
}

func (l legend) width() float64 { return float64(l.columns)*l.pitch - legendGap }

func (l legend) height() float64 {
	h := 0.0
	for _, row := range l.rows() {
		h += rowHeight(row)
	}
	return h
}

func rowHeight(row []entry) float64 {
	n := 1
	for _, e := range row {
		n = max(n, len(e.lines))
	}
	return float64(n)*regular(axisSize).line() + 2
}

func (l legend) draw(p pen, x, top float64) {
	f := regular(axisSize)
	for _, row := range l.rows() {
		for i, e := range row {
			at := x + float64(i)*l.pitch
			p.swatch(e.look, at, top-f.line()/2, swatchLength)
			p.lines(f, black, left, at+swatchLength+swatchGap, top, e.lines)
		}
		top -= rowHeight(row)
	}
}
