package engine

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// WireLog does one op of every strategy and workload of the cells, alone and
// outside all measurement, and writes down what travels: commands and replies
// as sent. It is the second op that commits: the first may have to load a
// script, and a rejected one shows less. A script that keeps the server busy
// does so for one iteration.
//
// It is also the proof, before any load, that the server lets us do what we are
// about to do: refused names the pairs of which every op fails, with the
// server's reason, and an error says that keys cannot be prepared and removed.
func WireLog(w World, prefix string, cells []results.Cell) (logs []results.Wire, refused []results.NotApplicable, err error) {
	conn, err := w.Dial(Control)
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	w.Run(func() { logs, refused, err = wireLogs(conn, prefix+"{wire}", cells) })
	return logs, refused, err
}

func wireLogs(conn Conn, base string, cells []results.Cell) (logs []results.Wire, refused []results.NotApplicable, err error) {
	session, err := conn.Session(base)
	if err != nil {
		return nil, nil, err
	}
	type way struct {
		strategy, workload string
		spins              bool
	}
	done := map[way]bool{}
	for _, c := range cells {
		w := way{c.Strategy, c.Workload, c.ScriptTimeNS > 0}
		if done[w] {
			continue
		}
		done[w] = true
		log, reason, err := wireLog(session, base, c)
		switch {
		case err != nil:
			return nil, nil, err
		case reason != "":
			refused = append(refused, results.NotApplicable{Strategy: c.Strategy, Workload: c.Workload, Reason: reason})
		default:
			logs = append(logs, log)
		}
	}
	return logs, refused, nil
}

func wireLog(session strategies.Session, base string, c results.Cell) (wire results.Wire, reason string, err error) {
	kind, _ := strategies.All.Get(c.Strategy)
	workload, _ := workloads.Get(c.Workload, c.ValueBytes)
	removal := append(resp.Cmd{"UNLINK"}, kind.KeysFor(workload, base)...)
	// The removal alone comes first: what cannot be removed must not be written.
	if err := allowed(session, removal); err != nil {
		return wire, "", err
	}
	if err := allowed(session, workload.Setup(base)...); err != nil {
		return wire, "", err
	}
	if kind.Prepare != nil {
		if err := allowed(session, kind.Prepare(workload)...); err != nil {
			return wire, err.Error(), allowed(session, removal)
		}
	}
	rng := contention.Stream(0, Control, contention.Ops)
	log := &logging{Session: session}
	committed := 0
	for n := 0; committed < 2 && n < wireDraws; n++ {
		log.exchanges = nil
		op := workload.Next(rng, n, base)
		op.ID = workloads.OpID(0, n)
		if kind.LeavesTokens(workload) {
			removal = append(removal, op.TokenKey())
		}
		if c.ScriptTimeNS > 0 {
			op.Spin = 1
		}
		switch out := kind.Strategy.Attempt(log, workload, op); out.Verdict {
		case strategies.Committed:
			committed++
		case strategies.Failed, strategies.Unknown:
			return wire, "the server refuses it: " + out.Error, allowed(session, removal)
		case strategies.Conflict:
			return wire, "it meets a conflict although it is alone", allowed(session, removal)
		}
	}
	wire = results.Wire{Strategy: c.Strategy, Workload: c.Workload, Exchanges: log.exchanges}
	if audited, ok := workload.(workloads.Audited); ok {
		err = allowed(session, audited.NewLedger().Reads(base)...)
	}
	return wire, "", errors.Join(err, allowed(session, removal))
}

// allowed does one exchange and answers the first refusal.
func allowed(session strategies.Session, cmds ...resp.Cmd) error {
	replies, err := session.Exchange(cmds...)
	if err != nil {
		return err
	}
	for i, r := range replies {
		if r.Kind == resp.Error {
			return fmt.Errorf("the server refuses %s, which every trial needs: %s", cmds[i][0], r.Str)
		}
	}
	return nil
}

// wireDraws bounds the ops that are tried until one commits.
const wireDraws = 100

// logging writes down what travels.
type logging struct {
	strategies.Session
	exchanges []results.WireExchange
}

func (l *logging) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	replies, err := l.Session.Exchange(cmds...)
	var e results.WireExchange
	for _, c := range cmds {
		e.Sent = append(e.Sent, brief(c.String()))
	}
	for _, r := range replies {
		e.Received = append(e.Received, brief(r.String()))
	}
	l.exchanges = append(l.exchanges, e)
	return replies, err
}

// brief leaves out the middle of what is too long to be read.
func brief(text string) string {
	const ends = 150
	if len(text) <= 3*ends {
		return text
	}
	left, right := text[:ends], text[len(text)-ends:]
	return strings.ToValidUTF8(fmt.Sprintf("%s ... %d bytes ... %s", left, len(text)-2*ends, right), "?")
}

// Hold spends nothing: a log takes no decision time.
func (*logging) Hold(time.Duration) {}
