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
	world World
	shard *shard

	exchanges, bytesOut, bytesIn int // since begin

	executed []commandCount // over the whole trial
	queued   []int          // places in executed of what was sent since MULTI, if its EXEC is open
	lost     bool           // replies were lost: executed is a lower bound
	broken   bool           // since begin, the session has lost its connection
}

type commandCount struct {
	name  string
	calls int64
}

// begin starts the count of one attempt on a session.
func (m *meter) begin(s strategies.Session) {
	m.Session = s
	m.exchanges, m.bytesOut, m.bytesIn, m.broken = 0, 0, 0, false
}

func (m *meter) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	if m.broken { // nothing travels any more
		return m.Session.Exchange(cmds...)
	}
	m.exchanges++
	var few [8]int
	places := few[:0]
	for _, c := range cmds {
		m.bytesOut += c.WireSize()
		places = append(places, m.place(c[0]))
	}
	replies, err := m.Session.Exchange(cmds...)
	if err != nil {
		m.lost, m.broken = true, true
		m.queued = m.queued[:0]
		return replies, err
	}
	for i := range replies {
		m.bytesIn += replies[i].WireSize()
		m.count(places[i], &replies[i])
	}
	return replies, nil
}

// Hold is the strategy's decision time.
func (m *meter) Hold(d time.Duration) {
	start := m.world.Now()
	m.Session.Hold(d)
	m.shard.Decision(m.world.Now() - start)
}

// place is where a command is counted, found among the handful of names a
// strategy uses; comparing strings that share their bytes is a comparison of
// pointers.
func (m *meter) place(name string) int {
	switch name { // servers count subcommands by themselves
	case "SCRIPT":
		name = "SCRIPT|LOAD"
	case "FUNCTION":
		name = "FUNCTION|LOAD"
	}
	for i := range m.executed {
		if m.executed[i].name == name {
			return i
		}
	}
	m.executed = append(m.executed, commandCount{name: name})
	return len(m.executed) - 1
}

// count adds a command to those that the server has executed. A queued command
// is executed by an EXEC that answers with an array; one whose transaction did
// not run is not, and the server does not count it either.
func (m *meter) count(place int, reply *resp.Reply) {
	if reply.Queued() {
		m.queued = append(m.queued, place)
		return
	}
	c := &m.executed[place]
	c.calls++
	if c.name == "EXEC" {
		if reply.Kind == resp.Array {
			for _, q := range m.queued {
				m.executed[q].calls++
			}
		}
		m.queued = m.queued[:0]
	}
}

// sum adds the executed commands to totals, by the server's names for them.
func (m *meter) sum(totals map[string]int64) {
	for _, c := range m.executed {
		if c.calls > 0 {
			totals[strings.ToLower(c.name)] += c.calls
		}
	}
}
