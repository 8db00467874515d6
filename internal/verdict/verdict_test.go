package verdict

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rmwbench/results"
	"rmwbench/strategies"
)

func TestLabel(t *testing.T) {
	tests := []struct {
		strategy, backoff string
		tries             int
		want              string
	}{
		{"atomic", "", 0, "atomic"},
		{"watch", "none", 0, "watch without back-off"},
		{"watch", "full", 0, "watch with full back-off"},
		{"watch-naive", "decorrelated", 0, "watch-naive with decorrelated back-off"},
		{"watch", "none", 1, "watch without back-off in 1 try"},
		{"watch", "full", 5, "watch with full back-off in up to 5 tries"},
	}
	for _, test := range tests {
		got := Label(results.Cell{Strategy: test.strategy, Backoff: test.backoff, MaxTries: test.tries, Clients: 7})
		if got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[int]string{0: "0 clients", 1: "1 client", 2: "2 clients", 64: "64 clients"} {
		if got := clients(n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, words := range map[string][]string{
		"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}, "a, b, c and d": {"a", "b", "c", "d"},
		"a, x; b, y and c": {"a, x", "b, y", "c"},
	} {
		if got := Join(words); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A whole verdict, in order.
func TestSentences(t *testing.T) {
	busy := cpu{2, 0.3, 0.95}
	checkSentences(t, []sentencesTest{
		{"no rows", nil, true, nil},
		{"the usual table", []row{
			{strategy: "watch", backoff: "none", clients: 1, goodputs: six(300), attempts: 1, cpu: busy},
			{strategy: "watch", backoff: "none", clients: 16, goodputs: six(400), attempts: 12, cpu: busy},
			{strategy: "watch", backoff: "full", clients: 1, goodputs: six(299), attempts: 1, cpu: busy},
			{strategy: "watch", backoff: "full", clients: 16, goodputs: six(500), attempts: 4, cpu: busy},
			{strategy: "lua", clients: 1, goodputs: six(800), cpu: busy},
			{strategy: "lua", clients: 16, goodputs: six(9000), cpu: busy},
			{strategy: "atomic", clients: 1, goodputs: six(820), cpu: busy},
			{strategy: "atomic", clients: 16, goodputs: six(15000), cpu: busy},
		}, true, []string{
			"One retry per success: every WATCH loop passes it between 1 and 16 clients.",
			"At 1 client atomic has the highest goodput, 820/s, not beyond doubt ahead of lua (800/s), but beyond doubt 2.7 times that of watch without back-off (300/s). " +
				"At 16 clients atomic has the highest goodput, 15000/s, beyond doubt 1.7 times that of lua (9000/s) and 30.0 times that of the best WATCH loop, watch with full back-off (500/s). " +
				"WATCH leads nowhere in this table.",
			"At 16 clients with atomic the server's main thread was the bottleneck: the tool used 30 % of 2 cores and the server's main thread 95 % of one.",
		}},
	})
}

// The caller's rows stay as and where they are.
func TestSentencesLeaveRowsAlone(t *testing.T) {
	rows := table(
		row{strategy: "unsafe", clients: 4, goodputs: six(100)},
		row{strategy: "watch", clients: 64, goodputs: six(100)},
		row{strategy: "watch", clients: 1, goodputs: six(300)},
		row{strategy: "lua", clients: 1, goodputs: six(200)},
	)
	var before []results.Cell
	for _, r := range rows {
		before = append(before, r.Cell)
	}
	Sentences(rows, true)
	for i, r := range rows {
		if r.Cell != before[i] {
			t.Errorf("row %d was %+v and is %+v", i, before[i], r.Cell)
		}
	}
}

// randomRow is a row as a strange day may bring it.
func randomRow(rng *rand.Rand, names []string) row {
	r := row{
		strategy: names[rng.IntN(len(names))],
		backoff:  []string{"", "none", "full", "exp"}[rng.IntN(4)],
		clients:  []int{1, 1, 4, 64, 10_000}[rng.IntN(5)],
		tries:    []int{0, 0, 1, 7}[rng.IntN(4)],
		attempts: []float64{0, 1, 1.99, 2, 3, 1e6}[rng.IntN(6)],
		lost:     rng.IntN(10) == 0,
		partial:  rng.IntN(10) == 0,
		cpu:      cpu{[]int{0, 1, 2, 64}[rng.IntN(4)], rng.Float64() * 1.5, rng.Float64()*2 - 0.5},
	}
	level := []float64{0, 0.01, 5, 1000, 1e7}[rng.IntN(5)]
	for range rng.IntN(13) {
		g := level * (0.5 + rng.Float64())
		if rng.IntN(4) == 0 {
			g = 0
		}
		r.goodputs = append(r.goodputs, g)
	}
	return r
}

// Whatever the figures, sentences are sentences.
func TestSentencesOfAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	names := append(strategies.All.Names(), "of a later version")
	bad := regexp.MustCompile(`NaN|Inf|%!|\(0x|  | ,|,,|\.\.| 1 clients|\b1 cores|^[a-z]|[^.]$|\s$`)
	said := map[string]int{}
	for range 200 {
		var rows []row
		for range rng.IntN(13) {
			rows = append(rows, randomRow(rng, names))
		}
		local := rng.IntN(2) == 0
		got := Sentences(table(rows...), local)
		for _, s := range got {
			if found := bad.FindString(s); found != "" {
				t.Fatalf("%q in: %s\nof %+v", found, s, rows)
			}
			for _, name := range names {
				if k, _ := strategies.All.Get(name); k.Control && strings.Contains(s, name) {
					t.Fatalf("the control %s in: %s", name, s)
				}
			}
			said[s[:strings.IndexByte(s, ' ')]]++
		}
		if len(got) > 3 {
			t.Fatalf("%d sentences: %q", len(got), got)
		}
		// Their order may decide among equals, but nothing is random.
		if again := Sentences(table(rows...), local); !slices.Equal(got, again) {
			t.Fatalf("%q, and again %q", got, again)
		}
	}
	if said["One"] < 50 || said["At"] < 50 {
		t.Errorf("said %v: the test says little", said)
	}
}
