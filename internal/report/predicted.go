package report

import (
	"fmt"
	"math"
	"slices"

	"rmwbench/results"
	"rmwbench/strategies"
)

// Error is how far a prediction lies from what was measured.
type Error struct {
	Goodput  float64 // predicted, per second
	Relative float64 // of goodput: predicted / measured - 1
	P        float64 // of the conflict probability: predicted - measured
	PKnown   bool
}

// Error holds the prediction for a measured row against it; ok is false where
// there is none, or nothing that it could be held against.
func (s *Setting) Error(row *results.Summary) (e Error, ok bool) {
	p := s.Prediction(row.Cell)
	if p == nil || row.Audit.Void() || row.Invalid() || row.Trials == 0 || row.Goodput().Center <= 0 { // of most trials nothing came
		return Error{}, false
	}
	e.Goodput = p.Goodput().Center
	e.Relative = e.Goodput/row.Goodput().Center - 1
	predicted, ok1 := p.ConflictRate()
	measured, ok2 := row.ConflictRate()
	kind, _ := strategies.All.Get(row.Strategy)
	e.P, e.PKnown = predicted-measured, ok1 && ok2 && kind.Retries
	return e, true
}

// Good reports whether the prediction can be planned with.
func (e Error) Good() bool {
	return math.Abs(e.Relative) <= GoodError && (!e.PKnown || math.Abs(e.P) <= GoodPError)
}

// Gates of a prediction that can be planned with.
const (
	GoodError  = 0.10 // relative, of goodput
	GoodPError = 0.05 // absolute, of p
)

// Checked is how far predictions lie from what was measured, over all rows, or
// else what is known of it from elsewhere; nil if nothing is.
func (r *Report) Checked() *results.Checked {
	var goodputs, ps []float64
	c := results.Checked{}
	for i := range r.Settings {
		s := &r.Settings[i]
		for j := range s.Rows {
			e, ok := s.Error(&s.Rows[j])
			if !ok {
				continue
			}
			c.Cells++
			c.Clients = max(c.Clients, s.Rows[j].Clients)
			ratio := 1 + e.Relative
			goodputs = append(goodputs, max(ratio, 1/ratio)-1)
			if e.PKnown {
				ps = append(ps, math.Abs(e.P))
			}
		}
	}
	if c.Cells == 0 {
		for _, h := range r.Headers {
			if h.Checked != nil {
				return h.Checked
			}
		}
		return nil
	}
	c.Goodput, c.P = mostOf(goodputs), mostOf(ps)
	return &c
}

// mostOf is what nine values of ten do not exceed; 0 without any.
func mostOf(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[int(math.Ceil(0.9*float64(len(values))))-1]
}

// Doubt is the error that a simulated goodput is drawn with, as a factor less 1
// either way: that of the cells that were checked, for a cell with more clients
// than any of them, or with what none of them had: several or faster servers, a
// script time, a herd; 0 for one inside, or held against a measurement itself. ok is false if nothing was checked.
func (r *Report) Doubt(c results.Cell) (relative float64, ok bool) {
	checked := r.Checked()
	switch {
	case checked == nil:
		return 0, false
	case r.held(c), c.Clients <= checked.Clients && c.Shards == 0 && c.ServerSpeed == 0 && c.ScriptTimeNS == 0 && !c.Herd:
		return 0, true
	}
	return checked.Goodput, true
}

// held reports whether a prediction of the cell was held against a measurement.
func (r *Report) held(c results.Cell) bool {
	return r.any(func(row *results.Summary) bool { return row.Cell == c && row.Source != results.SourceSimulated })
}

// Accuracy says in one sentence how far predictions lie from what was measured,
// over all rows of the report; "" without any.
func (r *Report) Accuracy() string {
	var relative, ps []float64
	good, bare := 0, false
	for i := range r.Settings {
		s := &r.Settings[i]
		for j := range s.Rows {
			e, ok := s.Error(&s.Rows[j])
			if !ok {
				continue
			}
			bare = bare || s.RTTNS == 0 && s.DecisionNS == 0
			relative = append(relative, math.Abs(e.Relative))
			if e.PKnown {
				ps = append(ps, math.Abs(e.P))
			}
			if e.Good() {
				good++
			}
		}
	}
	if relative == nil {
		return ""
	}
	slices.Sort(relative)
	text := fmt.Sprintf("Predictions: goodput within %.0f %% and p within %.2f in %d of %d cells; the middle error of goodput is %.1f %%, the largest %.1f %%",
		100*GoodError, GoodPError, good, len(relative), 100*relative[len(relative)/2], 100*relative[len(relative)-1])
	if ps != nil {
		text += fmt.Sprintf("; the largest of p %.3f", slices.Max(ps))
	}
	if bare {
		text += ". Without an injected delay tool and server are at the cores all the time, and how the system shares them out is known only roughly"
	}
	return text + "."
}
