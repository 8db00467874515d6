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

// document is what page and markdown hold.
type document struct {
	Title      string
	Date       string
	About      []string
	Warning    string // what nobody may take the figures for
	Sections   []section
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
	"What happens when a reply is lost: see the audit's unknown effects, if there are any.",
	"A network: injected delay is a wait in the client on both sides of an exchange, without loss or bandwidth limits.",
}

const openLoopNotCovered = "An open loop: clients wait for their answer, so latency under a fixed rate of arrivals would look different."

const scriptTimeNotCovered = "Script time and its cost to bystanders: a script decides in no time here."

// notCoveredBy leaves out what this report covers.
func notCoveredBy(r *report.Report) []string {
	lines := slices.Clone(notCovered)
	for _, s := range r.Settings {
		if slices.ContainsFunc(s.Rows, func(row results.Summary) bool { return row.ScriptTimeNS > 0 }) {
			lines[slices.Index(notCovered, scriptTimeNotCovered)] = "What script time costs bystanders."
		}
	}
	if slices.ContainsFunc(r.Settings, func(s report.Setting) bool { return s.Rate > 0 }) {
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == openLoopNotCovered })
	}
	return lines
}

func newDocument(r *report.Report) document {
	d := document{
		Title: "rmwbench: " + settingsTitle(r), Date: r.Headers[0].Started.Format(time.DateOnly),
		Witness: r.Witness(), Accuracy: r.Accuracy(), NA: r.NotApplicable(), NotCovered: notCoveredBy(r),
	}
	if r.Source == results.SourceSimulated {
		d.Warning = simulatedWarning
	}
	seenWire, seenScript := map[string]bool{}, map[results.Script]bool{}
	for _, h := range r.Headers {
		d.About = append(d.About, origin(r, h)+".")
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
		d.Sections = append(d.Sections, section{Title: s.Title(), Verdict: slices.Concat(s.Verdict(), s.Goals(r.Goal()), s.Price()), Table: s.Table(), Remarks: s.Remarks()})
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
func html(dir string, r *report.Report, pictures [][]Picture) ([]byte, error) {
	d := newDocument(r)
	for i, ofSetting := range pictures {
		for _, p := range ofSetting {
			png, err := os.ReadFile(filepath.Join(dir, p.Name+".png"))
			if err != nil {
				return nil, err
			}
			d.Sections[i].Pictures = append(d.Sections[i].Pictures, embedded{
				Title: p.Page.Title, Summary: p.Summary, File: p.Name + ".png",
				Data: template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png)),
			})
		}
	}
	var out bytes.Buffer
	err := index.Execute(&out, d)
	return out.Bytes(), err
}

// markdown is the same for a merge request or a wiki, with the pictures beside
// it.
func markdown(r *report.Report, pictures [][]Picture) []byte {
	d := newDocument(r)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s\n", d.Title)
	for _, a := range d.About {
		line("%s %s\n", a, d.Date)
	}
	if d.Warning != "" {
		line("**%s**\n", d.Warning)
	}
	for i, s := range d.Sections {
		line("## %s\n", s.Title)
		for _, v := range s.Verdict {
			line("- %s", v)
		}
		line("\n![%s](%s.png)\n", pictures[i][0].Page.Title, pictures[i][0].Name)
		line("| %s |", strings.Join(s.Table.Columns, " | "))
		for c := range s.Table.Columns {
			if s.Table.Figures(c) {
				b.WriteString("|--:")
			} else {
				b.WriteString("|---")
			}
		}
		line("|")
		for _, row := range s.Table.Rows {
			line("| %s |", strings.Join(row, " | "))
		}
		line("")
		for _, remark := range s.Remarks {
			line("- %s", remark)
		}
		for _, p := range pictures[i][1:] {
			line("\n![%s](%s.png)", p.Page.Title, p.Name)
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
