package plots

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rmwbench/internal/report"
	"rmwbench/results"
)

//go:embed index.html.tmpl
var indexTemplate string

var index = template.Must(template.New("index").Parse(indexTemplate))

// TimesTitle stands over a table of times by command.
func (document) TimesTitle() string { return timesTitle }

// document is what page and markdown hold.
type document struct {
	Title      string
	Date       string
	About      []string
	Pings      []string   // the ceilings
	Warning    string     // what nobody may take the figures for
	Compared   []embedded // pictures of several settings
	Sections   []section
	Twins      []report.Twins
	Witness    string
	Accuracy   string // of predictions
	NA         []string
	Wire       []results.Wire
	Scripts    []results.Script
	Commands   []string
	Files      []string
	NotCovered []string
}

// section is one setting.
type section struct {
	Title    string
	Verdict  []string // and what became of the goal
	Table    report.Table
	Remarks  []string
	Times    report.Table // of the server, by command
	Pictures []embedded
}

// embedded is a picture inside the page.
type embedded struct {
	Title, Summary, File string
	Data                 template.URL
}

// notCovered is what a reader might think was measured.
var notCovered = []string{
	openLoopNotCovered,
	scriptTimeNotCovered,
	"Clusters, replication, persistence and failover.",
	lossNotCovered,
	"A network: injected delay is a wait in the client on both sides of an exchange, without loss or bandwidth limits.",
}

const lossNotCovered = "What happens when a reply is lost: see the audit's unknown effects, if there are any."

const openLoopNotCovered = "An open loop: clients wait for their answer, so latency under a fixed rate of arrivals would look different."

const scriptTimeNotCovered = "Script time and its cost to bystanders: a script decides in no time here."

// notCoveredBy leaves out what this report covers.
func notCoveredBy(r *report.Report) []string {
	var script, bystanders, open, faults bool
	for _, s := range r.Settings {
		if slices.ContainsFunc(s.Rows, func(row results.Summary) bool { return row.ScriptTimeNS > 0 }) {
			script, bystanders = true, bystanders || s.Bystanders > 0
		}
		open = open || s.Rate > 0
		faults = faults || s.Fault != ""
	}
	lines := slices.Clone(notCovered)
	switch at := slices.Index(lines, scriptTimeNotCovered); {
	case bystanders:
		lines = slices.Delete(lines, at, at+1)
	case script:
		lines[at] = "What script time costs bystanders."
	}
	if faults {
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == lossNotCovered })
	}
	if open {
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == openLoopNotCovered })
	}
	return lines
}

func newDocument(r *report.Report) document {
	d := document{
		Title: "rmwbench: " + settingsTitle(r), Date: r.Headers[0].Started.Format(time.DateOnly),
		Twins: r.Twins(), Witness: r.Witness(), Accuracy: r.Accuracy(), NA: r.NotApplicable(), NotCovered: notCoveredBy(r),
	}
	if r.Source == results.SourceSimulated {
		d.Warning = simulatedWarning
	}
	seenWire, seenScript := map[string]bool{}, map[results.Script]bool{}
	for _, h := range r.Headers {
		if about := origin(r, h) + "."; !slices.Contains(d.About, about) {
			d.About = append(d.About, about)
		}
		if text := report.PingCeiling(h.Pings); text != "" {
			d.Pings = append(d.Pings, text)
		}
		if h.Server.Embedded {
			d.Warning = report.EmbeddedWarning
		}
		d.Commands = append(d.Commands, shell(h.Command))
		for _, w := range h.Wire {
			if key := w.Strategy + " " + w.Workload; !seenWire[key] {
				seenWire[key] = true
				d.Wire = append(d.Wire, w)
			}
		}
		for _, s := range h.Scripts {
			if !seenScript[s] {
				seenScript[s] = true
				d.Scripts = append(d.Scripts, s)
			}
		}
	}
	for i := range r.Settings {
		s := &r.Settings[i]
		d.Sections = append(d.Sections, section{Title: s.Title(), Verdict: slices.Concat(s.Verdict(), s.Goals(r.Goal()), s.Price()), Table: s.Table(), Remarks: s.Remarks(), Times: s.Times()})
	}
	return d
}

func settingsTitle(r *report.Report) string {
	if len(r.Settings) == 1 {
		return r.Settings[0].Load()
	}
	return fmt.Sprintf("%d settings", len(r.Settings))
}

// html is the page with the pictures, which are on disk already, inside.
func html(dir string, r *report.Report, album Album) (page []byte, err error) {
	d := newDocument(r)
	if d.Compared, err = embed(dir, album.Comparisons); err != nil {
		return nil, err
	}
	for i, pictures := range album.Settings {
		if d.Sections[i].Pictures, err = embed(dir, pictures); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	err = index.Execute(&out, d)
	return out.Bytes(), err
}

// embed reads pictures from disk.
func embed(dir string, pictures []Picture) (all []embedded, err error) {
	for _, p := range pictures {
		png, err := os.ReadFile(filepath.Join(dir, p.Name+".png"))
		if err != nil {
			return nil, err
		}
		all = append(all, embedded{
			Title: p.Page.Title, Summary: p.Summary, File: p.Name + ".png",
			Data: template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png)),
		})
	}
	return all, nil
}

// markdown is the same for a merge request or a wiki, with the pictures beside
// it.
func markdown(r *report.Report, album Album) []byte {
	d := newDocument(r)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s\n", d.Title)
	for _, a := range d.About {
		line("%s %s\n", a, d.Date)
	}
	for _, p := range d.Pings {
		line("%s\n", p)
	}
	if d.Warning != "" {
		line("**%s**\n", d.Warning)
	}
	if len(album.Comparisons) > 0 {
		line("## Across settings\n")
		for _, p := range album.Comparisons {
			line("![%s](%s.png)\n", p.Page.Title, p.Name)
		}
	}
	for i, s := range d.Sections {
		line("## %s\n", s.Title)
		for _, v := range s.Verdict {
			line("- %s", v)
		}
		line("\n![%s](%s.png)\n", album.Settings[i][0].Page.Title, album.Settings[i][0].Name)
		b.WriteString(piped(s.Table))
		line("")
		for _, remark := range s.Remarks {
			line("- %s", remark)
		}
		if len(s.Times.Rows) > 0 {
			line("\n### %s\n", timesTitle)
			b.WriteString(piped(s.Times))
		}
		for _, p := range album.Settings[i][1:] {
			line("\n![%s](%s.png)", p.Page.Title, p.Name)
		}
		line("")
	}
	for _, t := range d.Twins {
		line("## %s\n", t.Title)
		b.WriteString(piped(t.Table))
		line("")
		for _, n := range t.Notes {
			line("- %s", n)
		}
		line("")
	}
	if d.Accuracy != "" {
		line("%s\n", d.Accuracy)
	}
	line("%s\n", d.Witness)
	for _, n := range d.NA {
		line("- %s", n)
	}
	line("\n## To reproduce\n")
	for _, c := range d.Commands {
		line("    %s", c)
	}
	line("\n## Not measured\n")
	for _, n := range d.NotCovered {
		line("- %s", n)
	}
	return []byte(b.String())
}

// timesTitle stands over the table of times by command.
const timesTitle = "Server time per command, in µs a call by the server's own clock (EXEC and scripts: with what they execute)"

// piped is a table of markdown.
func piped(t report.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |\n", strings.Join(t.Columns, " | "))
	for c := range t.Columns {
		if t.Figures(c) {
			b.WriteString("|--:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}

// shell is a command line as it would be typed.
func shell(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if w == "" || strings.ContainsAny(w, " \t'\"\\$&|;<>()*?#~`!{}[]") {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
