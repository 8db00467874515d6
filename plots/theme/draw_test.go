package theme

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func draw(t *testing.T, p Page) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := p.WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ink is the share of pixels that are not white, and whether any touches the edge.
func ink(m image.Image) (share float64, edge bool) {
	b, n := m.Bounds(), 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, bl, _ := m.At(x, y).RGBA(); r+g+bl != 3*0xffff {
				n++
				edge = edge || x < 8 || y < 8 || x >= b.Max.X-8 || y >= b.Max.Y-8
			}
		}
	}
	return float64(n) / float64(b.Dx()*b.Dy()), edge
}

func TestPictures(t *testing.T) {
	for name, p := range samples() {
		t.Run(name, func(t *testing.T) {
			m := draw(t, p)
			share, edge := ink(m)
			if name != "nothing" && share < 0.003 || share > 0.25 {
				t.Errorf("%.2f %% of the pixels are not white", 100*share)
			}
			if edge {
				t.Error("something is cut off at the edge")
			}
			want := image.Pt(1600, 900)
			switch name {
			case "summary":
				want = image.Pt(1920, 1440)
			case "longmany": // grows for 14 long labels
				want.Y = m.Bounds().Dy()
			}
			if got := m.Bounds().Size(); got != want {
				t.Errorf("size %v, want %v", got, want)
			}
		})
	}
}

func TestRowsMakeALargerPage(t *testing.T) {
	p := page("2x2", goodputPanel(), goodputPanel(), goodputPanel(), goodputPanel())
	p.Columns = 2
	if got := draw(t, p).Bounds().Size(); got != image.Pt(1920, 1200) {
		t.Errorf("size %v", got)
	}
}

func TestDeterministic(t *testing.T) {
	dir := t.TempDir()
	for _, ext := range []string{".png", ".svg", ".pdf"} {
		a, b := filepath.Join(dir, "a"+ext), filepath.Join(dir, "b"+ext)
		for _, path := range []string{a, b} {
			if err := samples()["summary"].Save(path); err != nil {
				t.Fatal(err)
			}
		}
		x, _ := os.ReadFile(a)
		y, _ := os.ReadFile(b)
		if len(x) == 0 || !bytes.Equal(x, y) {
			t.Errorf("%s: two drawings differ", ext)
		}
	}
}

func TestSVGIsXML(t *testing.T) {
	for name, p := range samples() {
		path := filepath.Join(t.TempDir(), "a.svg")
		if err := p.Save(path); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for d := xml.NewDecoder(f); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// TestAnyInput draws pages of random values and words: an error or a picture.
func TestAnyInput(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 24))
	odd := []float64{0, 1, -1, 1e-9, 1e-30, 1e12, 1e30, 5e-324, 0.5, 0.9, 0.999999999999, 1 << 40, math.MaxFloat64, math.NaN(), math.Inf(1), 64}
	words := []string{"", "x", "a label, with a comma", strings.Repeat("long ", 30), strings.Repeat("w", 90), "µ кириллица 漢 \xff \x00", "1 ms"}
	value := func() float64 {
		if rng.IntN(3) == 0 {
			return odd[rng.IntN(len(odd))]
		}
		return math.Exp(rng.NormFloat64() * 3)
	}
	word := func() string { return words[rng.IntN(len(words))] }
	axis := func() Axis {
		a := Axis{Label: word(), Scale: Scale(rng.IntN(3)), FromZero: rng.IntN(2) == 0}
		for range rng.IntN(3) * rng.IntN(6) {
			a.Ticks = append(a.Ticks, value())
		}
		if rng.IntN(4) == 0 {
			a.To = value()
		}
		return a
	}
	drawn := 0
	for range 200 {
		p := Page{Title: word(), Warning: word(), Subtitle: word(), Columns: rng.IntN(3), Small: []string{word(), word()}}
		for range rng.IntN(3) {
			panel := Panel{Title: word(), X: axis(), Y: axis(), Notes: []string{word()}}
			for range rng.IntN(10) {
				s := Series{Label: word(), Way: rng.IntN(60) - 1, Stroke: Stroke(rng.IntN(4))}
				for range rng.IntN(4) {
					y := value()
					s.Points = append(s.Points, Point{X: value(), Y: y, Lo: y, Hi: y, Label: word()})
				}
				if (Page{Panels: []Panel{{X: Axis{Scale: panel.X.Scale}, Y: Axis{Scale: panel.Y.Scale}, Series: []Series{s}}}}).Check() == nil {
					panel.Series = append(panel.Series, s)
				}
			}
			panel.Marks = []Mark{{Value: value(), Vertical: rng.IntN(2) == 0, Label: word()}}
			if panel.check() == nil {
				p.Panels = append(p.Panels, panel)
			}
		}
		if p.Check() == nil && len(p.Panels) > 0 {
			s := layout(p)
			for _, c := range s.cells {
				if !(c.plot.width() >= leastWidth-1e-6) || !(c.plot.height() >= leastHeight-1e-6) || math.IsNaN(c.plot.x0+c.plot.y0) {
					t.Fatalf("plot %+v", c.plot)
				}
				if !c.blank() && (numbered(c.y.ticks) < 2 && len(c.Y.Ticks) == 0 || numbered(c.x.ticks) < 2 && len(c.X.Ticks) == 0) {
					t.Errorf("x %+v, y %+v: fewer than two numbered ticks", c.x, c.y)
				}
			}
			if drawn++; drawn%8 == 0 {
				draw(t, p)
			}
		}
	}
	if drawn < 40 {
		t.Errorf("only %d pages drawn", drawn)
	}
}

func numbered(ticks []tick) int {
	n := 0
	for _, t := range ticks {
		if t.label != "" {
			n++
		}
	}
	return n
}
