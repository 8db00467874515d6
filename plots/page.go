package plots

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rmwbench/internal/report"
	"rmwbench/internal/verdict"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

// Picture is one page with the name of its file, without the ending.
type Picture struct {
	Name    string
	Summary string // what it shows
	Page    theme.Page
}

// order is how charts follow each other in a report; what is not in it comes
// behind, by name.
var order = []string{
	"crossing", "script-time", "bystanders", "rate", "collapse", "goodput", "predicted", "cost", "latency", "attempts", "series", "bugs",
}

// Album is all pages of a report.
type Album struct {
	Comparisons []Picture   // of several settings each
	Settings    [][]Picture // of every setting, its summary first
}

// Pictures makes all pages of a report. A picture that compares settings stands
// with the setting where there is just one.
func Pictures(r *report.Report) (a Album) {
	l := newLooks(r)
	all := l.views(r, nil)
	of := map[*report.Setting]int{}
	for i := range all {
		v := &all[i]
		of[v.Setting] = i
		a.Settings = append(a.Settings, []Picture{{
			Name: "summary" + suffix(i, len(all)), Summary: "the main panels and the verdict", Page: summary(v, smallPrint(r, v)),
		}})
	}
	for _, name := range chartNames() {
		chart, _ := All.Get(name)
		drawn := all
		if chart.Joins != nil {
			drawn = l.views(r, chart.Joins)
		}
		for i := range drawn {
			v := &drawn[i]
			drawing := chart.Draw(v)
			if len(drawing.Panels) == 0 {
				continue
			}
			p := Picture{Name: name + suffix(i, len(drawn)), Summary: chart.Summary, Page: theme.Page{
				Title: drawing.Title, Warning: warning(v), Subtitle: subtitle(v), Columns: drawing.Columns, Panels: drawing.Panels, Small: smallPrint(r, v),
			}}
			if len(v.Parts) > 1 {
				a.Comparisons = append(a.Comparisons, p)
				continue
			}
			at := of[v.Parts[0]]
			a.Settings[at] = append(a.Settings[at], p)
		}
	}
	return a
}

// suffix tells the files of several views apart.
func suffix(view, of int) string {
	if of < 2 {
		return ""
	}
	return fmt.Sprintf("-%d", view+1)
}

func chartNames() []string {
	names := All.Names()
	slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	return names
}

func place(name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

// summary is the page for a slide: what happens to attempts, to goodput, to
// the server's time and to latency, and the verdict in words.
func summary(v *View, small []string) theme.Page {
	panels := []theme.Panel{attemptsPanel(v), goodputPanel(v)}
	if !v.unmeasured() {
		panels = append(panels, serverTimePanel(v), latencyPanel(v))
	}
	text := slices.Concat(v.Verdict(), v.Goals(v.Report.Goal()))
	if a := v.Report.Accuracy(); a != "" && !v.unmeasured() {
		text = append(text, a)
	}
	return theme.Page{
		Title: goodputFinding(v), Warning: warning(v), Subtitle: subtitle(v), Columns: 2,
		Panels: panels, Text: text, Small: small,
	}
}

// warning says what nobody may take the figures for.
func warning(v *View) string {
	switch {
	case v.unmeasured():
		return "PREDICTED: nothing on this page was measured."
	case v.Source == results.SourceSimulated:
		return simulatedWarning
	case v.Server.Embedded:
		return report.EmbeddedWarning
	case v.Invalid() > 0:
		return fmt.Sprintf("INVALID, crossed out: %d of %s, in which the tool itself used %.0f %% of its cores or more.",
			v.Invalid(), verdict.Count(len(v.Rows), "cell"), 100*results.Saturated)
	}
	return ""
}

// simulatedWarning is what every page and picture of a simulated report says.
const simulatedWarning = "SIMULATED: nothing here was measured."

// subtitle is the setting.
func subtitle(v *View) string {
	s := v.Title()
	return strings.ToUpper(s[:1]) + s[1:]
}

// smallPrint is what a reader needs to judge the figures.
func smallPrint(r *report.Report, v *View) (lines []string) {
	for _, h := range r.Headers {
		if line := origin(r, h) + "; " + h.Started.Format(time.DateOnly) + "."; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	lines = append(lines, intervals(v.Rows))
	warned := map[string]bool{}
	for _, row := range v.Rows {
		for _, w := range row.Warnings {
			if !warned[w] {
				warned[w] = true
				lines = append(lines, "Warning: "+w+".")
			}
		}
	}
	return lines
}

// origin says how the runs of a header came about.
func origin(r *report.Report, h results.Header) string {
	text := strings.Join(report.About(h)[:2], "; ")
	if h.Source != r.Source {
		text = "Predictions: " + text
	}
	return text
}

// intervals says what the bars at the points are.
func intervals(rows []results.Summary) string {
	for i := range rows {
		if g := rows[i].Goodput(); g.N > 0 && !g.Confident {
			return "Bars: least to most over trials."
		}
	}
	return "Bars: 95 % interval of the median over trials."
}
