package plots

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rmwbench/plots/theme"
)

// matrix has groups of so many rows.
func matrix(groups ...int) *Matrix {
	m := &Matrix{
		Name: "faults", Title: "One of two corrupts data", Subtitle: "on a server", Small: []string{"An empty cell: no case."},
		Columns: []string{"design", "reply lost", "client dies", "verdict"},
		Key:     []theme.TableCell{{Text: "fine", Tone: theme.Good}, {Text: "corrupts", Tone: theme.Bad}},
	}
	for i, rows := range groups {
		g := theme.Group{Title: fmt.Sprintf("group %d", i+1)}
		for range rows {
			g.Rows = append(g.Rows, []theme.TableCell{{Text: "incrby"}, {Text: "applied twice", Tone: theme.Bad}, {}, {Text: "doubles"}})
		}
		m.Groups = append(m.Groups, g)
	}
	return m
}

// tableText is a page with a table as words.
func tableText(p Picture) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s | %s\n", p.Name, p.Page.Title, p.Page.Subtitle)
	for _, g := range p.Page.Table.Groups {
		fmt.Fprintf(&b, "%s: %d rows\n", g.Title, len(g.Rows))
	}
	return b.String()
}

// Groups stay whole, and one that is larger than a page gets a page of its own.
func TestPagesOfAMatrix(t *testing.T) {
	var b strings.Builder
	for _, groups := range [][]int{{3}, {10, 22}, {10, 22, 1}, {20, 20, 40, 5}} {
		for _, p := range matrix(groups...).Pictures() {
			if err := p.Page.Check(); err != nil {
				t.Error(err)
			}
			b.WriteString(tableText(p))
		}
		b.WriteByte('\n')
	}
	compare(t, "matrix.txt", b.String())
}

func TestAMatrixIsWritten(t *testing.T) {
	dir := t.TempDir()
	written, err := matrix(20, 20).Write(dir, Options{SVG: true, PDF: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(written) != 6 {
		t.Errorf("files: %v", written)
	}
	for _, name := range written {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if written, err := matrix(3).Write(filepath.Join(dir, "absent"), Options{}); err == nil || written != nil {
		t.Errorf("into no directory: %v, %v", written, err)
	}
}
