package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/guptarohit/asciigraph"
	"golang.org/x/term"

	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// A sketch wants room for the chart and for the numbers beside it.
const (
	sketchColumns = 100
	sketchRows    = 14
	sketchMargin  = 14
)

// sketchColors are told apart on dark and light terminals.
var sketchColors = []asciigraph.AnsiColor{
	asciigraph.Blue, asciigraph.Red, asciigraph.Green, asciigraph.Magenta, asciigraph.Cyan, asciigraph.Olive,
}

// sketch draws goodput by clients on a terminal that is wide enough.
func sketch(w io.Writer, terminal *os.File, r *report.Report) {
	if terminal == nil || !term.IsTerminal(int(terminal.Fd())) {
		return
	}
	width, _, err := term.GetSize(int(terminal.Fd()))
	if err != nil || width < sketchColumns {
		return
	}
	for i := range r.Settings {
		if text := sketched(&r.Settings[i], min(width, 2*sketchColumns)-sketchMargin); text != "" {
			fmt.Fprintf(w, "\n%s\n", text)
		}
	}
}

// sketched is the chart of one setting, or "" if there is no line to draw. The
// measured numbers of clients stand at equal distances, and goodput on a
// logarithmic axis.
func sketched(s *report.Setting, width int) string {
	var clients []int
	for _, row := range s.Rows {
		clients = append(clients, row.Clients)
	}
	slices.Sort(clients)
	clients = slices.Compact(clients)
	if len(clients) < 2 {
		return ""
	}
	var data [][]float64
	var labels []string
	for _, row := range s.Rows {
		label := verdict.Label(row.Cell)
		if slices.Contains(labels, label) {
			continue
		}
		if line := goodputLine(s.Rows, label, clients); line != nil {
			data, labels = append(data, line), append(labels, label)
		}
	}
	if data == nil {
		return ""
	}
	colors := make([]asciigraph.AnsiColor, len(data))
	for i := range colors {
		colors[i] = sketchColors[i%len(sketchColors)]
	}
	return asciigraph.PlotMany(data,
		asciigraph.Width(width), asciigraph.Height(sketchRows),
		asciigraph.SeriesColors(colors...), asciigraph.SeriesLegends(labels...),
		asciigraph.YAxisValueFormatter(func(v float64) string { return fmt.Sprintf("%.0f", math.Pow(10, v)) }),
		asciigraph.XAxisRange(0, float64(len(clients)-1)), asciigraph.XAxisTickCount(len(clients)),
		asciigraph.XAxisValueFormatter(func(v float64) string { return fmt.Sprint(clients[int(math.Round(v))]) }),
		asciigraph.Caption(fmt.Sprintf("goodput per second by clients, %s", s.Load())),
	)
}

// goodputLine is the logarithm of one way's goodput at each number of clients,
// or nil if it is not known, or is zero, at one of them.
func goodputLine(rows []results.Summary, label string, clients []int) []float64 {
	line := make([]float64, len(clients))
	found := 0
	for i := range rows {
		at := slices.Index(clients, rows[i].Clients)
		if verdict.Label(rows[i].Cell) != label || rows[i].Audit.Void() || rows[i].Goodput().Center <= 0 {
			continue
		}
		line[at] = math.Log10(rows[i].Goodput().Center)
		found++
	}
	if found != len(clients) {
		return nil
	}
	return line
}
