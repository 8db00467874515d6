package cli

import (
	"fmt"
	"slices"
	"strings"

	"rmwbench/internal/fault"
	"rmwbench/internal/verdict"
	"rmwbench/plots"
	"rmwbench/plots/theme"
	"rmwbench/results"
)

// tones show weights.
var tones = map[fault.Weight]theme.Tone{fault.Fine: theme.Good, fault.ToKnow: theme.Notable, fault.Corrupts: theme.Bad}

// matrix is what was found as a picture: a row for each design, a column for
// each kind of disturbance.
func (o faultsOutput) matrix() *plots.Matrix {
	m := &plots.Matrix{
		Name: "faults", Title: o.finding(), Subtitle: "Every exchange of an op is broken once, " + o.title(),
		Columns: []string{"design"},
		Key: []theme.TableCell{
			{Text: "fine: how often the op was applied", Tone: theme.Good},
			{Text: "to know: garbage, or a later deadline", Tone: theme.Notable},
			{Text: "corrupts what is stored or what the client is told", Tone: theme.Bad},
		},
		Small: []string{
			fmt.Sprintf("rmwbench %s, %s.", o.Version, o.Started.Format("2006-01-02 15:04 UTC")),
			verdict.Count(o.cases(), "case") + ", each on a state of its own: one op, disturbed at one of its exchanges. A cell tells the worst of its cases.",
			"Request lost: it never arrives; cut: the connection breaks behind one of its commands; reply lost: all is done and nobody is told. The client then goes on as its design says, until it is answered.",
			"In between: another client does its op, or a sweep comes, before the client goes on. Dies: the client never comes back. Restarts: the server keeps its data, connections break.",
			"An empty cell: there is no such case.",
		},
	}
	for _, d := range fault.Disturbances {
		m.Columns = append(m.Columns, string(d))
	}
	m.Columns = append(m.Columns, "verdict")
	if o.Source == results.SourceSimulated {
		m.Warning = "SIMULATED: no server was asked."
	}
	for i := range o.Designs {
		v := &o.Designs[i]
		title := heading(v.Design.Group)
		if n := len(m.Groups); n == 0 || m.Groups[n-1].Title != title {
			m.Groups = append(m.Groups, theme.Group{Title: title})
		}
		g := &m.Groups[len(m.Groups)-1]
		g.Rows = append(g.Rows, row(v))
	}
	return m
}

func row(v *fault.Verdict) []theme.TableCell {
	cells := []theme.TableCell{{Text: v.Name}}
	for _, d := range fault.Disturbances {
		text, weight := v.Cell(d)
		cells = append(cells, theme.TableCell{Text: text, Tone: tones[weight]})
	}
	return append(cells, theme.TableCell{Text: v.Words()})
}

// heading is a group's name as one.
func heading(group string) string { return strings.ToUpper(group[:1]) + group[1:] }

// finding says in a sentence what the matrix shows.
func (o faultsOutput) finding() string {
	tried := slices.DeleteFunc(slices.Clone(o.Designs), func(v fault.Verdict) bool { return v.NA != "" })
	corrupt := 0
	for i := range tried {
		if fault.Weigh(tried[i].Flaws) == fault.Corrupts {
			corrupt++
		}
	}
	return fmt.Sprintf("An exchange that breaks makes %d of %s corrupt data; %s",
		corrupt, verdict.Count(len(tried), "retry design"), safe(tried))
}

func (o faultsOutput) cases() (n int) {
	for _, v := range o.Designs {
		n += len(v.Cases)
	}
	return n
}
