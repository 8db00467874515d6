package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots"
	"rmwbench/results"
)

// drawFlags say what else to draw.
type drawFlags struct {
	SVG bool `name:"svg" group:"output" help:"Draw SVG files too."`
	PDF bool `name:"pdf" group:"output" help:"Draw PDF files too."`
}

func (f drawFlags) options() plots.Options { return plots.Options{SVG: f.SVG, PDF: f.PDF} }

// plotCmd draws a report again.
type plotCmd struct {
	Files []string `arg:"" name:"file" help:"Results files; several are merged, cell by cell."`
	Out   string   `placeholder:"DIR" group:"output" help:"Directory for pictures and page; those that are there are drawn over (the directory of FILE, if there is one)."`
	drawFlags
}

// Run is the verb.
func (c *plotCmd) Run(s *session) error {
	out := c.Out
	switch {
	case out == "" && len(c.Files) > 1:
		return usage(errors.New("--out: want a directory for the report of several files"))
	case out == "":
		out = filepath.Dir(c.Files[0])
	}
	var files []*results.File
	for _, name := range c.Files {
		file, err := results.Open(name)
		if err != nil {
			return err
		}
		for _, w := range file.Warnings {
			fmt.Fprintln(s.err, "rmwbench: "+w)
		}
		files = append(files, file)
	}
	r, err := report.New(files...)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("--out %s: %w", out, cause(err))
	}
	return draw(s.out, out, r, c.options())
}

// draw writes the report and says what it wrote.
func draw(w io.Writer, dir string, r *report.Report, o plots.Options) error {
	if r.Whole() == 0 {
		fmt.Fprintln(w, "No report: not one trial was finished.")
		return nil
	}
	written, err := plots.Write(dir, r, o)
	if err != nil {
		return fmt.Errorf("the report could not be drawn: %w", err)
	}
	fmt.Fprintf(w, "Report: %s (%s)\n", filepath.Join(dir, "index.html"), verdict.Count(len(written), "file"))
	return nil
}
