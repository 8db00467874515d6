package engine

import (
	"time"

	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

// delayed is a world whose exchanges take rtt longer: one half before the
// server sees them, one half before the client sees the replies.
type delayed struct {
	World
	rtt     time.Duration
	observe func(client int, achieved time.Duration)
}

// Delayer is a world with a network of its own, which can delay exchanges.
// Delayed answers the world with exchanges that take rtt longer on average and
// tell observe what each one's delay really came to.
type Delayer interface {
	Delayed(rtt time.Duration, observe func(client int, achieved time.Duration)) World
}

// withDelay adds an injected network delay to a world. observe is told what
// each exchange's delay really came to.
func withDelay(w World, rtt time.Duration, observe func(client int, achieved time.Duration)) World {
	if rtt == 0 {
		return w
	}
	if d, ok := w.(Delayer); ok {
		return d.Delayed(rtt, observe)
	}
	return delayed{w, rtt, observe}
}

func (d delayed) Dial(client int) (Conn, error) {
	conn, err := d.World.Dial(client)
	if err != nil {
		return nil, err
	}
	return &delayedConn{Conn: conn, session: delayedSession{world: d, client: client}}, nil
}

type delayedConn struct {
	Conn
	session delayedSession
}

func (c *delayedConn) Session(key string) (strategies.Session, error) {
	inner, err := c.Conn.Session(key)
	if err != nil {
		return nil, err
	}
	c.session.Session = inner
	return &c.session, nil
}

type delayedSession struct {
	strategies.Session
	world  delayed
	client int
}

func (s *delayedSession) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	out := s.spend(s.world.rtt / 2)
	replies, err := s.Session.Exchange(cmds...)
	back := s.spend(s.world.rtt - s.world.rtt/2)
	s.world.observe(s.client, out+back)
	return replies, err
}

func (s *delayedSession) spend(d time.Duration) time.Duration {
	start := s.world.Now()
	s.Hold(d)
	return s.world.Now() - start
}
