package sim

import (
	"errors"
	"math/rand/v2"
	"time"

	"rmwbench/internal/resp"
	"rmwbench/internal/store"
	"rmwbench/strategies"
)

// conn is one client's way to all servers. It has one exchange at a time.
type conn struct {
	world   *World
	id      int32
	client  int
	network *rand.Rand
	wires   []wire // by server
	cut     bool

	proc    int32 // that waits for the exchange
	waiting bool
	wire    *wire
	request []resp.Cmd
	replies []resp.Reply
	back    time.Duration // the way back of the exchange under way
}

// wire is a connection to one server, and a session on it. Its server is nil
// until it is used.
type wire struct {
	conn   *conn
	server *server
	state  store.Conn
}

var errCut = errors.New("the connection was cut")

// Session is the session with the server that has the key.
func (c *conn) Session(key string) (strategies.Session, error) {
	if c.cut {
		return nil, errCut
	}
	i := shard(key, len(c.wires))
	x := &c.wires[i]
	if x.server == nil {
		server := c.world.servers[i]
		*x = wire{conn: c, server: server, state: *server.db.Dial()}
	}
	return x, nil
}

// Cut breaks the connection: an exchange under way ends now, without replies.
func (c *conn) Cut() {
	c.cut = true
	if c.waiting {
		c.waiting = false
		c.world.queue.push(c.world.now, wake, c.proc)
	}
}

// Drop has the servers forget the connection, which begins anew.
func (c *conn) Drop() {
	c.Close()
	for i := range c.wires {
		c.wires[i].server = nil
	}
}

// Close forgets what the servers keep of the connection.
func (c *conn) Close() {
	for i := range c.wires {
		if x := &c.wires[i]; x.server != nil {
			x.state.Close()
		}
	}
}

// Exchange sends the commands on their way and waits for the replies.
func (x *wire) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	c, w := x.conn, x.conn.world
	if c.cut || x.server == nil {
		return nil, errCut
	}
	out, back := w.delay(c)
	c.wire, c.request, c.back, c.proc, c.waiting = x, cmds, back, w.current, true
	if w.cores != nil {
		w.cores.run(w.config.Machine.half(), work{kind: sent, who: c.id, then: out})
	} else {
		w.queue.push(w.now+out, arrive, c.id)
	}
	w.wait()
	if c.cut {
		return nil, errCut
	}
	return c.replies, nil
}

// arrived hands the request to its server.
func (c *conn) arrived() {
	if !c.cut {
		c.wire.server.arrived(c)
	}
}

// reached hands the replies to the client, once it has a core to read them.
func (c *conn) reached() {
	w := c.world
	switch {
	case !c.waiting: // cut
	case w.cores != nil:
		w.cores.run(w.config.Machine.half(), work{kind: received, who: c.id})
	default:
		c.received()
	}
}

func (c *conn) received() {
	if c.waiting {
		c.waiting = false
		c.world.resume(c.proc)
	}
}

// Hold spends d.
func (x *wire) Hold(d time.Duration) {
	w := x.conn.world
	if d <= 0 {
		return
	}
	if m := w.config.Machine; m != nil {
		d += time.Duration(m.Late.Draw(x.conn.network))
		w.cores.run(time.Duration(m.HoldNS), work{kind: idle})
	}
	w.queue.push(w.now+d, wake, w.current)
	w.wait()
}

// delay draws both ways of an exchange.
func (w *World) delay(c *conn) (out, back time.Duration) {
	m := w.config.Machine
	base := w.config.Profile.Network.BaseNS.Draw(c.network)
	if m != nil {
		base = max(base-m.ExchangeNS, 0) // the client's own part is waited for apart
	}
	half := time.Duration(base / 2)
	var wake, in time.Duration
	if m != nil {
		wake = time.Duration(m.Wake.Draw(c.network))
	}
	if w.rtt == 0 {
		return half, half + wake
	}
	if m != nil && m.RTT != nil {
		achieved := time.Duration(m.RTT.Draw(c.network))
		out, in = achieved/2, achieved-achieved/2
		w.cores.run(time.Duration(2*m.HoldNS), work{kind: idle})
	} else {
		jitter := w.config.Profile.Network.Jitter
		out = time.Duration(jitter.Draw(float64(w.rtt)/2, c.network))
		in = time.Duration(jitter.Draw(float64(w.rtt)/2, c.network))
	}
	w.observe(c.client, out+in)
	return half + out, half + in + wake
}
