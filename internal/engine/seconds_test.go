package engine

import (
	"testing"
	"time"

	"rmwbench/results"
	"rmwbench/strategies"
)

// Each whole second of a window is told once, as it ends, also where the window
// ends by the number of ops; short windows and herds are not told.
func TestSecondsAreTold(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*Plan)
		told   int
	}{
		{"3 s", func(p *Plan) { p.Duration = 3 * time.Second }, 3},
		{"3.5 s", func(p *Plan) { p.Duration = 3500 * time.Millisecond }, 3},
		{"just under 2 s", func(p *Plan) { p.Duration = 2*time.Second - 1 }, 0},
		{"2500 ops", func(p *Plan) { p.Ops, p.Duration = 2500, 0 }, 2},
		{"2500 ops in at most 10 s", func(p *Plan) { p.Ops, p.Duration = 2500, 10*time.Second }, 2},
		{"a herd", func(p *Plan) { p.Herd, p.Duration = true, 0 }, 0},
	} {
		p := validPlan()
		p.Strategies, p.Clients, p.Warmup = []string{"atomic"}, []int{1}, 0
		c.change(&p)
		if p.Ops == 0 && !p.Herd {
			p.Warmup = 300 * time.Millisecond
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		cells, _ := p.Grid(strategies.Facts{})
		var told []Second
		var run *results.Run
		w := newShop()
		r := Runner{
			Plan: &p, World: w, Cells: cells, Shards: 1,
			Sink:   func(r *results.Run) error { run = r; return nil },
			Second: func(s Second) { told = append(told, s) },
		}
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		var sum int64
		for i, s := range told {
			if s.End != time.Duration(i+1)*time.Second || (s.Length-time.Second).Abs() > 2*time.Millisecond || s.Cell != cells[0] {
				t.Errorf("%s: second %d is %+v", c.what, i, s)
			}
			if s.Committed < 998 || s.Committed > 1001 || s.Attempts != s.Committed || s.P50NS == nil || *s.P50NS < 990_000 || *s.P50NS > 1_010_000 {
				t.Errorf("%s: second %d is %+v", c.what, i, s)
			}
			sum += s.Committed
		}
		if len(told) != c.told || sum > run.Committed {
			t.Errorf("%s: %d seconds of %d ops, %d committed", c.what, len(told), sum, run.Committed)
		}
		if n := len(w.alarms); n != 0 {
			t.Errorf("%s: %d alarms are left", c.what, n)
		}
		if hasSeries := run.Series != nil; hasSeries != (p.Duration >= time.Second) {
			t.Errorf("%s: series %v", c.what, run.Series)
		}
	}
}
