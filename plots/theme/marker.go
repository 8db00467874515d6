package theme

import "math"

// shape is the form of a marker.
type shape uint8

const (
	nothing shape = iota
	speck         // a small disc, for points of a law
	disc
	square
	pyramid
	diamond
	ring
	nabla
	cross
	frame
)

// shapes are the markers of ways, in their order. Their number has no factor in
// common with the number of colours.
var shapes = [...]shape{disc, square, pyramid, diamond, nabla, ring, cross, frame}

// outline is the polygon of a marker of radius r around the origin, the radius
// scaled so that all look equally large. Crosses and discs have none.
func (s shape) outline(r float64) []point {
	switch s {
	case square, frame:
		a := 0.88 * r
		return []point{{-a, -a}, {a, -a}, {a, a}, {-a, a}}
	case pyramid, nabla:
		b := 1.22 * r
		up := 1.0
		if s == nabla {
			up = -1
		}
		return []point{{0, up * b}, {-b * math.Sqrt(3) / 2, -up * b / 2}, {b * math.Sqrt(3) / 2, -up * b / 2}}
	case diamond:
		d := 1.28 * r
		return []point{{0, -d}, {d, 0}, {0, d}, {-d, 0}}
	}
	return nil
}

// markerRadius is smaller where there are many points.
func markerRadius(points int) float64 {
	switch {
	case points > 150:
		return 1.7
	case points > 40:
		return 2.5
	}
	return 3.7
}
