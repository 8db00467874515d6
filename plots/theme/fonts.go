package theme

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// Sizes in points, which are pixels of a picture shown at half size.
const (
	titleSize    = 20.0
	subtitleSize = 12.5
	warningSize  = 12.5
	textSize     = 13.0
	panelSize    = 13.0 // titles of panels
	axisSize     = 11.5 // ticks, axis labels, series labels
	noteSize     = 9.5
	smallSize    = 9.0
)

// face is Liberation Sans at one size.
type face struct {
	font.Face
	size float64
}

func regular(size float64) face { return sans(size, false) }
func bold(size float64) face    { return sans(size, true) }

func sans(size float64, isBold bool) face {
	for _, f := range liberation.Collection() {
		if f.Font.Variant == "Sans" && f.Font.Style == 0 && (f.Font.Weight > 0) == isBold {
			f.Font.Size = font.Points(size)
			return face{Face: f, size: size}
		}
	}
	panic("theme: gonum/plot comes without Liberation Sans")
}

func (f face) width(s string) float64 { return f.Width(s).Points() }

// has says whether the font can show a character.
func (f face) has(r rune) bool {
	glyph, err := f.Face.Face.GlyphIndex(nil, r)
	return err == nil && glyph != 0
}

// line is the distance from one baseline to the next.
func (f face) line() float64 { return 1.25 * f.size }

// ascent is how far capitals and digits rise above the baseline.
func (f face) ascent() float64 { return 0.73 * f.size }

// drop is where the first baseline lies below the top of a block of text.
func (f face) drop() float64 { return 0.95 * f.size }
