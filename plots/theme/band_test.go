package theme

import (
	"image"
	"image/color"
	"testing"
)

// bandPage has a band from 10 to 1000 on logarithmic axes under a line at 100.
func bandPage() Page {
	band := Series{Way: 0, Stroke: Band}
	for _, x := range []float64{1, 10, 100} {
		band.Points = append(band.Points, Point{X: x, Y: 100, Lo: 10, Hi: 1000})
	}
	line := Series{Label: "watch", Way: 0}
	for _, x := range []float64{1, 10, 100} {
		line.Points = append(line.Points, Point{X: x, Y: 100, Lo: 100, Hi: 100})
	}
	return Page{Panels: []Panel{{X: Axis{Label: "clients", Scale: Log}, Y: Axis{Label: "ops/s", Scale: Log}, Series: []Series{line, band}}}}
}

// pixel is the colour at a place on a page.
func pixel(m image.Image, s *sheet, at point) color.RGBA {
	return color.RGBAModel.Convert(m.At(int(2*at.x), int(2*(s.height-at.y)))).(color.RGBA)
}

func TestBand(t *testing.T) {
	p := bandPage()
	m, s := draw(t, p), layout(p)
	c := s.cells[0]
	if c.y.lo > 10 || c.y.hi < 1000 {
		t.Errorf("the axis from %v to %v does not hold the band", c.y.lo, c.y.hi)
	}
	inside, ink := tint(okabeIto[0], 0.15), okabeIto[0]
	for what, want := range map[point]color.RGBA{
		c.at(3, 40):  inside, // under the line
		c.at(3, 300): inside, // above
		c.at(3, 100): ink,    // the line lies over the band
		c.at(10, 98): ink,    // and so does the marker
	} {
		if got := pixel(m, s, what); got != want {
			t.Errorf("%v at %v, want %v", got, what, want)
		}
	}
	lo, hi := c.edges(1)
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			at := point{float64(x) / 2, s.height - float64(y)/2}
			if (rect{lo[0].x, lo[0].y, hi[2].x, hi[2].y}).grown(1).holds(rect{at.x, at.y, at.x, at.y}) {
				continue
			}
			if color.RGBAModel.Convert(m.At(x, y)) == inside {
				t.Fatalf("tinted at %v, outside of the band", at)
			}
		}
	}
}

func TestNoLabelOnABand(t *testing.T) {
	s := layout(bandPage())
	c := s.cells[0]
	taken := &clutter{}
	c.obstruct(taken)
	for _, y := range []float64{20, 300, 700} {
		o := c.at(30, y)
		if taken.free(rect{o.x, o.y, o.x + 8, o.y + 8}) {
			t.Errorf("room for a word at %v", y)
		}
	}
}

func TestABandOfOnePointIsSeen(t *testing.T) {
	p := bandPage()
	p.Panels[0].Series[1].Points = p.Panels[0].Series[1].Points[1:2]
	m, s := draw(t, p), layout(p)
	beside := s.cells[0].at(10, 400)
	beside.x += 3
	if got := pixel(m, s, beside); got != tint(okabeIto[0], 0.15) {
		t.Errorf("%v", got)
	}
}

// The label of a way stands where its prediction ends, not where its band does.
func TestLabelAtTheEndOfAPrediction(t *testing.T) {
	point := func(x, y float64) Point { return Point{X: x, Y: y, Lo: y, Hi: y} }
	p := Panel{Series: []Series{
		{Label: "watch", Way: 0, Points: []Point{point(1, 5), point(8, 9)}},
		{Way: 0, Stroke: Band, Points: []Point{point(8, 3), point(64, 4)}},
		{Way: 0, Stroke: Dashed, Points: []Point{point(1, 5), point(64, 7)}},
		{Way: 1, Stroke: Dashed, Points: []Point{point(1, 5), point(512, 8)}},
	}}
	if got := lastPoint(tail(p, 0).Points); got != point(64, 7) {
		t.Errorf("at %v", got)
	}
	p.Series[2].Points[1] = point(8, 7) // no further than the measured line
	if got := lastPoint(tail(p, 0).Points); got != point(8, 9) {
		t.Errorf("at %v", got)
	}
}

func TestDotsHaveALegend(t *testing.T) {
	p := Panel{Series: []Series{line("watch", 0, Dots, []float64{1, 2}, []float64{1, 2}, 0)}}
	if ends, ok := endLabels(p, 700, 300); ok || ends != nil {
		t.Errorf("labels at points: %v", ends)
	}
}
