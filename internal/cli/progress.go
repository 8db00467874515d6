package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"rmwbench/internal/engine"
	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
)

// progress tells on stderr how far the run is: one line that is written over
// on a terminal, a line now and then elsewhere.
type progress struct {
	w        io.Writer
	terminal *os.File // nil: not one
	quiet    bool
	nextLine time.Duration // into the run, when the next plain line is due
	shown    bool
}

func newProgress(w io.Writer, quiet bool) *progress {
	p := &progress{w: w, quiet: quiet}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.terminal = file
	}
	return p
}

// cut shortens a line to what fits: one that wraps cannot be written over.
func (p *progress) cut(line string) string {
	width, _, err := term.GetSize(int(p.terminal.Fd()))
	if runes := []rune(line); err == nil && len(runes) >= width && width > 0 {
		return string(runes[:width-1])
	}
	return line
}

// plainEvery is how often a line is written to what is not a terminal.
const plainEvery = 15 * time.Second

func (p *progress) show(at engine.Progress) {
	if p.quiet {
		return
	}
	left := max(at.Left.Round(time.Second), time.Second)
	if p.terminal != nil {
		fmt.Fprint(p.w, "\r\x1b[K"+p.cut(fmt.Sprintf("%d of %d trials, %v left: %s on %s",
			at.Done, at.Total, left, report.Who(at.Cell), verdict.Count(at.Cell.Keys, "key"))))
		p.shown = true
		return
	}
	if at.Elapsed >= p.nextLine {
		fmt.Fprintf(p.w, "%d of %d trials done, about %v left\n", at.Done, at.Total, left)
		p.nextLine = at.Elapsed + plainEvery
	}
}

// note writes a text over the line on a terminal, and nothing elsewhere.
func (p *progress) note(text string) {
	if p.terminal != nil && !p.quiet {
		fmt.Fprint(p.w, "\r\x1b[K"+p.cut(text))
		p.shown = true
	}
}

// end removes the line from a terminal.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
