package verdict

import (
	"strings"
	"testing"
	"time"

	"rmwbench/results"
)

// watched is a row of lua scripts on a server that is busy with them for a share
// of 100 s, beside bystanders that read so often and wait so long.
func watched(clients int, script time.Duration, busy float64, closed bool, reads int, waited time.Duration) results.Summary {
	s := results.Summary{
		Cell:    results.Cell{Strategy: "lua", Clients: clients, ScriptTimeNS: int64(script), Bystanders: 4, BystandersClosed: closed},
		Elapsed: 100 * time.Second, Bystander: results.NewHistogram(),
	}
	s.Attempts = int64(busy * float64(s.Elapsed) / float64(script))
	for range reads {
		s.Bystander.Record(waited)
	}
	return s
}

const ms = time.Millisecond

func TestBystandersSayTheLawOfTheTurn(t *testing.T) {
	closed, paced := watched(16, 5*ms, 0.99, true, 5012, 80*ms), watched(16, 5*ms, 0.99, false, 80_000, 120*ms)
	shorter := watched(64, ms, 1, true, 6200, 64*ms)
	for _, test := range []struct {
		name string
		rows []results.Summary
		want string
	}{
		{"closed", []results.Summary{closed}, "Everybody else gets one turn in each round of the scripts: beside 16 clients that keep the server busy " +
			"with scripts of 5ms, 4 readers that never rest got 50.1/s together (law: 4/(16 x 5ms) = 50/s)."},
		{"paced", []results.Summary{paced}, "Everybody else gets one turn in each round of the scripts: beside 16 clients that keep the server busy " +
			"with scripts of 5ms, a read took 120 ms in the median (law: 80ms to 160ms, one to two rounds of 16 x 5ms)."},
		{"the longest round", []results.Summary{shorter, closed, shorter}, "16 clients"},
		{"the longest round that is saturated", []results.Summary{watched(64, 5*ms, 0.5, true, 100, ms), shorter}, "64 clients that keep the server busy with scripts of 1ms"},
	} {
		if got := bystanders(test.rows); got != test.want && !(test.want[0] != 'E' && strings.Contains(got, test.want)) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
	sharded, elsewhere := closed, watched(16, 5*ms, 1, true, 0, 0)
	sharded.Shards = 4
	for name, row := range map[string]results.Summary{
		"not saturated":    watched(16, 5*ms, 0.89, true, 5000, 80*ms),
		"one client":       watched(1, 5*ms, 1, true, 5000, 80*ms),
		"several servers":  sharded,
		"nobody there":     elsewhere,
		"too few to say":   watched(16, 5*ms, 1, false, 19, 120*ms),
		"no script time":   {Cell: results.Cell{Strategy: "lua", Clients: 16, Bystanders: 4}, Elapsed: time.Second, Attempts: 100, Bystander: closed.Bystander},
		"nothing measured": {Cell: closed.Cell, Bystander: closed.Bystander},
	} {
		if got := bystanders([]results.Summary{row}); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
