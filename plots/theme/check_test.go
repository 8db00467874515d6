package theme

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// broken is a page with one series of one point on axes of a scale.
func broken(x, y Scale, p Point) Page {
	return Page{Title: "t", Panels: []Panel{{Title: "Goodput", X: Axis{Scale: x}, Y: Axis{Scale: y},
		Series: []Series{{Label: "watch", Points: []Point{{X: 0.5, Y: 0.5, Lo: 0.5, Hi: 0.5}, p}}}}}}
}

func TestCheckRefuses(t *testing.T) {
	same := func(x, y float64) Point { return Point{X: x, Y: y, Lo: y, Hi: y} }
	for _, c := range []struct {
		page Page
		want string
	}{
		{broken(Linear, Linear, same(1, math.NaN())), "y: NaN is not finite"},
		{broken(Linear, Linear, same(math.Inf(-1), 1)), "x: -Inf is not finite"},
		{broken(Linear, Log, same(1, 0)), "y: 0 is not positive"},
		{broken(Log, Linear, same(-3, 1)), "x: -3 is not positive"},
		{broken(Percentile, Linear, same(1, 1)), "x: 1 is not a share"},
		{broken(Percentile, Linear, same(-0.1, 1)), "x: -0.1 is not a share"},
		{broken(Linear, Log, Point{1, 1, 0, 2, "", false}), "lo: 0 is not positive"},
		{broken(Linear, Linear, Point{1, 5, 0, 0, "", false}), "interval 0..0 does not hold y = 5"},
		{broken(Linear, Linear, same(1, 1e300)), "beyond what an axis can show"},
	} {
		err := c.page.Check()
		if err == nil {
			t.Errorf("no error, want %q", c.want)
			continue
		}
		for _, part := range []string{`"Goodput"`, `"watch"`, "point 2", c.want} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q lacks %q", err, part)
			}
		}
		if err := c.page.WritePNG(&bytes.Buffer{}); err == nil {
			t.Errorf("%q: drawn all the same", c.want)
		}
	}
}

func TestCheckRefusesAxesAndMarks(t *testing.T) {
	for want, p := range map[string]Panel{
		"x axis: tick: 0 is not positive": {X: Axis{Scale: Log, Ticks: []float64{0, 1}}},
		"y axis: end: -1 is not positive": {Y: Axis{Scale: Log, To: -1}},
		"lo: 0 is not positive":           {Y: Axis{Scale: Log}, Series: []Series{{Stroke: Band, Points: []Point{{1, 1, 0, 2, "", false}}}}},
		`mark "m": 0 is not positive`:     {X: Axis{Scale: Log}, Marks: []Mark{{Vertical: true, Label: "m"}}},
		`end of mark "m": -1 is not pos`:  {X: Axis{Scale: Log}, Marks: []Mark{{Vertical: true, Value: 1, Until: -1, Label: "m"}}},
		"unknown scale 9":                 {X: Axis{Scale: 9}},
		"unknown stroke 7":                {Series: []Series{{Stroke: 7}}},
		"201 series, at most 200":         {Series: make([]Series, 201)},
		"20001 points, at most 20000":     {Series: []Series{{Points: make([]Point, 20001)}}},
	} {
		if err := (Page{Panels: []Panel{{}, p}}).Check(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "panel 2") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := (Page{Panels: make([]Panel, 25)}).Check(); err == nil {
		t.Error("25 panels accepted")
	}
}

func TestCheckAcceptsRounding(t *testing.T) {
	mean := (0.1 + 0.2 + 0.3) / 3 * 3
	if err := broken(Linear, Linear, Point{X: 1, Y: mean, Lo: 0.6, Hi: 0.6}).Check(); err != nil {
		t.Error(err)
	}
}

func TestSaveLeavesNothingPartial(t *testing.T) {
	dir := t.TempDir()
	good, bad := samples()["one"], broken(Linear, Log, Point{})
	path := filepath.Join(dir, "a.png")
	if err := good.Save(path); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	if err := bad.Save(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the old picture is gone")
	}
	if err := good.Save(filepath.Join(dir, "a.gif")); err == nil || !strings.Contains(err.Error(), ".svg") {
		t.Errorf("got %v", err)
	}
	if err := good.Save(filepath.Join(dir, "missing", "a.png")); err == nil {
		t.Error("saved to a directory that is not there")
	}
	if err := os.Mkdir(filepath.Join(dir, "taken.png"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := good.Save(filepath.Join(dir, "taken.png")); err == nil {
		t.Error("saved over a directory")
	}
	files, _ := os.ReadDir(dir)
	if len(files) != 2 {
		t.Errorf("left over: %v", files)
	}
}
