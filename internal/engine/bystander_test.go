package engine

import (
	"errors"
	"strings"
	"testing"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
)

// watch runs a bystander alone in a shop for 100 ms of which the last 90 count,
// beside a load that goes on.
func watch(t *testing.T, w *shop, paced bool) (*bystander, *results.Run) {
	t.Helper()
	w.store["k"] = "1"
	conn, err := w.Dial(4)
	if err != nil {
		t.Fatal(err)
	}
	return watchOver(conn, w, paced)
}

func watchOver(conn Conn, w World, paced bool) (*bystander, *results.Run) {
	l := &load{world: w, window: window{10 * time.Millisecond, 100 * time.Millisecond}}
	l.working.Store(1)
	sh := newShards(1)
	sh[0].Reset(1)
	b := newBystander(l, 4, conn, 1, sh[0], "k", paced)
	b.run()
	run := &results.Run{Cell: results.Cell{Bystanders: 1}}
	sh[0].Fill(run)
	run.Whole.Commands = map[string]int64{}
	b.enter(&run.Whole)
	return b, run
}

// A closed reader sends one read after the other; those that end in the window
// count, and nothing of them is an attempt or an exchange of the load.
func TestClosedBystander(t *testing.T) {
	w := newShop()
	_, run := watch(t, w, false)
	if run.BystanderReads != 90 || run.BystanderLatency.Count() != 90 || run.BystanderFailed != 0 || w.stats["get"] != 100 {
		t.Errorf("%d reads, %d failed, %d served", run.BystanderReads, run.BystanderFailed, w.stats["get"])
	}
	if p50, _ := run.BystanderLatency.Quantile(0.5); p50 < 990*time.Microsecond || p50 > 1010*time.Microsecond {
		t.Errorf("p50 %v", p50)
	}
	if run.Whole.Commands["get"] != 100 || run.Attempts+run.Whole.Attempts+run.Exchanges+run.Whole.Exchanges+run.BytesOut != 0 {
		t.Errorf("%+v", run.Whole)
	}
}

// slow is a connection whose exchanges take 17 ms, and that counts them.
type slow struct {
	*shopConn
	exchanges []int // reads in each
}

func (c *slow) Session(string) (strategies.Session, error) { return c, nil }

func (c *slow) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	c.exchanges = append(c.exchanges, len(cmds))
	c.w.pass(16 * time.Millisecond)
	return c.shopConn.Exchange(cmds...)
}

// What has become due while an exchange was under way is sent as one, and its
// latency counts from when it was due: no read is left out for having waited.
func TestPacedBystanderLeavesNoReadOut(t *testing.T) {
	var intended []time.Duration
	rng := contention.Stream(1, 4, contention.Beside)
	for at := time.Duration(0); ; {
		if at += time.Duration(rng.ExpFloat64() * float64(besideGap)); at >= 100*time.Millisecond {
			break
		}
		intended = append(intended, at)
	}
	w := newShop()
	w.store["k"] = "1"
	conn := &slow{shopConn: &shopConn{w: w, client: 4}}
	b, run := watchOver(conn, w, true)
	want := results.NewHistogram()
	sent, now := 0, time.Duration(0)
	for _, n := range conn.exchanges {
		now = max(now, intended[sent]) + 17*time.Millisecond
		for range n {
			if now >= 10*time.Millisecond && now < 100*time.Millisecond {
				want.Record(now - intended[sent])
			}
			sent++
		}
		if sent < len(intended) && now < 100*time.Millisecond && intended[sent] < now-17*time.Millisecond {
			t.Errorf("the read due at %v was still to be sent at %v", intended[sent], now)
		}
	}
	if len(conn.exchanges) >= len(intended) || len(conn.exchanges) < 3 {
		t.Errorf("%d reads in %d exchanges: nothing was sent together", len(intended), len(conn.exchanges))
	}
	got := run.BystanderLatency
	if got.Count() != want.Count() || got.Mean() != want.Mean() || got.Max() != want.Max() {
		t.Errorf("%d reads of %v on average, %v at most; want %d, %v, %v", got.Count(), got.Mean(), got.Max(), want.Count(), want.Mean(), want.Max())
	}
	if w.stats["get"] != int64(sent) || run.Whole.Commands["get"] != int64(sent) || b.err != nil {
		t.Errorf("%d served, %d counted, %d sent, %v", w.stats["get"], run.Whole.Commands["get"], sent, b.err)
	}
}

// A read that gets an error or no answer is counted as failed and has no
// latency; the bystander goes on while there is a connection.
func TestBystanderInTrouble(t *testing.T) {
	at := func(n int, what trouble) func(int, string) trouble { return on(4, "GET", n, what) }
	once := func(n int, what trouble) func(int, string) trouble {
		return func(int, string) trouble {
			if n--; n == 0 {
				return what
			}
			return fine
		}
	}
	for what, c := range map[string]struct {
		before       func(int, string) trouble
		reads, fails int64
		lost         bool
	}{
		"refused from the 50th on": {at(49, refuse), 40, 50, false},
		"refused once":             {once(50, refuse), 89, 1, false},
		"broken once":              {once(50, broken), 89, 1, true},
		"broken in the warm-up":    {once(5, broken), 90, 0, true},
	} {
		w := newShop()
		w.before = c.before
		b, run := watch(t, w, false)
		if run.BystanderReads != c.reads || run.BystanderFailed != c.fails || run.Whole.RepliesLost != c.lost || b.err != nil {
			t.Errorf("%s: %d reads, %d failed, lost %v, %v", what, run.BystanderReads, run.BystanderFailed, run.Whole.RepliesLost, b.err)
		}
		if told := strings.Contains(strings.Join(run.Warnings, ""), "a bystander's read: NOPERM no GET"); told != strings.HasPrefix(what, "refused") {
			t.Errorf("%s: warnings %q", what, run.Warnings)
		}
	}
	gone, _ := watchOver(&shopConn{w: newShop(), cut: true}, newShop(), true)
	if gone.err == nil {
		t.Error("no connection to be had, and nobody said so")
	}
}

// A bystander that cannot be connected ends the trial before its load, with its
// keys removed.
func TestBystandersAreDialledBeforeLoad(t *testing.T) {
	w := &unreachable{shop: newShop(), from: 2}
	p := validPlan()
	p.Prefix, p.Clients, p.Bystanders = "shop:", []int{1}, contention.Bystanders{Clients: 3}
	cells, _ := p.Grid(strategies.Facts{})
	r := &Runner{Plan: &p, World: w, Cells: cells, shards: newShards(1)}
	run, err := r.Trial(cells[0], 0)
	if run != nil || err == nil || !strings.Contains(err.Error(), "connecting bystander 2 of 3") {
		t.Errorf("%v, %v", run, err)
	}
	if len(w.store) != 0 {
		t.Errorf("%v was left behind", w.store)
	}
}

type unreachable struct {
	*shop
	from int
}

func (w *unreachable) Dial(client int) (Conn, error) {
	if client >= w.from {
		return nil, errors.New("refused")
	}
	return w.shop.Dial(client)
}
