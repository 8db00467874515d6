package theme

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// pen draws in points on any canvas of gonum/plot.
type pen struct {
	vg.Canvas
	outlines bool // text as shapes
}

// rule is the style of a line.
type rule struct {
	colour color.Color
	width  float64
	dash   []float64
}

func at(p point) vg.Point { return vg.Point{X: vg.Points(p.x), Y: vg.Points(p.y)} }

func (p pen) line(r rule, pts ...point) {
	if len(pts) < 2 || r.width <= 0 {
		return
	}
	dash := make([]vg.Length, len(r.dash))
	for i, d := range r.dash {
		dash[i] = vg.Points(d)
	}
	p.SetColor(r.colour)
	p.SetLineWidth(vg.Points(r.width))
	p.SetLineDash(dash, 0)
	p.Stroke(path(pts))
}

// hair draws a horizontal or vertical line sharply: its middle lies on the grid
// of half points, which are pixels.
func (p pen) hair(r rule, a, b point) {
	shift := 0.0
	if pixels := math.Round(2 * r.width); math.Mod(pixels, 2) == 1 {
		shift = 0.25
	}
	sharp := func(v float64) float64 { return math.Floor(2*v)/2 + shift }
	if a.y == b.y {
		a.y, b.y = sharp(a.y), sharp(b.y)
	} else {
		a.x, b.x = sharp(a.x), sharp(b.x)
	}
	p.line(r, a, b)
}

func (p pen) fill(c color.Color, pts []point) {
	shape := path(pts)
	shape.Close()
	p.SetColor(c)
	p.Fill(shape)
}

func (p pen) box(c color.Color, r rect) {
	p.fill(c, []point{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}})
}

func path(pts []point) vg.Path {
	var out vg.Path
	for i, pt := range pts {
		if i == 0 {
			out.Move(at(pt))
		} else {
			out.Line(at(pt))
		}
	}
	return out
}

// circle is four Bezier curves, which every canvas draws alike.
func circle(c point, r float64) vg.Path {
	k := r * 4 / 3 * (math.Sqrt2 - 1)
	var out vg.Path
	out.Move(at(point{c.x + r, c.y}))
	out.CubeTo(at(point{c.x + r, c.y + k}), at(point{c.x + k, c.y + r}), at(point{c.x, c.y + r}))
	out.CubeTo(at(point{c.x - k, c.y + r}), at(point{c.x - r, c.y + k}), at(point{c.x - r, c.y}))
	out.CubeTo(at(point{c.x - r, c.y - k}), at(point{c.x - k, c.y - r}), at(point{c.x, c.y - r}))
	out.CubeTo(at(point{c.x + k, c.y - r}), at(point{c.x + r, c.y - k}), at(point{c.x + r, c.y}))
	out.Close()
	return out
}

// marker draws a marker with a white edge, so that it stands out from lines and
// from other markers.
func (p pen) marker(s shape, c color.Color, o point, r float64) {
	const edge = 0.8
	p.SetLineDash(nil, 0)
	switch s {
	case nothing:
	case speck:
		p.SetColor(c)
		p.Fill(circle(o, 0.55*r))
	case disc, ring:
		p.SetColor(white)
		p.Fill(circle(o, r+edge))
		p.SetColor(c)
		if s == disc {
			p.Fill(circle(o, r))
			return
		}
		p.SetLineWidth(vg.Points(0.42 * r))
		p.Stroke(circle(o, 0.85*r))
	case cross:
		a := 0.85 * r
		for _, r := range []rule{{white, 0.5*r + 2*edge, nil}, {c, 0.5 * r, nil}} {
			p.line(r, point{o.x - a, o.y - a}, point{o.x + a, o.y + a})
			p.line(r, point{o.x - a, o.y + a}, point{o.x + a, o.y - a})
		}
	default:
		p.fill(white, moved(s.outline(r+1.3*edge), o))
		p.fill(c, moved(s.outline(r), o))
		if s == frame {
			p.fill(white, moved(s.outline(0.5*r), o))
		}
	}
}

// crossReach is how far a cross over a marker reaches, in its radii.
const crossReach = 1.7

// crossOut strikes a marker out, in the colour of warnings and beyond its edge,
// so that it is seen on every marker, also in grey.
func (p pen) crossOut(o point, r float64) {
	a := crossReach * r
	for _, stroke := range []rule{{white, 1.9, nil}, {warning, 1.1, nil}} {
		p.line(stroke, point{o.x - a, o.y - a}, point{o.x + a, o.y + a})
		p.line(stroke, point{o.x - a, o.y + a}, point{o.x + a, o.y - a})
	}
}

func moved(pts []point, by point) []point {
	for i := range pts {
		pts[i].x += by.x
		pts[i].y += by.y
	}
	return pts
}

// swatch is the piece of a line with its marker, or of a band, that a legend
// shows.
func (p pen) swatch(l look, x, y, length float64) {
	if l.fill != nil {
		const half = 4
		p.box(l.fill, rect{x, y - half, x + length, y + half})
		return
	}
	p.line(rule{l.ink, l.width, l.dash}, point{x, y}, point{x + length, y})
	p.marker(l.mark, l.ink, point{x + length/2, y}, markerRadius(1))
}
