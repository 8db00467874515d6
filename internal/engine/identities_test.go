package engine

import (
	"strings"
	"testing"
	"time"

	"rmwbench/results"
)

// sound is a trial of two clients for 10 ms with attempts of 1 ms, half of them
// conflicts, and its parts.
func sound(t *testing.T) (*trial, *load, []*client) {
	t.Helper()
	c := results.Cell{Strategy: "watch", Workload: "counter", Clients: 2, Keys: 2, Dist: "uniform"}
	dist, err := newDist(c)
	if err != nil {
		t.Fatal(err)
	}
	rec := results.NewRecorder()
	rec.Reset(2)
	for range 10 {
		for number, verdict := range []results.Verdict{results.Conflict, results.Committed} {
			rec.Attempt(results.AttemptRecord{Number: number + 1, Verdict: verdict, Latency: time.Millisecond}, true)
		}
		rec.Op(results.OpRecord{Outcome: results.OpCommitted, Attempts: 2, Latency: 2 * time.Millisecond})
	}
	tr := &trial{Runner: &Runner{Plan: &Plan{}}, cell: c, dist: dist}
	rec.Fill(&tr.run)
	tr.run.ElapsedNS = int64(10 * time.Millisecond)
	all := window{0, forever}
	var clients []*client
	for i := range 2 {
		c := &client{id: i, came: time.Second, left: time.Second + 10*time.Millisecond}
		for n := range time.Duration(10) {
			c.spent.attempt(all, c.came+n*time.Millisecond, c.came+(n+1)*time.Millisecond)
		}
		clients = append(clients, c)
	}
	return tr, &load{perKey: []int64{5, 5}, window: all}, clients
}

// Each fault that the identities are for is found.
func TestIdentitiesFindFaults(t *testing.T) {
	for what, c := range map[string]struct {
		spoil func(*trial, *load, []*client)
		want  string
	}{
		"nothing":                        {func(*trial, *load, []*client) {}, ""},
		"a verdict too many":             {func(t *trial, _ *load, _ []*client) { t.run.Verdicts["rejected"]++ }, "verdicts"},
		"an attempt too many":            {func(t *trial, _ *load, _ []*client) { t.run.AttemptsByAttempt.Add(3) }, "by number"},
		"a conflict too few":             {func(t *trial, _ *load, _ []*client) { t.run.Conflicts-- }, "conflicts"},
		"an op too many":                 {func(t *trial, _ *load, _ []*client) { t.run.Committed++ }, "ops committed"},
		"a latency too many":             {func(t *trial, _ *load, _ []*client) { t.run.Latency.Record(1) }, "latencies"},
		"time that nobody accounts":      {func(_ *trial, _ *load, c []*client) { c[1].left++ }, "client 1 was there"},
		"an attempt that nobody made":    {func(_ *trial, _ *load, c []*client) { c[0].spent.count-- }, "clients made 19"},
		"attempts longer than they were": {func(_ *trial, _ *load, c []*client) { c[0].spent.whole *= 9 }, "were counted"},
		"another length in the records":  {func(t *trial, _ *load, c []*client) { c[0].spent.whole += time.Millisecond }, "were recorded"},
		"a key that is never met":        {func(_ *trial, l *load, _ []*client) { l.perKey = []int64{1000, 0} }, "key 0 was answered"},
	} {
		tr, l, clients := sound(t)
		c.spoil(tr, l, clients)
		err := tr.identities(l, clients)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", what, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// A herd is one op of each client, whatever the length.
func TestHerdIsOneOpOfEachClient(t *testing.T) {
	run, err := tryTrial(t, newShop(), func(p *Plan) { p.Herd, p.Duration, p.Warmup = true, 0, 0 })
	if err != nil {
		t.Fatal(err)
	}
	if run.Committed != 1 || !run.Herd || run.ElapsedNS != int64(time.Millisecond) || run.Audit.Verdict != results.AuditExact {
		t.Errorf("%d committed in %v, audit %s", run.Committed, time.Duration(run.ElapsedNS), run.Audit)
	}
}

// native is a world that delays exchanges by itself.
type native struct {
	*clockwork
	asked time.Duration
}

func (n *native) Delayed(rtt time.Duration, _ func(int, time.Duration)) World {
	n.asked = rtt
	return n
}

func TestAWorldMayDelayByItself(t *testing.T) {
	n := &native{clockwork: &clockwork{}}
	if w := withDelay(n, time.Second, nil); w != World(n) || n.asked != time.Second {
		t.Errorf("asked for %v", n.asked)
	}
}

// A stop has a bound also where only ops are counted: connections that do not
// answer are cut.
func TestAStopCutsWhatDoesNotAnswer(t *testing.T) {
	w := newShop()
	stop := make(chan struct{})
	asked := 0
	w.before = func(client int, cmd string) trouble {
		if client == Control {
			return fine
		}
		if asked++; asked == 5 {
			close(stop)
			return silence
		}
		return fine
	}
	conn, _ := w.Dial(0)
	tr := &trial{Runner: &Runner{Plan: &Plan{}, World: w, Stop: stop}, world: w}
	dog := tr.guard([]Conn{conn}, forever)
	w.Run(func() {
		session, _ := conn.Session("")
		for range 5 {
			session.Exchange([]string{"PING"})
		}
	})
	if dog.callOff() == nil {
		t.Error("the watchdog did not bite")
	}
	if slack := tr.slack(); w.now < slack || w.now > 2*slack {
		t.Errorf("cut after %v, slack is %v", w.now, slack)
	}
}
