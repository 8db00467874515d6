package theme

import (
	"fmt"
	"math"
	"strings"
)

// Distances inside a panel, points.
const (
	tickGap    = 6.0  // between tick labels and the plot
	labelGap   = 4.0  // between tick labels and the label of the axis
	blockGap   = 7.0  // between blocks of text
	insetX     = 11.0 // between the sides of the plot and its first and last point
	insetY     = 8.0
	markRow    = 12.0 // height of a row of labels of vertical marks
	markRows   = 3
	rightEmpty = 12.0 // right of a plot without labels there
)

// cell is a panel with its measures: first those around the plot, then, when
// the page has dealt out the room, the plot.
type cell struct {
	Panel
	column, row int
	width       float64 // of the whole
	plot        rect

	title, yLabel, xLabel, notes []string
	above                        []banner // labels of vertical marks, over the plot
	x, y                         axis
	ends                         []endLabel
	beside, below                legend

	head, foot, left, right float64 // room around the plot
}

// values are all that the axes must hold, bars included.
func (c *cell) values() (xs, ys []float64) {
	for _, s := range c.Series {
		for _, p := range s.Points {
			xs = append(xs, p.X)
			ys = append(ys, p.Y, p.Lo, p.Hi)
		}
	}
	return xs, ys
}

// blank says whether there is nothing to draw.
func (c *cell) blank() bool {
	xs, _ := c.values()
	return c.Empty != "" || len(xs) == 0
}

// measureAxes chooses ticks for a plot of the given size.
func (c *cell) measureAxes(width, height float64) {
	if c.blank() {
		return
	}
	f := regular(axisSize)
	xs, ys := c.values()
	c.x = newAxis(c.X, xs, width-2*insetX, func(s string) float64 { return f.width(s) + 9 })
	c.y = newAxis(c.Y, ys, height-2*insetY, func(string) float64 { return 1.45 * f.size })
}

// measureHeights wraps the words of a panel to its width and adds up what stands
// above and below a plot of about the given size.
func (c *cell) measureHeights(width, height float64) {
	titleFace, axisFace, noteFace := bold(panelSize), regular(axisSize), regular(noteSize)
	c.title = cutTo(balance(clean(c.Panel.Title), c.width, titleFace.width), 3, c.width, titleFace.width)
	c.notes = wrapAll(c.noted(), c.width, noteFace.width)
	c.yLabel, c.xLabel, c.above = nil, nil, nil
	if !c.blank() {
		c.yLabel = cutTo(wrap(c.yTitle(), c.width, axisFace.width), 3, c.width, axisFace.width)
		c.xLabel = cutTo(balance(axisTitle(c.X), width, axisFace.width), 3, width, axisFace.width)
		c.above = c.banners(width)
	}

	c.head = float64(len(c.title))*titleFace.line() + float64(len(c.yLabel))*axisFace.line()
	if len(c.title) > 0 && len(c.yLabel) > 0 {
		c.head += 2
	}
	if c.head > 0 {
		c.head += blockGap
	}

	c.foot = 0
	if !c.blank() {
		c.foot = tickGap + axisFace.line()
		if len(c.xLabel) > 0 {
			c.foot += labelGap + float64(len(c.xLabel))*axisFace.line()
		}
	}
	if h := c.below.height(); h > 0 {
		c.foot += blockGap + h
	}
	if len(c.notes) > 0 {
		c.foot += blockGap + float64(len(c.notes))*noteFace.line()
	}
}

// measureWidths adds up what stands left and right of the plot.
func (c *cell) measureWidths() {
	c.left, c.right = 0, rightEmpty
	if c.blank() {
		c.right = 0
		return
	}
	f := regular(axisSize)
	for _, t := range c.y.ticks {
		c.left = max(c.left, f.width(t.label)+tickGap)
	}
	for _, e := range c.ends {
		if !e.inside {
			c.right = max(c.right, endGap+e.width())
		}
	}
	if len(c.beside.entries) > 0 {
		c.right = legendGap + c.beside.width()
	}
}

// chooseLabels puts the labels of the lines at their ends or into a legend.
func (c *cell) chooseLabels(height float64) {
	c.ends, c.beside, c.below = nil, legend{}, legend{}
	if c.blank() {
		return
	}
	var ok bool
	if c.ends, ok = endLabels(c.Panel, c.width, height); ok {
		return
	}
	entries := entriesOf(c.Panel)
	if l, fits := legendBeside(entries, widestDirect*c.width, height); fits {
		c.beside = l
		return
	}
	c.below = legendBelow(entries, c.width)
}

// noted are the notes, and the series that have no points, by name.
func (c *cell) noted() []string {
	notes := c.Notes
	var missing []string
	for _, s := range c.Series {
		if s.Label != "" && len(s.Points) == 0 {
			missing = append(missing, clean(s.Label))
		}
	}
	if len(missing) > 0 && c.Empty == "" {
		notes = append(append([]string(nil), notes...), "Without data: "+strings.Join(missing, "; ")+".")
	}
	return notes
}

// axisTitle is the label of an axis and, if that is not said, that it is logarithmic.
func axisTitle(a Axis) string {
	label := clean(a.Label)
	if a.Scale == Log && !strings.Contains(label, "log") {
		return joined(label, "log scale")
	}
	return label
}

// yTitle says besides where a linear axis does not begin at zero.
func (c *cell) yTitle() string {
	label := axisTitle(c.Y)
	if c.Y.Scale == Linear && (c.y.lo > 0 || c.y.hi < 0) {
		nearest := c.y.lo
		if math.Abs(c.y.hi) < math.Abs(nearest) {
			nearest = c.y.hi
		}
		return joined(label, fmt.Sprintf("axis from %s, not 0", number(nearest, 1e4)))
	}
	return label
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + " · " + b
}
