package theme

import (
	"image"
	"testing"
)

// warned counts the pixels in the colour of warnings.
func warned(m image.Image) (n int) {
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, bl, _ := m.At(x, y).RGBA(); uint8(r>>8) == warning.R && uint8(g>>8) == warning.G && uint8(bl>>8) == warning.B {
				n++
			}
		}
	}
	return n
}

// A point that is crossed out shows it, on every marker; a line without markers
// has nothing to cross out.
func TestCrossedOut(t *testing.T) {
	for way, shape := range shapes {
		p := page("one point is not to be believed", goodputPanel())
		s := &p.Panels[0].Series[0]
		s.Way = way
		if n := warned(draw(t, p)); n > 0 {
			t.Errorf("marker %d: %d pixels of warning without one", shape, n)
		}
		s.Points[1].Crossed = true
		if n := warned(draw(t, p)); n < 10 {
			t.Errorf("marker %d: a cross of %d pixels", shape, n)
		}
		s.Stroke = Dashed
		if n := warned(draw(t, p)); n > 0 {
			t.Errorf("marker %d: %d pixels of a cross on a dashed line", shape, n)
		}
	}
}
