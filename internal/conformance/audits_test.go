package conformance

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
)

// harmless says which wrong loops an audit need not catch, and why.
var harmless = map[[2]string]string{}

// Every wrong loop is caught by the audit of every workload. In the simulated
// world, so that it is caught always or never.
func TestEveryAuditCatchesEveryWrongLoop(t *testing.T) {
	inWorld(t, 0, func(t *testing.T, w world) {
		loops := wrong(t)
		p := plan(loops...)
		p.Clients, p.Decisions = []int{8}, []time.Duration{time.Millisecond}
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := map[[2]string]string{}
		for i := range runs {
			r := &runs[i]
			pair := [2]string{r.Strategy, r.Workload}
			found[pair] = fmt.Sprintf("%s %d of %d", r.Audit.Verdict, r.Audit.Lost, r.Audit.Acknowledged)
			if harmless[pair] == "" {
				checkLost(t, r)
			} else if r.Audit.Void() {
				t.Errorf("%s is caught, although %s", name(r), harmless[pair])
			}
		}
		var table strings.Builder
		for _, workload := range p.Workloads {
			fmt.Fprintf(&table, "\n%-14s", workload)
			for _, loop := range loops {
				fmt.Fprintf(&table, " %s: %-16s", loop, found[[2]string{loop, workload}])
			}
		}
		t.Log(table.String())
	})
}

// Replies that are lost, of exchanges that the server has executed or that never
// reached it, leave clients without knowing; the audit knows the bounds, and no
// loop that is right goes beyond them.
func TestLostRepliesAreBounded(t *testing.T) {
	inWorld(t, 0, func(t *testing.T, w world) {
		p := plan(safe()...)
		p.Clients = []int{8}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		cells, _ := p.Grid(w.facts)
		runs, err := executeIn(lossyWorld{w, new(int)}, p, cells, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			// A holder of a lock may lose the exchange that takes or releases it
			// and never the one in between that writes: then nothing is unknown.
			kind, _ := strategies.All.Get(r.Strategy)
			if exact := kind.Locks && r.Audit.Verdict == results.AuditExact; !exact && (r.Audit.Verdict != results.AuditBounded || r.Unknown == 0) {
				t.Errorf("%s: audit %s (%s), %d ops unknown", name(r), r.Audit.Verdict, r.Audit, r.Unknown)
			}
			if all := r.Committed + r.Rejected + r.FailedOps() + r.Unknown; all != p.Ops {
				t.Errorf("%s: %d of %d ops accounted for", name(r), all, p.Ops)
			}
		}
		leftovers(t, w)
	})
}

// lossyWorld is a world in which clients lose one exchange in seven, half of
// them after the server has done it.
type lossyWorld struct {
	engine.World
	exchanges *int
}

func (l lossyWorld) Dial(client int) (engine.Conn, error) {
	conn, err := l.World.Dial(client)
	if err != nil || client == engine.Control {
		return conn, err
	}
	return lossyConn{conn, l.exchanges}, nil
}

type lossyConn struct {
	engine.Conn
	exchanges *int
}

func (l lossyConn) Session(key string) (strategies.Session, error) {
	session, err := l.Conn.Session(key)
	return lossySession{session, l.exchanges}, err
}

type lossySession struct {
	strategies.Session
	exchanges *int
}

var errLost = errors.New("the reply is lost")

func (l lossySession) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	*l.exchanges++
	switch *l.exchanges % 14 {
	case 0:
		if _, err := l.Session.Exchange(cmds...); err != nil {
			return nil, err
		}
		return nil, errLost
	case 7:
		// The connection is gone, and what the server kept of it with it.
		if _, err := l.Session.Exchange(resp.Cmd{"DISCARD"}, resp.Cmd{"UNWATCH"}); err != nil {
			return nil, err
		}
		return nil, errLost
	}
	return l.Session.Exchange(cmds...)
}
