package engine

import (
	"fmt"
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
// script, and a rejected one shows less.
func WireLog(w World, prefix string, cells []results.Cell) (logs []results.Wire, err error) {
	conn, err := w.Dial(Control)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	w.Run(func() { logs, err = wireLogs(conn, prefix+"{wire}", cells) })
	return logs, err
}

func wireLogs(conn Conn, base string, cells []results.Cell) (logs []results.Wire, err error) {
	session, err := conn.Session(base)
	if err != nil {
		return nil, err
	}
	done := map[[2]string]bool{}
	for _, c := range cells {
		pair := [2]string{c.Strategy, c.Workload}
		if done[pair] {
			continue
		}
		done[pair] = true
		log, err := wireLog(session, base, c)
		if err != nil {
			return nil, fmt.Errorf("one op of %s on %s: %w", c.Strategy, c.Workload, err)
		}
		logs = append(logs, log)
	}
	return logs, nil
}

func wireLog(session strategies.Session, base string, c results.Cell) (results.Wire, error) {
	kind, _ := strategies.All.Get(c.Strategy)
	workload, _ := workloads.All.Get(c.Workload)
	removal := append(resp.Cmd{"UNLINK"}, workload.Keys(base)...)
	if _, err := session.Exchange(append([]resp.Cmd{removal}, workload.Setup(base)...)...); err != nil {
		return results.Wire{}, err
	}
	rng := contention.Stream(0, Control, contention.Ops)
	log := &logging{Session: session}
	committed := 0
	for n := 0; committed < 2 && n < wireDraws; n++ {
		log.exchanges = nil
		if kind.Strategy.Attempt(log, workload, workload.Next(rng, n, base)).Verdict == strategies.Committed {
			committed++
		}
	}
	_, err := session.Exchange(removal)
	return results.Wire{Strategy: c.Strategy, Workload: c.Workload, Exchanges: log.exchanges}, err
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
		e.Sent = append(e.Sent, c.String())
	}
	for _, r := range replies {
		e.Received = append(e.Received, r.String())
	}
	l.exchanges = append(l.exchanges, e)
	return replies, err
}

// Hold spends nothing: a log takes no decision time.
func (*logging) Hold(time.Duration) {}
