package engine

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
)

// shop is a world with a store, in virtual time: an exchange takes 1 ms, alarms
// ring when their time has come, and things go wrong on demand.
type shop struct {
	now    time.Duration
	store  map[string]string
	alarms map[int]alarm
	next   int
	before func(client int, cmd string) trouble // nil: no trouble
	stats  map[string]int64                     // what the server says it served
}

type alarm struct {
	at time.Duration
	f  func()
}

// trouble is what becomes of an exchange that has a command in it.
type trouble uint8

const (
	fine    trouble = iota
	refuse          // an error reply
	broken          // the connection is lost
	silence         // no answer until the connection is cut
)

func newShop() *shop {
	return &shop{store: map[string]string{}, alarms: map[int]alarm{}, stats: map[string]int64{}}
}

func (w *shop) Now() time.Duration { return w.now }

func (w *shop) Run(procs ...func()) {
	for _, p := range procs {
		p()
	}
}

func (w *shop) Alarm(d time.Duration, f func()) (cancel func()) {
	id := w.next
	w.next++
	w.alarms[id] = alarm{w.now + d, f}
	return func() { delete(w.alarms, id) }
}

// pass lets time go by.
func (w *shop) pass(d time.Duration) {
	until := w.now + max(d, 0)
	for id, a := range w.alarms {
		if a.at <= until {
			delete(w.alarms, id)
			w.now = max(w.now, a.at)
			a.f()
		}
	}
	w.now = until
}

func (w *shop) Dial(client int) (Conn, error) { return &shopConn{w: w, client: client}, nil }

func (w *shop) Snapshot() (Snapshot, error) {
	s := Snapshot{Commands: map[string]results.CommandStats{}, ClientCPU: w.now / 4, Cores: 1}
	for name, n := range w.stats {
		s.Commands[name] = results.CommandStats{Calls: n, USec: 2 * n}
	}
	cpu := w.now / 10
	s.ServerCPU = &cpu
	return s, nil
}

func (w *shop) Memory() (*int64, error) {
	memory := 1<<20 + 100*w.stats["incrby"]
	return &memory, nil
}

type shopConn struct {
	w      *shop
	client int
	cut    bool
}

func (c *shopConn) Session(string) (strategies.Session, error) {
	if c.cut {
		return nil, errors.New("cut")
	}
	return c, nil
}
func (c *shopConn) Cut()                 { c.cut = true }
func (c *shopConn) Drop()                {}
func (c *shopConn) Close()               {}
func (c *shopConn) Hold(d time.Duration) { c.w.pass(d) }

func (c *shopConn) Exchange(cmds ...resp.Cmd) (replies []resp.Reply, err error) {
	c.w.pass(time.Millisecond)
	for _, cmd := range cmds {
		what := fine
		if c.w.before != nil {
			what = c.w.before(c.client, cmd[0])
		}
		switch what {
		case broken:
			return nil, errors.New("connection reset")
		case silence:
			for !c.cut {
				if len(c.w.alarms) == 0 {
					panic("nobody will ever cut this connection")
				}
				c.w.pass(100 * time.Millisecond)
			}
			return nil, errors.New("cut")
		case refuse:
			replies = append(replies, resp.Fault("NOPERM no "+cmd[0]))
			continue
		}
		replies = append(replies, c.w.serve(cmd))
	}
	return replies, nil
}

func (w *shop) serve(cmd resp.Cmd) resp.Reply {
	w.stats[strings.ToLower(cmd[0])]++
	switch cmd[0] {
	case "SET":
		w.store[cmd[1]] = cmd[2]
		return resp.Text("OK")
	case "GET":
		if v, ok := w.store[cmd[1]]; ok {
			return resp.Text(v)
		}
	case "INCRBY":
		old, _ := strconv.Atoi(w.store[cmd[1]])
		step, _ := strconv.Atoi(cmd[2])
		w.store[cmd[1]] = strconv.Itoa(old + step)
		return resp.Integer(int64(old + step))
	case "UNLINK":
		for _, key := range cmd[1:] {
			delete(w.store, key)
		}
		return resp.Integer(1)
	}
	return resp.Reply{}
}

// tryTrial runs one trial of one client in a shop.
func tryTrial(t *testing.T, w *shop, change func(*Plan)) (*results.Run, error) {
	t.Helper()
	p := validPlan()
	p.Strategies, p.Clients, p.Prefix = []string{"atomic"}, []int{1}, "shop:"
	p.Duration = 100 * time.Millisecond
	change(&p)
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	cells, _ := p.Grid(strategies.Facts{})
	r := &Runner{Plan: &p, World: w, Source: results.SourceLive, Cells: cells, shards: newShards(1)}
	run, err := r.Trial(cells[0], 0)
	return run, err
}

// The length of the window is what every rate is divided by.
func TestElapsed(t *testing.T) {
	think := func(p *Plan) { p.Thinks = []time.Duration{59 * time.Millisecond} } // with 1 ms an op: 60 ms
	for what, c := range map[string]struct {
		change    func(*Plan)
		elapsed   time.Duration
		committed int64
	}{
		"by time":            {func(p *Plan) { p.Warmup = 10 * time.Millisecond }, 100 * time.Millisecond, 100},
		"by ops":             {func(p *Plan) { p.Duration, p.Ops = 0, 25 }, 25 * time.Millisecond, 25},
		"by both, ops first": {func(p *Plan) { p.Ops = 25 }, 25 * time.Millisecond, 25},
		"by both, time first": {func(p *Plan) {
			p.Ops = 25
			think(p)
		}, 100 * time.Millisecond, 2},
		"by time, thinking": {think, 100 * time.Millisecond, 2},
	} {
		run, err := tryTrial(t, newShop(), c.change)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		// The last op of a window by time ends on its edge and is the next one's.
		if d := run.Committed - c.committed; d < -1 || d > 0 {
			t.Errorf("%s: %d committed, want %d", what, run.Committed, c.committed)
		}
		if run.ElapsedNS != int64(c.elapsed) {
			t.Errorf("%s: elapsed %v, want %v", what, time.Duration(run.ElapsedNS), c.elapsed)
		}
		if run.Audit.Verdict != results.AuditExact || run.Partial {
			t.Errorf("%s: audit %s, partial %v", what, run.Audit, run.Partial)
		}
		if run.AttemptLatency.Max() < 990*time.Microsecond || run.Whole.ElapsedNS < run.ElapsedNS || run.Whole.ElapsedNS > run.ElapsedNS+int64(100*time.Millisecond) {
			t.Errorf("%s: attempts of %v, whole %v", what, run.AttemptLatency.Max(), time.Duration(run.Whole.ElapsedNS))
		}
	}
}

// Counters are differences over the load phase, not totals.
func TestCountersAreDifferences(t *testing.T) {
	w := newShop()
	w.stats["incrby"] = 1000
	w.now = time.Hour
	run, err := tryTrial(t, w, func(p *Plan) { p.Duration, p.Ops = 0, 40 })
	if err != nil {
		t.Fatal(err)
	}
	if got := run.Server.Commands["incrby"]; got.Calls != 40 || got.USec != 80 || len(run.Server.Commands) != 1 {
		t.Errorf("served %+v", run.Server.Commands)
	}
	if cpu := time.Duration(*run.Server.CPUNS); cpu != 4*time.Millisecond {
		t.Errorf("server time %v, want 4ms", cpu)
	}
	if kept := *run.Server.KeptBytes; kept != 4000 {
		t.Errorf("%d bytes are left taken, want 4000", kept)
	}
	if cpu := time.Duration(run.Client.CPUNS); cpu != 10*time.Millisecond {
		t.Errorf("own time %v, want 10ms", cpu)
	}
	if run.Whole.ElapsedNS != int64(40*time.Millisecond) {
		t.Errorf("the load phase took %v, want 40ms", time.Duration(run.Whole.ElapsedNS))
	}
	if !run.Witnessed() || run.Disagreements() != nil || len(run.Warnings) != 0 {
		t.Errorf("disagreements %v, warnings %v", run.Disagreements(), run.Warnings)
	}
}

// on makes trouble from the n-th time on that a client sends a command.
func on(client int, cmd string, n int, what trouble) func(int, string) trouble {
	return func(c int, name string) trouble {
		if c != client || name != cmd {
			return fine
		}
		if n--; n < 0 {
			return what
		}
		return fine
	}
}

func TestTrouble(t *testing.T) {
	byTime := func(*Plan) {}
	for what, c := range map[string]struct {
		before func(int, string) trouble
		change func(*Plan)
		run    bool // something was measured and is kept
		lost   bool // as ErrServerLost
		left   bool // the keys may be left, and that is said
		says   string
	}{
		"setup is refused":        {on(Control, "SET", 0, refuse), byTime, false, false, false, "refuses to prepare the trial: NOPERM no SET"},
		"setup breaks":            {on(Control, "SET", 0, broken), byTime, false, true, false, "connection reset"},
		"everything breaks":       {func(c int, _ string) trouble { return broken }, byTime, false, true, true, "keys shop:* may be left"},
		"the audit breaks":        {on(Control, "GET", 0, broken), byTime, true, true, false, "the stored state could not be read"},
		"the audit is refused":    {on(Control, "GET", 0, refuse), byTime, true, true, false, "could not be read: NOPERM"},
		"cleaning is refused":     {on(Control, "UNLINK", 1, refuse), byTime, true, false, true, "keys shop:* may be left on the server: NOPERM"},
		"the server falls silent": {on(0, "INCRBY", 20, silence), byTime, true, true, false, "without an answer 2s after the end"},
		"it stays silent": {func(c int, cmd string) trouble {
			if cmd == "SET" || c == Control && cmd == "UNLINK" {
				return fine
			}
			return silence
		}, byTime, true, true, false, "without an answer"},
	} {
		w := newShop()
		w.before = c.before
		if what == "it stays silent" {
			unlinks := 0
			w.before = func(client int, cmd string) trouble {
				if client == Control && cmd == "UNLINK" {
					if unlinks++; unlinks == 1 {
						return fine
					}
					return silence
				}
				return c.before(client, cmd)
			}
			c.left = true
		}
		run, err := tryTrial(t, w, c.change)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q", what, err, c.says)
			continue
		}
		if (run != nil) != c.run || errors.Is(err, ErrServerLost) != c.lost || strings.Contains(err.Error(), "may be left") != c.left {
			t.Errorf("%s: run %v, error %v", what, run != nil, err)
		}
		if c.run && c.lost && !run.Partial {
			t.Errorf("%s: the run counts as whole", what)
		}
		if !c.left && len(w.store) != 0 {
			t.Errorf("%s: %v was left behind and nobody said so", what, w.store)
		}
	}
}

// A connection that breaks under load costs an unknown op, and the counts of
// commands are a lower bound from then on.
func TestALostReplyIsRemembered(t *testing.T) {
	w := newShop()
	calls := 0
	w.before = func(client int, cmd string) trouble {
		if client == 0 {
			if calls++; calls == 10 {
				return broken
			}
		}
		return fine
	}
	run, err := tryTrial(t, w, func(p *Plan) { p.Duration, p.Ops = 0, 20 })
	if err != nil {
		t.Fatal(err)
	}
	if run.Unknown != 1 || run.Committed != 19 || run.Audit.Verdict != results.AuditBounded || !run.Whole.RepliesLost || run.Witnessed() {
		t.Errorf("%d unknown, %d committed, audit %s, replies lost %v", run.Unknown, run.Committed, run.Audit, run.Whole.RepliesLost)
	}
}

// A trial starts from its own state, whatever the one before has left.
func TestStateIsReset(t *testing.T) {
	w := newShop()
	w.store["shop:{0}"] = "not a number"
	if run, err := tryTrial(t, w, func(p *Plan) { p.Duration, p.Ops = 0, 5 }); err != nil || run.Audit.Verdict != results.AuditExact {
		t.Errorf("%v, %v", run, err)
	}
	if w.stats["unlink"] != 2 {
		t.Errorf("%d removals, want one before and one after", w.stats["unlink"])
	}
}
