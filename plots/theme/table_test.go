package theme

import (
	"fmt"
	"strings"
	"testing"
)

// tableOf is a page of so many rows, with all tones and words of any length.
func tableOf(rows int) Page {
	t := &Table{Columns: []string{"design", "request lost", "another client comes in between", "verdict"}, Key: []TableCell{{"fine", Good}, {"to know", Notable}, {"corrupts", Bad}}}
	g := Group{Title: "a group"}
	for i := range rows {
		g.Rows = append(g.Rows, []TableCell{
			{fmt.Sprintf("row-%d", i), Plain}, {"once", Good}, {[]string{"", "garbage for ever", "applied twice"}[i%3], Tone(i%3 + 1)},
			{strings.Repeat("many words ", i%12), Plain},
		})
	}
	t.Groups = []Group{g}
	return Page{Title: "What is found", Subtitle: "where", Table: t, Small: smallSample}
}

func TestTablesAreAsHighAsTheirRows(t *testing.T) {
	before := 0
	for _, rows := range []int{0, 1, 30, mostRows} {
		m := draw(t, tableOf(rows))
		size := m.Bounds().Size()
		if size.X != int(2*summaryWidth) || size.Y <= before {
			t.Errorf("%d rows: size %v after a height of %d", rows, size, before)
		}
		before = size.Y
		if share, edge := ink(m); edge || share < 0.01 {
			t.Errorf("%d rows: %.2f %% of the pixels are not white, at the edge: %v", rows, 100*share, edge)
		}
	}
}

// Words keep to their columns, whatever their length.
func TestWordsKeepToTheirCells(t *testing.T) {
	p := tableOf(12)
	for _, row := range p.Table.Groups[0].Rows {
		row[0].Text, row[2].Text = strings.Repeat("x", 90), strings.Repeat("long ", 9)
	}
	g := layout(p).grid
	for _, row := range g.groups[0].rows {
		for i, c := range row.cells {
			if room := g.room(i, c.tone); room <= 0 || widest(c.lines, c.tone.face().width) > room {
				t.Errorf("column %d: %q is %.0f wide, and there is room for %.0f", i, c.lines, widest(c.lines, c.tone.face().width), room)
			}
		}
	}
}

// Tones are told apart without colour, and words on them can be read: contrast
// of neighbours, and 4.5:1 of WCAG 2 for text.
func TestTonesInGrey(t *testing.T) {
	before := 1.0 + 0.05
	for _, tone := range []Tone{Good, Notable, Bad} {
		fill := tint(okabeIto[0], 0)
		fill.R, fill.G, fill.B = rgb(tone)
		l := luminance(fill) + 0.05
		if before/l < 1.08 {
			t.Errorf("tone %d is hardly darker than the one before: %.2f", tone, before/l)
		}
		if contrast := l / (luminance(black) + 0.05); contrast < 4.5 {
			t.Errorf("tone %d: words have a contrast of %.1f", tone, contrast)
		}
		before = l
	}
}

func rgb(t Tone) (r, g, b uint8) {
	red, green, blue, _ := t.fill().RGBA()
	return uint8(red >> 8), uint8(green >> 8), uint8(blue >> 8)
}

func TestCheckRefusesTables(t *testing.T) {
	for name, broken := range map[string]func(p *Page){
		"a table and panels": func(p *Page) { p.Panels = []Panel{goodputPanel()} },
		"1 columns":          func(p *Page) { p.Table.Columns = p.Table.Columns[:1] },
		"row 2 has 1 cells":  func(p *Page) { p.Table.Groups[0].Rows[1] = p.Table.Groups[0].Rows[1][:1] },
		"unknown tone":       func(p *Page) { p.Table.Groups[0].Rows[0][1].Tone = Bad + 1 },
		"rows, at most":      func(p *Page) { *p = tableOf(mostRows + 1) },
	} {
		p := tableOf(3)
		broken(&p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
