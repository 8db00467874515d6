// Package goal owns what a user wants of a load, like p99<20ms,retries<1: how
// it is written, whether a row of figures meets it, and the search for the
// largest load that does.
package goal

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"rmwbench/results"
)

// Goal is a list of limits that must all hold. The empty goal always holds.
type Goal []Limit

// Limit is one figure that must stay below a value.
type Limit struct {
	Figure string
	Below  float64 // in seconds, as a number or as a share, by figure
}

// figure is something that can be limited.
type figure struct {
	name  string
	want  string // of a limit, in words
	parse func(string) (float64, error)
	show  func(float64) string
	judge func(f figure, s *results.Summary, below float64) (Answer, string)
}

// figures are all there are, in the order in which they are listed.
var figures = []figure{
	latency("p50", 0.5), latency("p99", 0.99), latency("p99.9", 0.999),
	{"retries", "a number like 1", number, plain, value(func(s *results.Summary) (float64, bool) {
		attempts, ok := s.AttemptsPerOp()
		return attempts - 1, ok
	}, Unknown, "no op was answered")},
	{"gave-up", "a share like 0.1%", share, percent, value(func(s *results.Summary) (float64, bool) {
		ops := s.Committed + s.Rejected + s.GaveUp + s.Failed + s.Unknown
		return float64(s.GaveUp) / float64(max(ops, 1)), ops > 0
	}, Unknown, "no op ended")},
	{"server", "a share like 70%", share, percent, value((*results.Summary).ServerLoad, Untold, "the server does not tell its own time")},
}

// value judges a figure that is one number, which may not be there.
func value(of func(*results.Summary) (float64, bool), without Answer, why string) func(figure, *results.Summary, float64) (Answer, string) {
	return func(f figure, s *results.Summary, below float64) (Answer, string) {
		switch v, ok := of(s); {
		case !ok:
			return without, why
		case v >= below:
			return Missed, fmt.Sprintf("%s is %s", f.name, f.show(v))
		}
		return Met, ""
	}
}

// tailSamples is how many ops must be allowed to miss a percentile's limit for
// the figure to be more than an anecdote.
const tailSamples = 10

// latency is a percentile of committed ops. Ops that are still running after
// the limit count too: they miss it, whatever becomes of them. (Of those that
// are younger nothing is known.)
func latency(name string, q float64) figure {
	show := func(v float64) string { return time.Duration(v * 1e9).Round(time.Microsecond).String() }
	judge := func(f figure, s *results.Summary, below float64) (Answer, string) {
		limit := time.Duration(below * 1e9)
		running := s.UnfinishedAge.Over(limit)
		ops := s.Latency.Count() + running
		allowed := float64(ops) * (1 - q)
		switch late := s.Latency.Over(limit) + running; {
		case allowed < tailSamples-1e-6:
			return Unknown, "there are too few samples for " + name
		case float64(late) <= allowed:
			return Met, ""
		}
		if d, ok := s.Latency.Quantile(q); ok && d >= limit {
			return Missed, fmt.Sprintf("%s is %s", name, show(d.Seconds()))
		}
		return Missed, fmt.Sprintf("%s is longer, with %d ops of %d that were still running after %s", name, running, ops, show(below))
	}
	return figure{name, "a duration like 20ms", seconds, show, judge}
}

func seconds(text string) (float64, error) {
	d, err := time.ParseDuration(text)
	return d.Seconds(), err
}

func number(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

func share(text string) (float64, error) {
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		v, err := strconv.ParseFloat(percent, 64)
		return v / 100, err
	}
	return strconv.ParseFloat(text, 64)
}

func plain(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

func percent(v float64) string { return plain(100*v) + "%" }

func find(name string) (figure, bool) {
	for _, f := range figures {
		if f.name == name {
			return f, true
		}
	}
	return figure{}, false
}

// Parse reads limits like p99<20ms,retries<1.
func Parse(text string) (Goal, error) {
	var g Goal
	seen := map[string]bool{}
	for item := range strings.SplitSeq(text, ",") {
		name, limit, ok := strings.Cut(item, "<")
		f, known := find(name)
		switch {
		case !ok:
			return nil, fmt.Errorf("%q: want limits like p99<20ms,retries<1", item)
		case !known:
			return nil, fmt.Errorf("%q: want one of %s", name, names())
		case seen[name]:
			return nil, fmt.Errorf("%q: given twice", name)
		}
		v, err := f.parse(limit)
		if err != nil || !(v > 0 && v < 1e12) {
			return nil, fmt.Errorf("%q: want %s, more than 0", item, f.want)
		}
		seen[name] = true
		g = append(g, Limit{Figure: name, Below: v})
	}
	return g, nil
}

func names() string {
	all := make([]string, len(figures))
	for i, f := range figures {
		all[i] = f.name
	}
	return strings.Join(all, ", ")
}

// String is the goal as it is written.
func (g Goal) String() string {
	parts := make([]string, len(g))
	for i, l := range g {
		f, _ := find(l.Figure)
		parts[i] = l.Figure + "<" + f.show(l.Below)
	}
	return strings.Join(parts, ",")
}

// Answer says whether a row meets a goal.
type Answer uint8

// Unknown is for a row with too few samples, Untold for a server that does not
// tell its own time.
const (
	Met Answer = iota
	Missed
	Unknown
	Untold
)

// Judge holds a row against the goal. why names what is missed, or else what is
// not known. A row of which nothing was committed, or that may not be used,
// misses every goal; one without a whole trial tells nothing.
func (g Goal) Judge(s *results.Summary) (a Answer, why string) {
	switch {
	case s.Trials == 0:
		return Unknown, "no trial was finished"
	case s.Committed == 0 || s.Audit.Void():
		return Missed, "nothing was committed that could be used"
	}
	for _, l := range g {
		f, _ := find(l.Figure)
		switch answer, reason := f.judge(f, s, l.Below); answer {
		case Missed:
			return Missed, reason
		case Untold:
			a, why = Untold, reason
		case Unknown:
			if a == Met {
				a, why = Unknown, reason
			}
		}
	}
	return a, why
}
