package theme

import (
	"fmt"
	"math"
)

// Bounds of what is drawn: more is a mistake of the caller, and would make a
// picture of unbounded size.
const (
	mostPanels = 24
	mostSeries = 200
	mostPoints = 20_000 // of a series
	mostTicks  = 500
	mostMarked = 50
	mostLines  = 60 // of text, notes, small print
	largest    = 1e30
)

// Check says what cannot be drawn, naming panel and series: values that are not
// finite, not positive on a logarithmic axis, not a share on a percentile axis,
// intervals that do not hold their value, and more of anything than a page holds.
func (p Page) Check() error {
	if len(p.Panels) > mostPanels {
		return fmt.Errorf("page %q: %d panels, at most %d", p.Title, len(p.Panels), mostPanels)
	}
	if len(p.Text)+len(p.Small) > mostLines {
		return fmt.Errorf("page %q: %d sentences, at most %d", p.Title, len(p.Text)+len(p.Small), mostLines)
	}
	if p.Table != nil {
		if len(p.Panels) > 0 {
			return fmt.Errorf("page %q: a table and panels, want one of them", p.Title)
		}
		if err := p.Table.check(); err != nil {
			return fmt.Errorf("table %q: %w", p.Title, err)
		}
	}
	for i, panel := range p.Panels {
		if err := panel.check(); err != nil {
			return fmt.Errorf("panel %d %q: %w", i+1, panel.Title, err)
		}
	}
	return nil
}

func (p Panel) check() error {
	for _, few := range []struct {
		what    string
		n, most int
	}{{"series", len(p.Series), mostSeries}, {"marks", len(p.Marks), mostMarked}, {"notes", len(p.Notes), mostLines}} {
		if few.n > few.most {
			return fmt.Errorf("%d %s, at most %d", few.n, few.what, few.most)
		}
	}
	if err := p.X.check(); err != nil {
		return fmt.Errorf("x axis: %w", err)
	}
	if err := p.Y.check(); err != nil {
		return fmt.Errorf("y axis: %w", err)
	}
	for _, m := range p.Marks {
		scale := p.Y.Scale
		if m.Vertical {
			scale = p.X.Scale
		}
		if err := scale.check(m.Value); err != nil {
			return fmt.Errorf("mark %q: %w", m.Label, err)
		}
		if m.Until == 0 {
			continue
		}
		if err := scale.check(m.Until); err != nil {
			return fmt.Errorf("end of mark %q: %w", m.Label, err)
		}
	}
	for i, s := range p.Series {
		if err := s.check(p.X.Scale, p.Y.Scale); err != nil {
			return fmt.Errorf("series %d %q: %w", i+1, s.Label, err)
		}
	}
	return nil
}

func (a Axis) check() error {
	if a.Scale > Percentile {
		return fmt.Errorf("unknown scale %d", a.Scale)
	}
	if len(a.Ticks) > mostTicks {
		return fmt.Errorf("%d ticks, at most %d", len(a.Ticks), mostTicks)
	}
	for _, t := range a.Ticks {
		if err := a.Scale.check(t); err != nil {
			return fmt.Errorf("tick: %w", err)
		}
	}
	if a.To != 0 {
		if err := a.Scale.check(a.To); err != nil {
			return fmt.Errorf("end: %w", err)
		}
	}
	return nil
}

func (s Series) check(x, y Scale) error {
	if len(s.Points) > mostPoints {
		return fmt.Errorf("%d points, at most %d", len(s.Points), mostPoints)
	}
	if s.Stroke > Band {
		return fmt.Errorf("unknown stroke %d", s.Stroke)
	}
	for i, p := range s.Points {
		for _, v := range []struct {
			name  string
			value float64
			scale Scale
		}{{"x", p.X, x}, {"y", p.Y, y}, {"lo", p.Lo, y}, {"hi", p.Hi, y}} {
			if err := v.scale.check(v.value); err != nil {
				return fmt.Errorf("point %d: %s: %w", i+1, v.name, err)
			}
		}
		slack := 1e-9 * math.Abs(p.Y) // of a mean of equal values
		if p.Lo > p.Y+slack || p.Hi < p.Y-slack {
			return fmt.Errorf("point %d: interval %v..%v does not hold y = %v", i+1, p.Lo, p.Hi, p.Y)
		}
	}
	return nil
}

// check says whether a value can stand on a scale.
func (k Scale) check(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%v is not finite", v)
	case k == Log && v <= 0:
		return fmt.Errorf("%v is not positive, on a logarithmic axis", v)
	case k == Percentile && (v < 0 || v >= 1):
		return fmt.Errorf("%v is not a share of samples, 0 <= q < 1", v)
	case math.Abs(v) > largest, k == Log && v < 1/largest:
		return fmt.Errorf("%v is beyond what an axis can show", v)
	}
	return nil
}
