package theme

import "fmt"

// Table is rows of words whose cells have a tone, in groups with headings. The
// first column names the row and the last one explains it; those between are
// equally wide.
type Table struct {
	Columns []string
	Groups  []Group
	Key     []TableCell // what the tones mean, under the table
}

// Group is some rows under a heading.
type Group struct {
	Title string
	Rows  [][]TableCell // as many cells as there are columns
}

// TableCell is one word or a few.
type TableCell struct {
	Text string // empty: nothing is drawn
	Tone Tone
}

// Tone is how a cell looks: by colour, by mark and by lightness, so that it can
// be told in grey too.
type Tone uint8

// Plain has no mark and no colour.
const (
	Plain Tone = iota
	Good
	Notable
	Bad
)

// mostRows bounds what one page holds, mostColumns what its width does.
const (
	mostRows    = 100
	mostColumns = 12
)

func (t *Table) check() error {
	if len(t.Columns) < 2 || len(t.Columns) > mostColumns {
		return fmt.Errorf("%d columns, want 2 to %d", len(t.Columns), mostColumns)
	}
	rows := 0
	for _, g := range t.Groups {
		rows += len(g.Rows)
		for i, row := range g.Rows {
			if len(row) != len(t.Columns) {
				return fmt.Errorf("group %q: row %d has %d cells, want %d", g.Title, i+1, len(row), len(t.Columns))
			}
			for _, c := range row {
				if c.Tone > Bad {
					return fmt.Errorf("group %q: row %d: unknown tone %d", g.Title, i+1, c.Tone)
				}
			}
		}
	}
	if rows > mostRows {
		return fmt.Errorf("%d rows, at most %d", rows, mostRows)
	}
	return nil
}
