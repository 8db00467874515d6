package theme

import (
	"image/color"
	"math"
)

// Greys of the page, from text to grid.
var (
	black     = grey(0x1a)
	softBlack = grey(0x45)
	midGrey   = grey(0x5c)
	smallGrey = grey(0x6c)
	lawGrey   = grey(0x8a)
	axisGrey  = grey(0x9a)
	gridGrey  = grey(0xe4)
	shadeGrey = grey(0xf0)
	white     = grey(0xff)
)

// warning is the colour of what nobody may overlook.
var warning = color.RGBA{0xa8, 0x32, 0x06, 0xff}

func grey(v uint8) color.RGBA { return color.RGBA{v, v, v, 0xff} }

// okabeIto are the colours of Okabe and Ito that everyone can tell apart,
// without the yellow, which a line on white does not carry.
var okabeIto = [...]color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x00, 0x00, 0x00, 0xff}, // black
}

// wayDashes are the line styles of measured ways, on and off in points. All are
// mostly ink, so that none is taken for the short dashes of a computed line.
var wayDashes = [...][]float64{
	nil,
	{9, 2},
	{6, 1.8, 1.8, 1.8},
	{14, 2.2},
	{4.5, 1.8},
	{12, 1.8, 1.8, 1.8, 1.8, 1.8},
}

// computedDash is the line style of what was not measured.
var computedDash = []float64{2.6, 2.6}

// look is how one series is drawn.
type look struct {
	ink   color.RGBA // of line, bars and marker
	words color.RGBA // of its label: the ink, dark enough to be read
	width float64    // of the line, points
	dash  []float64
	mark  shape
	fill  color.Color // of a band; nil: none
	edge  color.Color // of a band
}

// lookOf gives a way the same look everywhere. Colours, markers and line styles
// run through cycles of different length, so that 56 ways differ in colour or
// marker, and any two of one colour differ in marker.
func lookOf(way int, stroke Stroke) look {
	l := look{ink: lawGrey, width: 1.3, mark: nothing}
	if way >= 0 {
		l = look{
			ink:   okabeIto[way%len(okabeIto)],
			width: 1.7,
			dash:  wayDashes[way%len(wayDashes)],
			mark:  shapes[way%len(shapes)],
		}
	}
	l.words = readable(l.ink)
	switch stroke {
	case Dashed: // computed: no point of it was measured
		l.dash, l.mark, l.width = computedDash, nothing, 1.3
	case Dots:
		l.width = 0
		if way < 0 {
			l.mark = speck
		}
	case Band:
		l.dash, l.mark, l.width = nil, nothing, 0.6
		l.fill, l.edge = tint(l.ink, 0.15), tint(l.ink, 0.5)
	}
	return l
}

// tint is a colour of which only a share is ink, the rest white: a light shade
// behind lines and words. It is opaque: the formats of pictures do not agree on
// what transparent colours look like.
func tint(c color.RGBA, ink float64) color.RGBA {
	lighter := func(v uint8) uint8 { return uint8(math.Round(ink*float64(v) + (1-ink)*0xff)) }
	return color.RGBA{lighter(c.R), lighter(c.G), lighter(c.B), 0xff}
}

// readable darkens a colour until text in it stands out from white at 4.5:1, the
// contrast that WCAG 2 asks for.
func readable(c color.RGBA) color.RGBA {
	for contrastWithWhite(c) < 4.5 {
		c.R, c.G, c.B = darker(c.R), darker(c.G), darker(c.B)
	}
	return c
}

func darker(v uint8) uint8 { return uint8(float64(v) * 0.95) }
