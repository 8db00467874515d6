package results

import (
	"slices"
	"testing"
	"time"
)

func TestSpreadOf(t *testing.T) {
	if s := SpreadOf([]Sample{{NS: 5, Count: 0}}); s != nil {
		t.Errorf("of nothing: %+v", s)
	}
	samples := []Sample{{NS: 300, Count: 1}, {NS: 100.4, Count: 98}, {NS: 7, Count: 0}, {NS: 200, Count: 1}}
	s := SpreadOf(samples)
	if s.P50 != 100 || s.P99 != 200 || s.Mean != 103 { // (98 x 100.4 + 500) / 100
		t.Errorf("%+v", s)
	}
	if len(s.Quantiles) != len(SpreadShares) || !slices.IsSorted(s.Quantiles) || s.Quantiles[0] != 100 || s.Quantiles[len(s.Quantiles)-1] != 300 {
		t.Errorf("quantiles %v", s.Quantiles)
	}
	if samples[0].NS != 300 {
		t.Error("the caller's samples are in another order")
	}
}

// The mean is over the trials whose server told, whole ones only.
func TestScriptTimeOfACell(t *testing.T) {
	c := Cell{Strategy: "lua", ScriptTimeNS: 5e6}
	runs := []Run{
		{Cell: c, Achieved: Achieved{ScriptTimeNS: &Spread{Mean: 4_900_000}}},
		{Cell: c, Achieved: Achieved{ScriptTimeNS: &Spread{Mean: 5_300_000}}},
		{Cell: c},
		{Cell: c, Partial: true, Achieved: Achieved{ScriptTimeNS: &Spread{Mean: 9_000_000}}},
	}
	if d, ok := Summaries(nil, runs)[0].ScriptTime(); d != 5100*time.Microsecond || !ok {
		t.Errorf("%v, %v", d, ok)
	}
	if d, ok := Summaries(nil, runs[2:])[0].ScriptTime(); ok {
		t.Errorf("%v from servers that do not tell", d)
	}
}
