package theme

import "strings"

// Sizes of the page and of its margins, points.
const (
	slideWidth, slideHeight     = 800.0, 450.0 // 1600x900 pixels: a row of panels
	summaryWidth, summaryHeight = 960.0, 600.0 // 1920x1200: rows of panels, or text
	textRoom                    = 120.0        // 1920x1440: rows of panels, and text
	marginX                     = 30.0
	marginTop                   = 24.0
	marginBottom                = 18.0
	gapX                        = 30.0 // between panels
	gapY                        = 20.0
	sectionGap                  = 13.0  // between title, panels, text and small print
	leastWidth                  = 110.0 // of a plot; the page grows rather than make less
	leastHeight                 = 128.0
	extraWidth                  = 250.0 // of the page for each column after the third
)

// sheet is a page with everything measured.
type sheet struct {
	width, height float64

	title, warning, subtitle, small []string
	titleFace                       face
	text                            [][]string // paragraphs
	cells                           []*cell
	grid                            *grid  // in place of cells; usually nil
	key                             legend // shared by panels that would have the same
}

// layout measures a page and deals out its room: plots of one size everywhere,
// with just what their labels need around them.
func layout(p Page) *sheet {
	if p.Table != nil {
		return tabulate(p)
	}
	columns := p.Columns
	if columns <= 0 || columns > len(p.Panels) {
		columns = max(1, len(p.Panels))
	}
	rows := (len(p.Panels) + columns - 1) / columns

	s := &sheet{width: slideWidth, height: slideHeight}
	if rows > 1 || len(p.Text) > 0 {
		s.width, s.height = summaryWidth, summaryHeight
	}
	if rows > 1 && len(p.Text) > 0 {
		s.height += textRoom
	}
	s.width += extraWidth * float64(max(0, columns-3))
	s.wrapWords(p)

	inner := s.width - 2*marginX
	nominal := (inner - float64(columns-1)*gapX) / float64(columns)
	for i, panel := range p.Panels {
		s.cells = append(s.cells, &cell{Panel: panel, column: i % columns, row: i / columns, width: nominal})
	}
	if rows > 0 {
		s.deal(columns, rows)
	}
	return s
}

// wrapWords breaks everything outside the panels into lines.
func (s *sheet) wrapWords(p Page) {
	inner := s.width - 2*marginX
	s.titleFace, s.title = headline(clean(p.Title), inner)
	alarm := bold(warningSize)
	s.warning = cutTo(balance(clean(p.Warning), inner, alarm.width), 3, inner, alarm.width)
	sub := regular(subtitleSize)
	s.subtitle = cutTo(wrap(clean(p.Subtitle), inner, sub.width), 4, inner, sub.width)
	body := regular(textSize)
	for _, sentence := range p.Text {
		if lines := paragraph(clean(sentence), inner, body.width); len(lines) > 0 {
			s.text = append(s.text, lines)
		}
	}
	s.small = wrap(smallPrint(p.Small), inner, regular(smallSize).width)
}

// headline wraps a title in at most two lines, smaller if it is long, and cuts
// what is left over after four small ones.
func headline(title string, width float64) (face, []string) {
	for _, try := range []struct {
		size  float64
		lines int
	}{{titleSize, 1}, {18, 1}, {titleSize, 2}, {17, 2}, {15, 3}} {
		f := bold(try.size)
		if lines := balance(title, width, f.width); len(lines) <= try.lines {
			return f, lines
		}
	}
	f := bold(13)
	return f, cutTo(wrap(title, width, f.width), 4, width, f.width)
}

// smallPrint runs sentences together.
func smallPrint(sentences []string) string {
	var b strings.Builder
	for _, s := range sentences {
		s = clean(s)
		switch {
		case s == "":
			continue
		case b.Len() == 0:
		case strings.HasSuffix(b.String(), "."):
			b.WriteString(" ")
		default:
			b.WriteString(" · ")
		}
		b.WriteString(s)
	}
	return b.String()
}

// header is the height of title, warning and subtitle.
func (s *sheet) header() float64 {
	h := float64(len(s.title))*s.titleFace.line() + float64(len(s.subtitle))*regular(subtitleSize).line()
	if len(s.warning) > 0 {
		h += subtitleGap + float64(len(s.warning))*bold(warningSize).line()
	}
	if len(s.subtitle) > 0 {
		h += subtitleGap
	}
	if h > 0 {
		h += sectionGap
	}
	return h
}

// subtitleGap is the space between title, warning and subtitle.
const subtitleGap = 2.0

// footer is the height of what stands under the panels.
func (s *sheet) footer() float64 {
	h := 0.0
	if k := s.key.height(); k > 0 {
		h += sectionGap + k
	}
	if len(s.text) > 0 {
		h += sectionGap + s.textHeight()
	}
	if len(s.small) > 0 {
		h += sectionGap + 5 + float64(len(s.small))*regular(smallSize).line()
	}
	return h
}

// paragraphGap is the space between paragraphs.
const paragraphGap = 4.0

func (s *sheet) textHeight() float64 {
	h := -paragraphGap
	for _, paragraph := range s.text {
		h += float64(len(paragraph))*regular(textSize).line() + paragraphGap
	}
	return h
}
