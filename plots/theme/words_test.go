package theme

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func runes(s string) float64 { return float64(utf8.RuneCountInString(s)) }

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width float64
		want  []string
	}{
		{"", 10, nil},
		{"one two three", 20, []string{"one two three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"watch-pipelined", 9, []string{"watch-", "pipelined"}},
		{"кириллица да", 5, []string{"кирил", "лица", "да"}},
		{"after 2" + string(noBreak) + "s", 7, []string{"after", "2" + string(noBreak) + "s"}},
		{"ab", 0.5, []string{"a", "b"}},
	} {
		if got := wrap(c.text, c.width, runes); !slices.Equal(got, c.want) {
			t.Errorf("%q at %v: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestBalance(t *testing.T) {
	if got := balance("aa bb cc dd ee", 11, runes); !slices.Equal(got, []string{"aa bb cc", "dd ee"}) {
		t.Errorf("%q", got)
	}
	if got := balance("watch-pipelined, x", 17, runes); !slices.Equal(got, []string{"watch-pipelined,", "x"}) {
		t.Errorf("a word was broken: %q", got)
	}
}

func TestCutTo(t *testing.T) {
	if got := cutTo([]string{"abc", "defg", "h"}, 2, 4, runes); !slices.Equal(got, []string{"abc", "def…"}) {
		t.Errorf("%q", got)
	}
}

func TestTwoParts(t *testing.T) {
	if got := twoParts("watch, full back-off", 14, true, runes); !slices.Equal(got, []string{"watch,", "full back-off"}) {
		t.Errorf("%q", got)
	}
	if got := twoParts("watch, full back-off", 12, true, runes); got != nil {
		t.Errorf("%q", got)
	}
	if got := twoParts("watch, full back-off", 12, false, runes); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		" a\tb\n c ": "a b c", "漢 é я µ": "□ é я µ", "x\x00\xffy": "x□y", "10 ms or 26 500 ops/s": "10\u00a0ms or 26\u00a0500\u00a0ops/s",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := runes(clean(strings.Repeat("я", 1e6))); got > longest+1 {
		t.Errorf("%v runes", got)
	}
}

func TestSpread(t *testing.T) {
	same := func(n int) []float64 { return slices.Repeat([]float64{10}, n) }
	for _, c := range []struct {
		name    string
		want    []float64
		lo, hi  float64
		centres []float64
	}{
		{"nothing", nil, 0, 100, nil},
		{"apart", []float64{20, 50, 80}, 0, 100, []float64{20, 50, 80}},
		{"two at one place, the first on top", []float64{50, 50}, 0, 100, []float64{55, 45}},
		{"order is kept", []float64{52, 48, 80}, 0, 100, []float64{55, 45, 80}},
		{"at the bottom", []float64{0, 2}, 0, 100, []float64{5, 15}},
		{"at the top", []float64{99, 99}, 0, 100, []float64{95, 85}},
		{"chain", []float64{50, 45, 41}, 0, 100, []float64{55.33, 45.33, 35.33}},
		{"too many", []float64{5, 5, 5, 5}, 0, 20, []float64{17.5, 12.5, 7.5, 2.5}},
	} {
		got := spread(c.want, same(len(c.want)), c.lo, c.hi)
		if !slices.EqualFunc(got, c.centres, func(a, b float64) bool { return math.Abs(a-b) < 0.01 }) {
			t.Errorf("%s: %v, want %v", c.name, got, c.centres)
		}
	}
}

func TestLooksDiffer(t *testing.T) {
	seen := map[[2]any]int{}
	for way := range 56 {
		l := lookOf(way, Solid)
		key := [2]any{l.ink, l.mark}
		if other, ok := seen[key]; ok {
			t.Errorf("ways %d and %d look alike", other, way)
		}
		seen[key] = way
		if contrastWithWhite(l.words) < 4.5 {
			t.Errorf("way %d: its label is too pale", way)
		}
	}
	if l := lookOf(Reference, Solid); l.mark != nothing || l.ink != lawGrey {
		t.Errorf("a law looks like a way: %+v", l)
	}
}

func TestTailFollowsTheSameLaw(t *testing.T) {
	p := attemptsPanel()
	if got := tail(p, 6); got.Stroke != Dashed {
		t.Errorf("the label of the law stands at its %v part", got.Stroke)
	}
}

func TestClutter(t *testing.T) {
	var c clutter
	c.addLine(point{0, 0}, point{10, 10})
	for _, x := range []struct {
		r    rect
		free bool
	}{{rect{4, 4, 6, 6}, false}, {rect{6, 0, 9, 3}, true}, {rect{11, 11, 12, 12}, true}, {rect{-1, -1, 1, 1}, false}} {
		if c.free(x.r) != x.free {
			t.Errorf("%v: free is %v", x.r, !x.free)
		}
	}
	if n := c.crossings(point{0, 10}, point{10, 0}); n != 1 {
		t.Errorf("%d crossings", n)
	}
}
