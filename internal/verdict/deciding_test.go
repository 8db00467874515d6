package verdict

import (
	"strings"
	"testing"

	"rmwbench/results"
)

// Where clients and scripts take time to decide, a way that does not is no match
// for them; elsewhere it is.
func TestOnlyWhatDecidesIsCompared(t *testing.T) {
	const without = "Compared are the ways whose decision takes time; atomic decides in none."
	for _, test := range []struct {
		name              string
		decision          int64 // of all rows
		script            int64 // of lua
		first, also, rest string
	}{
		{"both take it", 5e6, 5e6, "At 4 clients watch with full back-off has the highest goodput, 600/s, beyond doubt 3.0 times that of lua of 5ms (200/s).", without, ""},
		{"only clients take it", 5e6, 0, "At 4 clients atomic has the highest goodput, 9000/s", "", without},
		{"only scripts take time", 0, 5e6, "At 4 clients atomic has the highest goodput, 9000/s", "", without},
	} {
		rows := table(row{strategy: "watch", backoff: "full", clients: 4, goodputs: six(600)},
			row{strategy: "lua", clients: 4, goodputs: six(200)}, row{strategy: "atomic", clients: 4, goodputs: six(9000)})
		for i := range rows {
			rows[i].DecisionNS = test.decision
			if rows[i].Strategy == "lua" {
				rows[i].ScriptTimeNS = test.script
			}
		}
		got := winners(rows)
		if !strings.HasPrefix(got, test.first) || !strings.Contains(got, test.also) || test.rest != "" && strings.Contains(got, test.rest) {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

// Many that are level are not listed one by one.
func TestManyAreLevel(t *testing.T) {
	var rows []results.Summary
	for i, strategy := range []string{"atomic", "lua", "function", "eval"} {
		rows = append(rows, table(row{strategy: strategy, clients: 4, goodputs: []float64{float64(1000 - 100*i)}})...)
	}
	const want = "At 4 clients atomic has the highest goodput, 1000/s, not beyond doubt ahead of any other (down to 700/s)."
	if got := winners(rows); got != want {
		t.Errorf("%s", got)
	}
}
