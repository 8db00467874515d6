package live

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

// Shared is the world with one connection for all clients together, over which
// the library sends the exchanges that are ready at the same time in one write
// (auto-pipelining). The commands of one exchange stay together.
func (w *World) Shared() engine.World { return &sharedWorld{World: w} }

type sharedWorld struct {
	*World
	mu     sync.Mutex // guards what follows
	client rueidis.Client
	users  int      // clients that are connected
	socket net.Conn // that the client dialed last
	cut    bool
}

// Dial connects a client: the first one opens the connection.
func (w *sharedWorld) Dial(int) (engine.Conn, error) {
	c := &sharedConn{world: w, alarm: newAlarm()}
	if w.users == 0 {
		options := w.target.options(w.dial)
		options.PipelineMultiplex = -1 // one connection, not several
		options.BlockingPipeline = -1  // which no exchange leaves, however long
		// Nothing else bounds the wait for an answer while several clients wait:
		// when nothing has come for so long, the library asks with a PING.
		options.Dialer.KeepAlive = answerTime
		err := w.persist(0, c.alarm, func() (err error) {
			w.client, err = rueidis.NewClient(options)
			return err
		})
		if err != nil {
			return nil, reason(err)
		}
	}
	w.users++
	return c, nil
}

// dial is how the library opens the socket, and opens it anew after a loss.
func (w *sharedWorld) dial(ctx context.Context) (net.Conn, error) {
	socket, err := w.target.dial(ctx)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		socket.Close()
		return nil, net.ErrClosed
	}
	w.socket = socket
	return socket, nil
}

// hangUp closes the socket under all who read from it.
func (w *sharedWorld) hangUp(forGood bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = w.cut || forGood
	if w.socket != nil {
		w.socket.Close()
	}
}

// answers makes sure that the server is there. The library opens the connection
// anew at the first command after a loss.
func (w *sharedWorld) answers(alarm *alarm) error {
	err := w.persist(patience, alarm, func() error {
		return w.client.Do(context.Background(), w.client.B().Ping().Build()).Error()
	})
	if err != nil {
		return reason(err)
	}
	return nil
}

// sharedConn is one client's use of the connection. A transaction that is
// watched is not safe on it: whatever the server keeps of a connection is
// everybody's.
type sharedConn struct {
	world  *sharedWorld
	alarm  *alarm
	broken bool
	lane   lane
}

// Session is the shared connection. After a loss, it is there when the server
// answers again.
func (c *sharedConn) Session(string) (strategies.Session, error) {
	if c.broken {
		if err := c.world.answers(c.alarm); err != nil {
			return nil, err
		}
		c.broken = false
	}
	return c, nil
}

// Exchange sends the commands, together with what others have to send.
func (c *sharedConn) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	replies, err := c.lane.exchange(c.world.client, c.world.client, cmds)
	if err != nil {
		c.broken = true
	}
	return replies, err
}

// Hold spends d, or less when the world is stopped.
func (c *sharedConn) Hold(d time.Duration) { c.world.hold(d, c.alarm) }

// Drop closes the connection under all its clients.
func (c *sharedConn) Drop() {
	c.broken = true
	c.world.hangUp(false)
}

// Cut closes the connection under all its clients, for good.
func (c *sharedConn) Cut() { c.world.hangUp(true) }

// Close ends the client's use of the connection, and the last one's ends the
// connection. The socket goes first: the library would wait for the server to
// answer what is in flight.
func (c *sharedConn) Close() {
	w := c.world
	if w.users--; w.users == 0 {
		w.hangUp(false)
		w.client.Close()
	}
}
