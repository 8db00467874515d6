package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
)

// slowShop is a shop whose scripts can be kept busy: it answers them as a counter
// does and notes what it is told.
type slowShop struct {
	*shop
	asked  time.Duration
	fails  error
	next   int64
	ended  []int64
	lost   bool
	closed bool
}

func (w *slowShop) Spin(d time.Duration, work func(strategies.Session) error) (Spin, error) {
	w.asked = d
	conn, _ := w.Dial(Control)
	session, _ := conn.Session("")
	for range 3 {
		if err := work(session); err != nil {
			return nil, err
		}
	}
	return w, w.fails
}

func (w *slowShop) Iterations() int64 { w.next++; return w.next }
func (w *slowShop) Ended(n int64)     { w.ended = append(w.ended, n) }
func (w *slowShop) End(_, _ time.Duration, lost bool) (*results.Spread, string) {
	w.lost, w.closed = lost, true
	return &results.Spread{Mean: int64(w.asked)}, "as slow as asked for"
}

func (w *slowShop) Dial(client int) (Conn, error) {
	return &slowConn{shopConn{w: w.shop, client: client}, w}, nil
}

type slowConn struct {
	shopConn
	w *slowShop
}

func (c *slowConn) Session(string) (strategies.Session, error) { return c, nil }

func (c *slowConn) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	if cmds[0][0] != "EVALSHA" {
		return c.shopConn.Exchange(cmds...)
	}
	call := cmds[0] // EVALSHA sha 1 key amount [iterations]
	sum, err := c.shopConn.Exchange(resp.Cmd{"INCRBY", call[3], call[4]})
	if err != nil || sum[0].Kind == resp.Error {
		return sum, err
	}
	return []resp.Reply{resp.List(resp.Integer(1), resp.Text(c.w.store[call[3]]))}, nil
}

func trySlow(t *testing.T, w World, change func(*Plan)) (*results.Run, error) {
	t.Helper()
	p := validPlan()
	p.Strategies, p.Clients, p.Prefix, p.Duration, p.Ops = []string{"lua"}, []int{1}, "shop:", 0, 20
	p.ScriptTimes = []time.Duration{5 * time.Millisecond}
	change(&p)
	cells, _ := p.Grid(strategies.Facts{})
	r := &Runner{Plan: &p, World: w, Source: results.SourceLive, Cells: cells, shards: newShards(1)}
	return r.Trial(cells[0], 0)
}

// Every attempt carries the iterations of its time and tells when it has ended;
// what the world tried before the load is in no count and leaves nothing.
func TestScriptTimeIsTheWorlds(t *testing.T) {
	w := &slowShop{shop: newShop()}
	run, err := trySlow(t, w, func(*Plan) {})
	if err != nil {
		t.Fatal(err)
	}
	if w.asked != 5*time.Millisecond || !w.closed || w.lost || run.Achieved.ScriptTimeNS.Mean != 5e6 {
		t.Errorf("asked for %v, closed %v, lost %v, achieved %+v", w.asked, w.closed, w.lost, run.Achieved.ScriptTimeNS)
	}
	if run.Committed != 20 || len(w.ended) != 20 || !slices.IsSorted(w.ended) || w.ended[0] != 1 || w.ended[19] != 20 {
		t.Errorf("%d ops committed, attempts ended with %v", run.Committed, w.ended)
	}
	if run.Audit.Verdict != results.AuditExact || run.Whole.Commands["evalsha"] != 20 {
		t.Errorf("audit %s, commands %v", run.Audit, run.Whole.Commands)
	}
	if !slices.Contains(run.Warnings, "as slow as asked for") || len(w.store) != 0 {
		t.Errorf("warnings %q, left %v", run.Warnings, w.store)
	}
}

func TestNoScriptTimeAsksForNothing(t *testing.T) {
	w := &slowShop{shop: newShop()}
	run, err := trySlow(t, w, func(p *Plan) { p.ScriptTimes = []time.Duration{0} })
	if err != nil || w.asked != 0 || w.next != 0 || run.Achieved.ScriptTimeNS != nil {
		t.Errorf("%v, asked for %v, %d times, achieved %+v", err, w.asked, w.next, run.Achieved.ScriptTimeNS)
	}
}

// What stands in the way of script time ends the run before the load, in words,
// and leaves nothing.
func TestScriptTimeThatCannotBe(t *testing.T) {
	refusing := &slowShop{shop: newShop(), fails: errors.New("no loops here")}
	failing := &slowShop{shop: newShop()}
	failing.before = func(_ int, cmd string) trouble {
		if cmd == "INCRBY" {
			return refuse
		}
		return fine
	}
	plain := newShop()
	for want, w := range map[string]World{
		"lua: this server cannot be kept busy for a script time of 5ms": plain,
		"script time of 5ms: no loops here":                             refusing,
		"script time of 5ms: an op of lua fails: NOPERM no INCRBY":      failing,
	} {
		run, err := trySlow(t, w, func(*Plan) {})
		if run != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v, want %q", run, err, want)
		}
	}
	for _, w := range []*shop{plain, refusing.shop, failing.shop} {
		if len(w.store) != 0 {
			t.Errorf("left %v", w.store)
		}
	}
}

// Nobody's connection is cut for waiting its turn: each script waits for those of
// all others.
func TestSlackHasRoomForScripts(t *testing.T) {
	slack := func(script time.Duration) time.Duration {
		return (&trial{cell: results.Cell{Clients: 100, ScriptTimeNS: int64(script)}}).slack()
	}
	if more := slack(50*time.Millisecond) - slack(0); more != 5*time.Second {
		t.Errorf("%v for 100 scripts of 50 ms", more)
	}
}

// Where none is asked for, the script time of each cell may be its decision; ways
// without a script have none.
func TestScriptTimeIsTheDecision(t *testing.T) {
	p := validPlan()
	p.Decisions, p.ScriptTimeIsDecision = []time.Duration{0, time.Millisecond, 5 * time.Millisecond}, true
	cells, _ := p.Grid(strategies.Facts{})
	seen := map[int64]bool{}
	for _, c := range cells {
		want := c.DecisionNS
		if c.Strategy != "lua" {
			want = 0
		}
		if c.ScriptTimeNS != want {
			t.Errorf("%s of a decision of %v: script time %v", c.Strategy, time.Duration(c.DecisionNS), time.Duration(c.ScriptTimeNS))
		}
		seen[c.ScriptTimeNS] = true
	}
	if len(seen) != 3 {
		t.Errorf("script times %v", seen)
	}
	p.ScriptTimeIsDecision, p.ScriptTimes = false, []time.Duration{0, time.Millisecond}
	more, _ := p.Grid(strategies.Facts{})
	if lua := 3 * len(p.Clients); len(more) != len(cells)+lua {
		t.Errorf("%d cells with two script times, %d with one", len(more), len(cells))
	}
}
