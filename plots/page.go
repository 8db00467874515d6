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
var order = []string{"collapse", "goodput", "predicted", "cost", "latency", "attempts"}

// Pictures makes all pages of one setting of a report: the summary first.
func Pictures(r *report.Report, setting int) []Picture {
	all := views(r)
	v := &all[setting]
	suffix := ""
	if len(all) > 1 {
		suffix = fmt.Sprintf("-%d", setting+1)
	}
	small := smallPrint(r, v)
	pictures := []Picture{{Name: "summary" + suffix, Summary: "the main panels and the verdict", Page: summary(v, small)}}
	for _, name := range chartNames() {
		chart, _ := All.Get(name)
		drawing := chart.Draw(v)
		if len(drawing.Panels) == 0 {
			continue
		}
		pictures = append(pictures, Picture{Name: name + suffix, Summary: chart.Summary, Page: theme.Page{
			Title: drawing.Title, Warning: warning(v), Subtitle: subtitle(v), Panels: drawing.Panels, Small: small,
		}})
	}
	return pictures
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
		lines = append(lines, origin(r, h)+"; "+h.Started.Format(time.DateOnly)+".")
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
