package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"rmwbench/internal/engine"
	"rmwbench/internal/verdict"
)

// progress tells on stderr how far the run is: one line that is written over
// on a terminal, a line now and then elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	quiet    bool
	nextLine time.Duration // into the run, when the next plain line is due
	shown    bool
}

func newProgress(w io.Writer, quiet bool) *progress {
	file, ok := w.(*os.File)
	return &progress{w: w, quiet: quiet, terminal: ok && term.IsTerminal(int(file.Fd()))}
}

// plainEvery is how often a line is written to what is not a terminal.
const plainEvery = 15 * time.Second

func (p *progress) show(at engine.Progress) {
	if p.quiet {
		return
	}
	left := max(at.Left.Round(time.Second), time.Second)
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%d of %d trials, %v left: %s, %d clients, %d keys",
			at.Done, at.Total, left, verdict.Label(at.Cell), at.Cell.Clients, at.Cell.Keys)
		p.shown = true
		return
	}
	if at.Elapsed >= p.nextLine {
		fmt.Fprintf(p.w, "%d of %d trials done, about %v left\n", at.Done, at.Total, left)
		p.nextLine = at.Elapsed + plainEvery
	}
}

// end removes the line from a terminal.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
