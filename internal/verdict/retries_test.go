package verdict

import (
	"strings"
	"testing"
)

func TestRetries(t *testing.T) {
	// watch makes one row for each number of clients, with so many attempts.
	watch := func(strategy, backoff string, byClients ...float64) (rows []row) {
		for i, attempts := range byClients {
			rows = append(rows, row{strategy: strategy, backoff: backoff, clients: 1 << (2 * i), goodputs: []float64{100}, attempts: attempts})
		}
		return rows
	}
	join := func(groups ...[]row) (all []row) {
		for _, g := range groups {
			all = append(all, g...)
		}
		return all
	}
	tests := []struct {
		name string
		rows []row
		want string
	}{
		{"no WATCH loop", []row{{strategy: "lua", clients: 4, goodputs: []float64{1}, attempts: 5}}, ""},
		{"passed between", watch("watch", "full", 1, 1.5, 2.5, 9),
			"One retry per success: watch with full back-off passes it between 4 and 16 clients."},
		{"passed exactly", watch("watch", "full", 1, 2),
			"One retry per success: watch with full back-off passes it between 1 and 4 clients."},
		{"just not passed", watch("watch", "full", 1, 1.99),
			"One retry per success: watch with full back-off stays below it up to 4 clients."},
		{"already past", watch("watch", "none", 2.1, 5),
			"One retry per success: watch without back-off is already past it at 1 client."},
		{"passed, and below again", watch("watch", "none", 1, 3, 1.5, 4),
			"One retry per success: watch without back-off passes it between 1 and 4 clients."},
		{"a single number of clients, below", []row{{strategy: "watch", clients: 64, goodputs: []float64{1}, attempts: 1.2}},
			"One retry per success: watch stays below it at 64 clients."},
		{"a single number of clients, past", []row{{strategy: "watch", clients: 64, goodputs: []float64{1}, attempts: 7}},
			"One retry per success: watch is already past it at 64 clients."},
		{"one client, below", watch("watch", "none", 1),
			"One retry per success: watch without back-off stays below it at 1 client."},
		{"rows in any order", []row{
			{strategy: "watch", clients: 64, goodputs: []float64{1}, attempts: 9},
			{strategy: "watch", clients: 1, goodputs: []float64{1}, attempts: 1},
			{strategy: "watch", clients: 16, goodputs: []float64{1}, attempts: 3},
			{strategy: "watch", clients: 4, goodputs: []float64{1}, attempts: 1.5},
		}, "One retry per success: watch passes it between 4 and 16 clients."},
		{"a row in the middle has no figures", []row{
			{strategy: "watch", clients: 1, goodputs: []float64{1}, attempts: 1},
			{strategy: "watch", clients: 4, goodputs: []float64{0}, attempts: 9},
			{strategy: "watch", clients: 16, goodputs: []float64{1}, attempts: 9},
		}, "One retry per success: watch passes it between 1 and 16 clients."},
		{"two with the same answer", join(watch("watch", "none", 1, 3), watch("watch-pipelined", "full", 1, 2.5)),
			"One retry per success: every WATCH loop passes it between 1 and 4 clients."},
		{"every one below", join(watch("watch", "none", 1, 1.1), watch("watch", "full", 1, 1)),
			"One retry per success: every WATCH loop stays below it up to 4 clients."},
		{"every one past", join(watch("watch", "none", 2), watch("watch", "full", 3)),
			"One retry per success: every WATCH loop is already past it at 1 client."},
		{"three with two answers", join(watch("watch", "none", 1, 3, 9), watch("watch", "full", 1, 1.5, 3), watch("watch-naive", "none", 1, 4, 5)),
			"One retry per success: watch without back-off and watch-naive without back-off pass it between 1 and 4 clients; " +
				"watch with full back-off passes it between 4 and 16 clients."},
		{"four with two answers, all verbs", join(
			watch("watch", "none", 2, 3), watch("watch", "full", 1, 1.5),
			watch("watch-naive", "none", 3, 4), watch("watch-naive", "full", 1, 1), watch("watch-pipelined", "none", 3, 4)),
			"One retry per success: watch without back-off, watch-naive without back-off and watch-pipelined without back-off are already past it at 1 client; " +
				"watch with full back-off and watch-naive with full back-off stay below it up to 4 clients."},
		// The same loop with other numbers of clients is another answer.
		{"up to different numbers", join(watch("watch", "none", 1, 1.5), watch("watch", "full", 1, 1, 1)),
			"One retry per success: watch without back-off stays below it up to 4 clients; watch with full back-off stays below it up to 16 clients."},
		{"loops that differ in tries", []row{
			{strategy: "watch", backoff: "full", clients: 1, tries: 3, goodputs: []float64{1}, attempts: 1},
			{strategy: "watch", backoff: "full", clients: 1, goodputs: []float64{1}, attempts: 1},
			{strategy: "watch", backoff: "full", clients: 4, tries: 3, goodputs: []float64{1}, attempts: 1.5},
			{strategy: "watch", backoff: "full", clients: 4, goodputs: []float64{1}, attempts: 2.5},
		}, "One retry per success: watch with full back-off in up to 3 tries stays below it up to 4 clients; " +
			"watch with full back-off passes it between 1 and 4 clients."},
		{"a loop among others", join(watch("watch", "none", 1, 3), []row{
			{strategy: "lua", clients: 1, goodputs: []float64{1}}, {strategy: "lua", clients: 4, goodputs: []float64{1}, attempts: 7},
		}), "One retry per success: watch without back-off passes it between 1 and 4 clients."},
	}
	for _, test := range tests {
		got := ""
		if s := Sentences(table(test.rows...), false); len(s) > 0 && strings.HasPrefix(s[0], "One retry") {
			got = s[0]
		}
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// What is wrong, void or empty is not spoken of.
func TestRetriesLeaveOut(t *testing.T) {
	good := row{strategy: "watch", backoff: "full", clients: 4, goodputs: []float64{10}, attempts: 1}
	const want = "One retry per success: watch with full back-off stays below it at 4 clients."
	for name, bad := range map[string]row{
		"control":  {strategy: "bug-no-rewatch", clients: 1, goodputs: []float64{10}, attempts: 5},
		"void":     {strategy: "watch", backoff: "full", clients: 1, goodputs: []float64{10}, attempts: 5, lost: true},
		"empty":    {strategy: "watch", backoff: "full", clients: 1, attempts: 5},
		"no op":    {strategy: "watch", backoff: "full", clients: 1, goodputs: []float64{0, 0}, attempts: 5},
		"cut off":  {strategy: "watch", backoff: "full", clients: 1, goodputs: []float64{10}, attempts: 5, partial: true},
		"no WATCH": {strategy: "atomic", clients: 1, goodputs: []float64{10}, attempts: 5},
		"unknown":  {strategy: "of a later version", clients: 1, goodputs: []float64{10}, attempts: 5},
	} {
		if got := Sentences(table(bad, good), false); len(got) == 0 || got[0] != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
