package engine

import (
	"errors"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

// Breaker says what becomes of a client's next exchange.
type Breaker func(cmds []resp.Cmd) contention.Fault

// Faulty is a world in which exchanges break. breaker is asked once for each
// client, and the breaker it answers before each of the client's exchanges; the
// engine's own connection never breaks. note is told of each fault; nil: nobody
// listens.
func Faulty(w World, breaker func(client int) Breaker, note func(client int, f contention.Fault)) World {
	return faulty{w, breaker, note}
}

// withFaults breaks as many of a world's exchanges as the cell asks for.
func (t *trial) withFaults(w World) (World, error) {
	if t.cell.Fault == "" {
		return w, nil
	}
	shares, err := contention.ParseFaults(t.cell.Fault)
	if err != nil {
		return nil, err
	}
	seed := TrialSeed(t.Plan.Seed, t.cell, t.number)
	return Faulty(w, func(client int) Breaker {
		rng := contention.Stream(seed, client, contention.Faults)
		return func(cmds []resp.Cmd) contention.Fault { return shares.Draw(len(cmds), rng) }
	}, func(client int, f contention.Fault) { t.shards.of(client).Note("fault_" + f.Kind.String()) }), nil
}

type faulty struct {
	World
	breaker func(client int) Breaker
	note    func(client int, f contention.Fault)
}

func (w faulty) Dial(client int) (Conn, error) {
	conn, err := w.World.Dial(client)
	if err != nil || client == Control {
		return conn, err
	}
	c := &faultyConn{Conn: conn, client: client, note: w.note, next: w.breaker(client)}
	c.session.conn = c
	return c, nil
}

type faultyConn struct {
	Conn
	client  int
	note    func(client int, f contention.Fault)
	next    Breaker
	session faultySession
}

func (c *faultyConn) Session(key string) (strategies.Session, error) {
	inner, err := c.Conn.Session(key)
	if err != nil {
		return nil, err
	}
	c.session.Session, c.session.broken = inner, false
	return &c.session, nil
}

type faultySession struct {
	strategies.Session
	conn   *faultyConn
	broken bool
}

// ErrFault is the error of an exchange that was broken on purpose.
var ErrFault = errors.New("broken on purpose")

func (s *faultySession) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	if s.broken {
		return nil, ErrFault
	}
	f := s.conn.next(cmds)
	if f.Kind == contention.NoFault {
		return s.Session.Exchange(cmds...)
	}
	if s.conn.note != nil {
		s.conn.note(s.conn.client, f)
	}
	var err error
	switch f.Kind {
	case contention.RequestCut:
		_, err = s.Session.Exchange(cmds[:f.After]...)
	case contention.ReplyLost:
		_, err = s.Session.Exchange(cmds...)
	}
	s.broken = true
	s.conn.Drop()
	return nil, errors.Join(ErrFault, err)
}
