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
	last     engine.Progress
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
	p.last = at
	if p.terminal != nil {
		p.over(standing(at))
		return
	}
	if at.Elapsed >= p.nextLine {
		fmt.Fprintf(p.w, "%d of %d trials done, about %v left\n", at.Done, at.Total, rounded(at.Left))
		p.nextLine = at.Elapsed + plainEvery
	}
}

// note writes a text over the line on a terminal, and nothing elsewhere.
func (p *progress) note(text string) {
	if p.terminal != nil && !p.quiet {
		p.over(text)
	}
}

// over writes over the line of a terminal.
func (p *progress) over(line string) {
	fmt.Fprint(p.w, "\r\x1b[K"+p.cut(line))
	p.shown = true
}

// standing says where a run stands.
func standing(at engine.Progress) string {
	return fmt.Sprintf("%d of %d trials, %v left: %s on %s",
		at.Done, at.Total, rounded(at.Left), report.Who(at.Cell), verdict.Count(at.Cell.Keys, "key"))
}

func rounded(left time.Duration) time.Duration { return max(left.Round(time.Second), time.Second) }

// seconds is who listens to the seconds of a trial: nobody but a terminal.
func (p *progress) seconds() func(engine.Second) {
	if p.quiet || p.terminal == nil {
		return nil
	}
	return func(s engine.Second) { p.over(p.second(s)) }
}

// second says what a second of the trial under way came to, the figures first:
// they are what must fit.
func (p *progress) second(s engine.Second) string {
	at := p.last
	at.Left -= s.End
	return lived(s) + " | " + standing(at)
}

// lived is a second's figures.
func lived(s engine.Second) string {
	seconds := s.Length.Seconds()
	text := fmt.Sprintf("%v: %.0f/s", s.End, float64(s.Committed)/seconds)
	if s.Rejected > 0 {
		text += fmt.Sprintf(" + %.0f rejected/s", float64(s.Rejected)/seconds)
	}
	text += fmt.Sprintf(", %.0f attempts/s", float64(s.Attempts)/seconds)
	if s.Attempts > 0 {
		text += fmt.Sprintf(", %.1f %% conflicts", 100*float64(s.Conflicts)/float64(s.Attempts))
	}
	if s.P50NS != nil {
		text += fmt.Sprintf(", p50 %s, p99 %s", report.Short(time.Duration(*s.P50NS)), report.Short(time.Duration(*s.P99NS)))
	}
	return text
}

// end removes the line from a terminal.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
