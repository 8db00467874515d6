package verdict

import (
	"strings"
	"testing"
)

func TestBottleneck(t *testing.T) {
	// one is a table of a single row: nothing is said but who was the bottleneck.
	one := func(c cpu) []row { return []row{{strategy: "atomic", clients: 64, goodputs: six(1000), cpu: c}} }
	inside := func(c cpu) []row {
		rows := one(c)
		rows[0].embedded = true
		return rows
	}
	const at = "At 64 clients with atomic "
	checkSentences(t, []sentencesTest{
		{"tool", one(cpu{8, 0.85, 0.4}), false, []string{at +
			"this machine was the bottleneck, so the fastest ways may be faster than measured: the tool used 85 % of 8 cores and the server's main thread 40 % of one."}},
		{"tool, to the point", one(cpu{4, 0.8, 0.4}), false, []string{at +
			"this machine was the bottleneck, so the fastest ways may be faster than measured: the tool used 80 % of 4 cores and the server's main thread 40 % of one."}},
		{"tool and server", one(cpu{8, 0.9, 0.99}), false, []string{at +
			"this machine was the bottleneck, so the fastest ways may be faster than measured: the tool used 90 % of 8 cores and the server's main thread 99 % of one."}},
		{"tool, server unknown", one(cpu{8, 0.9, -1}), false, []string{at +
			"this machine was the bottleneck, so the fastest ways may be faster than measured: the tool used 90 % of 8 cores."}},
		{"one core", one(cpu{1, 0.9, 0.1}), false, []string{at +
			"this machine was the bottleneck, so the fastest ways may be faster than measured: the tool used 90 % of 1 core and the server's main thread 10 % of one."}},
		{"server", one(cpu{8, 0.2, 0.97}), false, []string{at +
			"the server's main thread was the bottleneck: the tool used 20 % of 8 cores and the server's main thread 97 % of one."}},
		{"server, to the point", one(cpu{8, 0.79, 0.8}), false, []string{at +
			"the server's main thread was the bottleneck: the tool used 79 % of 8 cores and the server's main thread 80 % of one."}},
		{"server, on this machine", one(cpu{2, 0.5, 0.85}), true, []string{at +
			"the server's main thread was the bottleneck: the tool used 50 % of 2 cores and the server's main thread 85 % of one."}},
		// Half of two cores and 0.7 of one are 0.85 of both.
		{"shared cores", one(cpu{2, 0.5, 0.7}), true, []string{at +
			"the cores that tool and server share were the bottleneck: the tool used 50 % of 2 cores and the server's main thread 70 % of one."}},
		{"the same, not shared", one(cpu{2, 0.5, 0.7}), false, []string{at +
			"neither the tool nor the server was the bottleneck: the tool used 50 % of 2 cores and the server's main thread 70 % of one."}},
		{"the same, on more cores", one(cpu{8, 0.5, 0.7}), true, []string{at +
			"neither the tool nor the server was the bottleneck: the tool used 50 % of 8 cores and the server's main thread 70 % of one."}},
		{"neither", one(cpu{8, 0.79, 0.79}), false, []string{at +
			"neither the tool nor the server was the bottleneck: the tool used 79 % of 8 cores and the server's main thread 79 % of one."}},
		{"idle", one(cpu{8, 0, 0}), true, []string{at +
			"neither the tool nor the server was the bottleneck: the tool used 0 % of 8 cores and the server's main thread 0 % of one."}},
		{"server unknown", one(cpu{8, 0.3, -1}), true, []string{at +
			"the tool was not the bottleneck; the server does not tell its own time: the tool used 30 % of 8 cores."}},
		{"embedded", inside(cpu{2, 0.79, -1}), true, []string{at +
			"the cores were not the bottleneck: both together used 79 % of 2 cores."}},
		{"embedded, all cores", inside(cpu{2, 1, -1}), true, []string{at +
			"the cores that tool and embedded server share were the bottleneck: both together used 100 % of 2 cores."}},
		{"invalid", one(cpu{2, 0.95, 0.4}), true, nil},
		{"tool unknown", one(cpu{0, 0, 0.9}), false, nil},
		{"nobody knows", one(cpu{0, 0, -1}), false, nil},
	})
}

// It is about the fastest row at the most clients, and no other.
func TestBottleneckOfTheFastest(t *testing.T) {
	busyTool, busyServer, idle := cpu{8, 0.9, 0.1}, cpu{8, 0.1, 0.9}, cpu{8, 0.1, 0.1}
	rows := []row{
		{strategy: "lua", clients: 64, goodputs: six(500), cpu: idle},
		{strategy: "watch", backoff: "full", clients: 64, goodputs: six(1000), cpu: busyServer},
		{strategy: "watch", backoff: "none", clients: 64, goodputs: six(600), cpu: idle},
		{strategy: "unsafe", clients: 64, goodputs: six(5000), cpu: busyTool},
		{strategy: "atomic", clients: 64, goodputs: six(5000), lost: true, cpu: busyTool},
		{strategy: "lua", clients: 256, goodputs: exactly(6, 0), cpu: busyTool},
		{strategy: "atomic", clients: 4, goodputs: six(9000), cpu: busyTool},
	}
	got := Sentences(table(rows...), false)
	const want = "At 64 clients with watch with full back-off the server's main thread was the bottleneck: " +
		"the tool used 10 % of 8 cores and the server's main thread 90 % of one."
	if len(got) == 0 || got[len(got)-1] != want {
		t.Errorf("%q\nwant at the end %s", got, want)
	}
}

// What the tool limited says nothing of who is fastest.
func TestInvalidRowsTakeNoPart(t *testing.T) {
	busy, idle := cpu{2, 0.99, 0.4}, cpu{2, 0.3, 0.2}
	got := Sentences(table(
		row{strategy: "atomic", clients: 64, goodputs: six(9000), cpu: busy},
		row{strategy: "lua", clients: 64, goodputs: six(1000), cpu: idle},
		row{strategy: "eval", clients: 64, goodputs: six(500), cpu: idle},
	), true)
	if all := strings.Join(got, " "); strings.Contains(all, "atomic") || !strings.Contains(all, "At 64 clients lua has the highest goodput") {
		t.Errorf("%q", got)
	}
}
