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
