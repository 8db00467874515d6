package theme

import (
	"slices"
	"strings"
)

const (
	mostDirect   = 8               // more labels than that go into a legend
	widestDirect = 0.30            // of the panel: wider labels go into a legend
	crowded      = 0.6             // of the height of the plot: more is used only if it must be
	wishedDirect = 0.20            // of the panel: wider labels take two lines if that helps
	endGap       = 7.0             // from the plot to the labels of its lines
	endsOver     = 5.0             // how far the labels may stand out above and below the plot
	endLine      = 1.06 * axisSize // between the baselines of a label
	keyLength    = 10.0            // of the piece of line before a label
	keyWidth     = keyLength + 3.5
)

// endLabel is the label at the end of a line.
type endLabel struct {
	series int // index in the panel
	lines  []string
	inside bool // the line ends inside the plot, and so does its label
}

// width is that of the label with its marker, or a piece of its line, before it.
func (e endLabel) width() float64 { return keyWidth + widest(e.lines, regular(axisSize).width) }

// height leaves more space between labels than between the lines of one.
func (e endLabel) height() float64 { return float64(len(e.lines))*endLine + 3 }

// endLabels are the labels of a panel at the ends of its lines, if they fit
// there in width and, pushed apart, in height. Points that nothing joins have no
// end.
func endLabels(p Panel, width, height float64) ([]endLabel, bool) {
	if n := len(entriesOf(p)); n == 0 || n > mostDirect {
		return nil, n == 0
	}
	if slices.ContainsFunc(p.Series, func(s Series) bool { return s.Stroke == Dots && s.Label != "" && len(s.Points) > 0 }) {
		return nil, false
	}
	for _, atCommas := range []bool{true, false} {
		var best []endLabel
		least := height + 2*endsOver
		for share := wishedDirect; share <= widestDirect; share += 0.02 {
			ends, total := endLabelsWithin(p, share*width, atCommas)
			if ends != nil && total <= crowded*height {
				return ends, true
			}
			if ends != nil && total <= least-endLine {
				best, least = ends, total
			}
		}
		if best != nil {
			return best, true
		}
	}
	return nil, false
}

// endLabelsWithin wraps the labels to a width, those with a comma perhaps only
// there, and adds up their heights; nil if one needs more than two lines.
func endLabelsWithin(p Panel, width float64, atCommas bool) ([]endLabel, float64) {
	f := regular(axisSize)
	var ends []endLabel
	total := 0.0
	for i, s := range p.Series {
		label := clean(s.Label)
		if label == "" || len(s.Points) == 0 {
			continue
		}
		e := endLabel{series: i, lines: twoParts(label, width-keyWidth, atCommas, f.width)}
		if len(e.lines) == 0 || len(e.lines) > 2 || e.width() > width || brokenWord(e.lines, label) {
			return nil, 0
		}
		total += e.height()
		ends = append(ends, e)
	}
	return ends, total
}

// twoParts wraps a label, if it must, at the comma nearest to its middle, else
// where it makes the lines about equal; nil if it shall not but has a comma.
func twoParts(label string, width float64, atCommas bool, m measure) []string {
	if m(label) <= width {
		return []string{label}
	}
	best := -1
	for i := range label {
		if strings.HasPrefix(label[i:], ", ") && (best < 0 || abs(i-len(label)/2) < abs(best-len(label)/2)) {
			best = i
		}
	}
	if best >= 0 {
		if parts := []string{label[:best+1], label[best+2:]}; widest(parts, m) <= width {
			return parts
		}
		if atCommas {
			return nil
		}
	}
	return balance(label, width, m)
}

func abs(n int) int { return max(n, -n) }

// brokenWord says whether a label was wrapped inside a word.
func brokenWord(lines []string, label string) bool {
	n := len(lines) - 1 // a space for each break
	for _, l := range lines {
		n += len(l)
	}
	return n != len(label)
}

// tail is the series at whose end the label of a series stands: its own or, when
// a line without label goes on where it ends - the same law, computed, or what is
// predicted of the same way - that one.
func tail(p Panel, series int) Series {
	s := p.Series[series]
	last := lastPoint(s.Points)
	for i, next := range p.Series {
		if i == series || next.Label != "" || next.Way != s.Way || next.Stroke == Band || len(next.Points) == 0 {
			continue
		}
		takesUp := len(next.Points) > 1 && next.Points[0].X == last.X && next.Points[0].Y == last.Y
		if takesUp || s.Way >= 0 && lastPoint(next.Points).X > last.X {
			return next
		}
	}
	return s
}

// lastPoint is the rightmost point of a series, the later of equals.
func lastPoint(points []Point) Point {
	return slices.MaxFunc(points, func(a, b Point) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
}
