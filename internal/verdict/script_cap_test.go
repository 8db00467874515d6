package verdict

import (
	"testing"
	"time"

	"rmwbench/results"
)

func TestScriptCap(t *testing.T) {
	rows := []results.Summary{
		{Cell: results.Cell{Strategy: "lua", ScriptTimeNS: int64(5 * time.Millisecond)}},
		{Cell: results.Cell{Strategy: "lua", ScriptTimeNS: int64(time.Millisecond)}},
		{Cell: results.Cell{Strategy: "lua", ScriptTimeNS: int64(time.Millisecond), Clients: 4}},
		{Cell: results.Cell{Strategy: "watch"}},
	}
	want := "A script caps each server whatever the number of clients: one of 1ms near 1000/s, one of 5ms near 200/s."
	if got := scriptCap(rows); got != want {
		t.Errorf("%q", got)
	}
	if got := scriptCap(rows[3:]); got != "" {
		t.Errorf("without a script time: %q", got)
	}
}

// What script time came to is what caps, over all rows that tell.
func TestScriptCapOfWhatWasAchieved(t *testing.T) {
	row := func(asked, achieved time.Duration) results.Summary {
		r := results.Run{Cell: results.Cell{Strategy: "lua", ScriptTimeNS: int64(asked)}}
		if achieved > 0 {
			r.Achieved.ScriptTimeNS = &results.Spread{Mean: int64(achieved)}
		}
		return results.Summaries(nil, []results.Run{r})[0]
	}
	const us = time.Microsecond
	rows := []results.Summary{row(5000*us, 4900*us), row(1000*us, 1000*us+300), row(5000*us, 5300*us), row(5000*us, 0), row(2000*us, 0)}
	want := "A script caps each server whatever the number of clients: one of 1ms near 1000/s, one of 2ms near 500/s, one of 5ms (achieved 5.1ms) near 196/s."
	if got := scriptCap(rows); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
