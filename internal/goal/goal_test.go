package goal

import (
	"errors"
	"testing"
	"time"

	"rmwbench/results"
)

// row has 20 000 committed ops of 10 ms, two attempts each.
func row() *results.Summary {
	s := &results.Summary{Trials: 1, Committed: 20_000, GaveUp: 20, Attempts: 40_000, Latency: results.NewHistogram(), UnfinishedAge: results.NewHistogram()}
	for range s.Committed {
		s.Latency.Record(10 * time.Millisecond)
	}
	return s
}

func TestJudge(t *testing.T) {
	few := &results.Summary{Trials: 1, Committed: 1, Attempts: 5, Latency: results.NewHistogram(), UnfinishedAge: results.NewHistogram()}
	few.Latency.Record(time.Millisecond)
	idle := &results.Summary{Trials: 1, Latency: results.NewHistogram(), UnfinishedAge: results.NewHistogram()}
	// Few commit, and quickly; the others wait for ever.
	starving := row()
	for range 500 {
		starving.UnfinishedAge.Record(time.Second)
	}
	void := row()
	void.Audit = results.Audit{Verdict: results.AuditLost}
	for _, c := range []struct {
		goal string
		row  *results.Summary
		want Answer
		why  string
	}{
		{"p50<20ms,p99<20ms,p99.9<11ms,retries<1.1,gave-up<1%", row(), Met, ""},
		{"p99<5ms", row(), Missed, "p99 is 10.002ms"},
		{"p50<1s,retries<1", row(), Missed, "retries is 1"},
		{"gave-up<0.05%", row(), Missed, "gave-up is 0.0999%"},
		{"p50<20ms,retries<1.1", starving, Met, ""},
		{"p99<20ms,retries<1.1", starving, Missed, "p99 is longer, with 500 ops of 20500 that were still running after 20ms"},
		{"p99<2s", starving, Met, ""},
		{"server<70%", row(), Untold, "the server does not tell its own time"},
		{"p99<5ms,retries<9", few, Unknown, "there are too few samples for p99"},
		{"p99<5ms,retries<0.5", few, Missed, "retries is 4"},
		{"p99<5ms", &results.Summary{Partial: 1}, Unknown, "no trial was finished"},
		{"p99<5ms", idle, Missed, "nothing was committed that could be used"},
		{"p50<1s", void, Missed, "nothing was committed that could be used"},
	} {
		g, err := Parse(c.goal)
		if err != nil {
			t.Fatal(err)
		}
		if got, why := g.Judge(c.row); got != c.want || why != c.why {
			t.Errorf("%s: %v, %q, want %v, %q", c.goal, got, why, c.want, c.why)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "p99", "p99<", "p99<x", "p99<-1ms", "p99<0s", "p99<1", "p98<1ms", "retries<1ms", "retries<NaN", "retries<Inf", "server<", "p50<1ms,p50<2ms", "p50<1ms,", "p99>1ms",
	} {
		if g, err := Parse(text); err == nil {
			t.Errorf("%q was read as %v", text, g)
		}
	}
}

func TestStringCanBeReadAgain(t *testing.T) {
	const text = "p50<1.5ms,p99<20ms,p99.9<1s,retries<0.5,gave-up<0.1%,server<70%"
	g, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := g.String(); got != text {
		t.Errorf("%q reads %q", text, got)
	}
}

func TestLargest(t *testing.T) {
	for _, limit := range []int{0, 1, 2, 3, 63, 64, 65, 777, 1000} {
		asked := 0
		got, err := Largest(1000, func(load int) (bool, error) {
			asked++
			return load <= limit, nil
		})
		if err != nil || got > limit || float64(got) < 0.98*float64(limit) || limit < 100 && got != limit {
			t.Errorf("limit %d: found %d, %v", limit, got, err)
		}
		if asked > 22 {
			t.Errorf("limit %d: asked %d times", limit, asked)
		}
	}
	broken := errors.New("broken")
	if _, err := Largest(10, func(int) (bool, error) { return false, broken }); err != broken {
		t.Errorf("%v", err)
	}
}
