package theme

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// align is the part of a text that lies left of its position.
type align float64

const (
	left   align = 0
	centre align = 0.5
	right  align = 1
)

// text writes one line with its baseline at y.
func (p pen) text(f face, c color.Color, a align, x, y float64, s string) {
	if s == "" {
		return
	}
	x -= float64(a) * f.width(s)
	p.SetColor(c)
	if p.outlines {
		p.Fill(outline(f, x, y, s))
		return
	}
	p.FillString(f.Face, at(point{x, y}), s)
}

// lines writes a block of lines below a top and returns where it ends.
func (p pen) lines(f face, c color.Color, a align, x, top float64, lines []string) float64 {
	for i, s := range lines {
		p.text(f, c, a, x, top-f.drop()-float64(i)*f.line(), s)
	}
	return top - float64(len(lines))*f.line()
}

// middle writes a block of lines, a pitch apart, around a height.
func (p pen) middle(f face, c color.Color, a align, x, y, pitch float64, lines []string) {
	baseline := y + float64(len(lines)-1)*pitch/2 - f.ascent()/2
	for i, s := range lines {
		p.text(f, c, a, x, baseline-float64(i)*pitch, s)
	}
}

// outline is a line of text as shapes. A rune that the font lacks is the box
// that the font has for those.
func outline(f face, x, y float64, s string) vg.Path {
	var out vg.Path
	const em = 1000 << 6 // 26.6 fixed point units of 1/1000 of the size
	scale := f.size / em
	var done string
	for _, r := range s {
		glyph, err := f.Face.Face.GlyphIndex(nil, r)
		if err != nil {
			continue
		}
		start := x + f.width(done+string(r)) - f.width(string(r))
		done += string(r)
		segments, err := f.Face.Face.LoadGlyph(nil, glyph, em, nil)
		if err != nil {
			continue
		}
		open := false
		for _, seg := range segments {
			var pts [3]vg.Point
			for i, a := range seg.Args {
				pts[i] = at(point{start + float64(a.X)*scale, y - float64(a.Y)*scale})
			}
			switch seg.Op {
			case 0: // move
				if open {
					out.Close()
				}
				out.Move(pts[0])
				open = true
			case 1:
				out.Line(pts[0])
			case 2:
				out.QuadTo(pts[0], pts[1])
			case 3:
				out.CubeTo(pts[0], pts[1], pts[2])
			}
		}
		if open {
			out.Close()
		}
	}
	return out
}
