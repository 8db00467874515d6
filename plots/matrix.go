package plots

import (
	"fmt"

	"rmwbench/plots/theme"
)

// Matrix is a table of words with tones, on as many pages as it needs.
type Matrix struct {
	Name     string // of its files
	Title    string // what the reader sees
	Warning  string
	Subtitle string
	Columns  []string
	Groups   []theme.Group
	Key      []theme.TableCell
	Small    []string
}

// rowsOnAPage keeps a page about as high as it is wide: to be read on a screen
// without scrolling.
const rowsOnAPage = 32

// Pictures are the pages, with a number if there are several. A group begins a
// page rather than being torn apart.
func (m *Matrix) Pictures() []Picture {
	var pages [][]theme.Group
	rows := 0
	for _, g := range m.Groups {
		if rows += len(g.Rows); len(pages) == 0 || rows > rowsOnAPage {
			pages, rows = append(pages, nil), len(g.Rows)
		}
		last := len(pages) - 1
		pages[last] = append(pages[last], g)
	}
	var all []Picture
	for i, groups := range pages {
		p := Picture{Name: m.Name, Page: theme.Page{
			Title: m.Title, Warning: m.Warning, Subtitle: m.Subtitle, Small: m.Small,
			Table: &theme.Table{Columns: m.Columns, Groups: groups, Key: m.Key},
		}}
		if len(pages) > 1 {
			p.Name += fmt.Sprintf("-%d", i+1)
			p.Page.Subtitle += fmt.Sprintf(" (page %d of %d)", i+1, len(pages))
		}
		all = append(all, p)
	}
	return all
}

// Write draws the pages into a directory, and answers the names of the files.
func (m *Matrix) Write(dir string, o Options) ([]string, error) {
	return save(dir, m.Pictures(), o)
}
