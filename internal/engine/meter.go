package engine

import (
	"strings"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

// meter is the session a strategy sees: it counts what passes. One meter
// serves one client for a whole trial.
type meter struct {
	strategies.Session
	now      func() time.Duration
	decision func(achieved time.Duration)

	exchanges, bytesOut, bytesIn int // since begin

	executed []commandCount // over the whole trial
	queued   []string       // names sent since MULTI whose EXEC is open
	lost     bool           // replies were lost: executed is a lower bound
}

type commandCount struct {
	name  string
	calls int64
}

// begin starts the count of one attempt on a session.
func (m *meter) begin(s strategies.Session) {
	m.Session = s
	m.exchanges, m.bytesOut, m.bytesIn = 0, 0, 0
}

func (m *meter) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	m.exchanges++
	for _, c := range cmds {
		m.bytesOut += c.WireSize()
	}
	replies, err := m.Session.Exchange(cmds...)
	if err != nil {
		m.lost = true
		m.queued = m.queued[:0]
		return replies, err
	}
	for i, r := range replies {
		m.bytesIn += r.WireSize()
		m.count(cmds[i], r)
	}
	return replies, nil
}

// Hold is the strategy's decision time.
func (m *meter) Hold(d time.Duration) {
	start := m.now()
	m.Session.Hold(d)
	m.decision(m.now() - start)
}

// count adds a command to those that the server has executed. A queued command
// is executed by an EXEC that answers with an array; one whose transaction did
// not run is not, and the server does not count it either.
func (m *meter) count(cmd resp.Cmd, reply resp.Reply) {
	name := cmd[0]
	if name == "SCRIPT" {
		name = "SCRIPT|LOAD" // servers count subcommands by themselves
	}
	if reply.Queued() {
		m.queued = append(m.queued, name)
		return
	}
	if name == "EXEC" {
		if reply.Kind == resp.Array {
			for _, q := range m.queued {
				m.add(q)
			}
		}
		m.queued = m.queued[:0]
	}
	m.add(name)
}

// add finds the name among the handful a strategy uses; comparing strings that
// share their bytes is a comparison of pointers.
func (m *meter) add(name string) {
	for i := range m.executed {
		if m.executed[i].name == name {
			m.executed[i].calls++
			return
		}
	}
	m.executed = append(m.executed, commandCount{name, 1})
}

// sum adds the executed commands to totals, by the server's names for them.
func (m *meter) sum(totals map[string]int64) {
	for _, c := range m.executed {
		totals[strings.ToLower(c.name)] += c.calls
	}
}
