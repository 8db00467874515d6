package engine

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// clockwork is a world of one client in virtual time: an exchange takes 1 ms,
// Hold takes what it is asked for, and nothing else takes any time.
type clockwork struct {
	now   time.Duration
	holds []time.Duration
	lost  bool // no session any more
}

func (w *clockwork) Now() time.Duration                          { return w.now }
func (w *clockwork) Dial(int) (Conn, error)                      { return w, nil }
func (w *clockwork) Run(procs ...func())                         { procs[0]() }
func (w *clockwork) Alarm(time.Duration, func()) (cancel func()) { return func() {} }
func (w *clockwork) Session(string) (strategies.Session, error) {
	if w.lost {
		return nil, errors.New("gone")
	}
	return w, nil
}
func (w *clockwork) Cut()   {}
func (w *clockwork) Drop()  {}
func (w *clockwork) Close() {}

func (w *clockwork) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	w.now += time.Millisecond
	return make([]resp.Reply, len(cmds)), nil
}

func (w *clockwork) Hold(d time.Duration) {
	w.holds = append(w.holds, d)
	w.now += max(d, 0)
}

// outcomes is a strategy that comes to one outcome after the other, the last
// for ever, at one exchange each.
type outcomes struct {
	all []strategies.Outcome
	n   int
}

func (o *outcomes) Attempt(s strategies.Session, _ workloads.Workload, op workloads.Op) strategies.Outcome {
	s.Exchange(resp.Cmd{"PING"})
	out := o.all[min(o.n, len(o.all)-1)]
	o.n++
	return out
}

var (
	committed = strategies.Outcome{Verdict: strategies.Committed, Effect: workloads.EffectAll}
	conflict  = strategies.Outcome{Verdict: strategies.Conflict}
	rejected  = strategies.Outcome{Verdict: strategies.Rejected}
	failed    = strategies.Outcome{Verdict: strategies.Failed, Error: "WRONGTYPE no"}
	unknown   = strategies.Outcome{Verdict: strategies.Unknown, Effect: workloads.EffectMaybe, Error: "CONNECTION lost"}
)

// play runs one client against outcomes and answers what was recorded.
func play(t *testing.T, w *clockwork, change func(*load), all ...strategies.Outcome) *results.Run {
	t.Helper()
	workload, _ := workloads.All.Get("counter")
	dist, err := newDist(results.Cell{Dist: "uniform", Keys: 1})
	if err != nil {
		t.Fatal(err)
	}
	l := &load{
		world: w, strategy: &outcomes{all: all}, workload: workload, dist: dist, bases: []string{"{0}"},
		window: window{0, forever},
	}
	change(l)
	sh := newShards(1)
	sh.reset(1, workload, 0, false)
	c := newClient(l, 0, w, 1, sh[0])
	c.run()
	run := &results.Run{}
	sh[0].Fill(run)
	return run
}

// ops bounds a load to n ops.
func ops(n int64) func(*load) {
	return func(l *load) {
		l.opsLeft = new(atomic.Int64)
		l.opsLeft.Store(n)
	}
}

func TestConflictsAreTriedAgainUntilDone(t *testing.T) {
	run := play(t, &clockwork{}, ops(2), conflict, conflict, committed, committed)
	if run.Committed != 2 || run.Attempts != 4 || run.Conflicts != 2 || run.AttemptsHistogram.At(3) != 1 || run.AttemptsHistogram.At(1) != 1 {
		t.Errorf("%d committed, %d attempts, %d conflicts", run.Committed, run.Attempts, run.Conflicts)
	}
	if got := run.Latency.Max(); got < 2990*time.Microsecond || got > 3010*time.Microsecond {
		t.Errorf("the op with three attempts of 1 ms took %v", got)
	}
}

func TestOtherVerdictsEndTheOp(t *testing.T) {
	run := play(t, &clockwork{}, ops(4), rejected, failed, unknown, committed)
	if run.Attempts != 4 || run.Rejected != 1 || run.Failed["WRONGTYPE"] != 1 || run.Unknown != 1 || run.Committed != 1 {
		t.Errorf("%+v", run)
	}
	if run.OtherLatency.Count() != 3 || run.Latency.Count() != 1 {
		t.Errorf("%d and %d latencies", run.OtherLatency.Count(), run.Latency.Count())
	}
}

func TestTriesAreBounded(t *testing.T) {
	run := play(t, &clockwork{}, func(l *load) {
		ops(2)(l)
		l.retry = contention.Retry{MaxTries: 3}
	}, conflict)
	if run.GaveUp != 2 || run.Attempts != 6 || run.Conflicts != 6 {
		t.Errorf("%d gave up in %d attempts", run.GaveUp, run.Attempts)
	}
}

func backoffOf(t *testing.T, name string, base, limit time.Duration) contention.Retry {
	t.Helper()
	kind, err := contention.Backoffs.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return contention.Retry{Backoff: kind.New(base, limit)}
}

func TestBackoffIsSpentAndCounted(t *testing.T) {
	w := &clockwork{}
	run := play(t, w, func(l *load) {
		ops(1)(l)
		l.retry = backoffOf(t, "exp", 5*time.Millisecond, time.Second)
	}, conflict, conflict, committed)
	want := 10*time.Millisecond + 20*time.Millisecond
	if time.Duration(run.BackoffNS) != want {
		t.Errorf("back-off %v, want %v", time.Duration(run.BackoffNS), want)
	}
	if w.now != want+3*time.Millisecond {
		t.Errorf("the op ended at %v", w.now)
	}
}

// A wait never outlasts the window, and what the end overtakes is unfinished.
func TestTheWindowEndsWaits(t *testing.T) {
	w := &clockwork{}
	run := play(t, w, func(l *load) {
		l.window = window{0, 50 * time.Millisecond}
		l.retry = backoffOf(t, "exp", time.Second, time.Minute)
	}, conflict)
	if w.now != 50*time.Millisecond || run.Unfinished != 1 || run.Attempts != 1 {
		t.Errorf("ended at %v with %d unfinished after %d attempts", w.now, run.Unfinished, run.Attempts)
	}
	w = &clockwork{}
	run = play(t, w, func(l *load) {
		l.window = window{0, 50 * time.Millisecond}
		l.think = time.Hour
	}, committed)
	if w.now != 50*time.Millisecond || run.Committed != 1 {
		t.Errorf("thinking: ended at %v with %d committed", w.now, run.Committed)
	}
}

// What ends in the warm-up, or after the window, is in the whole and not in
// the run.
func TestOnlyTheWindowCounts(t *testing.T) {
	run := play(t, &clockwork{}, func(l *load) { l.window = window{10 * time.Millisecond, 30 * time.Millisecond} }, committed)
	// Ops end at 1, 2, ... 30 ms; the window holds 10 .. 29.
	if run.Committed != 20 || run.Attempts != 20 || run.Latency.Count() != 20 || run.Exchanges != 20 {
		t.Errorf("%d committed, %d attempts, %d exchanges", run.Committed, run.Attempts, run.Exchanges)
	}
	if run.Whole.Attempts != 30 || run.Whole.Exchanges != 30 || run.Whole.Verdicts["committed"] != 30 {
		t.Errorf("whole: %+v", run.Whole)
	}
}

func TestALostServerEndsTheClient(t *testing.T) {
	w := &clockwork{lost: true}
	run := play(t, w, ops(5), committed)
	if run.Attempts != 0 || run.Unfinished != 1 {
		t.Errorf("%d attempts, %d unfinished", run.Attempts, run.Unfinished)
	}
}

func TestAStopEndsTheClientBetweenAttempts(t *testing.T) {
	stop := make(chan struct{})
	close(stop)
	run := play(t, &clockwork{}, func(l *load) { l.stop = stop }, conflict)
	if run.Attempts != 0 {
		t.Errorf("%d attempts after the stop", run.Attempts)
	}
}

func TestNetworkDelayLiesOnBothWays(t *testing.T) {
	w := &clockwork{}
	var seen []time.Duration
	world := withDelay(w, 3*time.Millisecond, func(_ int, d time.Duration) { seen = append(seen, d) })
	conn, err := world.Dial(0)
	if err != nil {
		t.Fatal(err)
	}
	session, err := conn.Session("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Exchange(resp.Cmd{"PING"}); err != nil {
		t.Fatal(err)
	}
	if w.now != 4*time.Millisecond || len(w.holds) != 2 || w.holds[0]+w.holds[1] != 3*time.Millisecond || w.holds[0] != w.holds[1] {
		t.Errorf("an exchange with delay ends at %v after holds %v", w.now, w.holds)
	}
	if len(seen) != 1 || seen[0] != 3*time.Millisecond {
		t.Errorf("achieved %v", seen)
	}
}

// The meter counts what the server must have executed: not what was queued in
// a transaction that did not run.
func TestExecutedCommands(t *testing.T) {
	script := &canned{}
	m := meter{}
	m.begin(script)
	ok, queued := resp.Text("OK"), resp.Text("QUEUED")
	exchange := func(cmds []resp.Cmd, replies ...resp.Reply) {
		script.replies = replies
		m.Exchange(cmds...)
	}
	set, get := resp.Cmd{"SET", "k", "1"}, resp.Cmd{"GET", "k"}
	exchange([]resp.Cmd{{"WATCH", "k"}, get}, ok, resp.Text("1"))
	exchange([]resp.Cmd{{"MULTI"}, set, {"EXEC"}}, ok, queued, resp.List(ok)) // runs
	exchange([]resp.Cmd{{"MULTI"}, set, {"EXEC"}}, ok, queued, resp.Reply{})  // aborted
	exchange([]resp.Cmd{{"MULTI"}}, ok)                                       // the same, one by one
	exchange([]resp.Cmd{set}, queued)
	exchange([]resp.Cmd{{"EXEC"}}, resp.List(ok))
	exchange([]resp.Cmd{{"SCRIPT", "LOAD", "x"}}, resp.Text("sha"))
	got := map[string]int64{}
	m.sum(got)
	want := map[string]int64{"watch": 1, "get": 1, "multi": 3, "exec": 3, "set": 2, "script|load": 1}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s: %d, want %d", name, got[name], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("counted %v", got)
	}
	if m.exchanges != 7 || m.bytesOut == 0 || m.bytesIn == 0 {
		t.Errorf("%d exchanges, %d bytes out, %d in", m.exchanges, m.bytesOut, m.bytesIn)
	}
}

type canned struct{ replies []resp.Reply }

func (c *canned) Exchange(...resp.Cmd) ([]resp.Reply, error) { return c.replies, nil }
func (*canned) Hold(time.Duration)                           {}
