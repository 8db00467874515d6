package live

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

// conn is one client's dedicated connection. It is never given back to the
// library's pool, which does not clean it: a WATCH or MULTI left behind would
// hit the next borrower. It ends with Close.
type conn struct {
	world  *World
	alarm  *alarm
	mu     sync.Mutex // guards the two below against Cut
	socket net.Conn
	cut    bool
	wire   rueidis.DedicatedClient
	broken bool

	built   []rueidis.Completed // of the last exchange, to be used again
	replies []resp.Reply
}

// tries is how often opening a connection is tried at least: whatever broke the
// one before may break its successor's first exchange.
const tries = 3

// Who has lost a connection tries for some time to get another: a server that
// restarts refuses connections meanwhile, and one that loads its data refuses
// commands.
const (
	patience    = 2 * time.Second
	betweenDial = 10 * time.Millisecond
)

// connect opens a connection.
func (w *World) connect() (*conn, error) {
	c := &conn{world: w, alarm: newAlarm()}
	return c, c.reopen(0)
}

// reopen opens the connection, some times if need be, and for some time. A
// server that lets one connection wait for nothing will not answer the others
// either: they are not tried, so that many clients do not wait one after the
// other.
func (c *conn) reopen(patience time.Duration) (err error) {
	began := c.world.Now()
	for n := 1; ; n++ {
		if c.world.silent.Load() {
			return errSilent
		}
		if err = c.open(); err == nil || errors.Is(err, net.ErrClosed) {
			return err
		}
		if timedOut(err) {
			c.world.silent.Store(true)
		}
		if n >= tries {
			if engine.Stopped(c.world.stop) || c.world.Now()-began > patience {
				return err
			}
			c.Hold(betweenDial)
		}
	}
}

var errSilent = errors.New("the server does not answer")

func timedOut(err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded)
}

// open opens the connection once and proves with a PING that it works.
func (c *conn) open() error {
	c.mu.Lock()
	cut := c.cut
	c.mu.Unlock()
	if cut {
		return net.ErrClosed
	}
	wire, socket := c.world.dedicate()

	c.mu.Lock()
	c.wire, c.socket, c.broken = wire, socket, false
	cut = c.cut
	c.mu.Unlock()
	if cut {
		c.Close()
		return net.ErrClosed
	}
	if err := wire.Do(context.Background(), c.world.client.B().Ping().Build()).Error(); err != nil {
		c.broken = true
		c.Close()
		return reason(err)
	}
	return nil
}

// Session is the connection itself, opened anew after a loss.
func (c *conn) Session(string) (strategies.Session, error) {
	if c.broken {
		c.Close()
		if err := c.reopen(patience); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Drop closes the socket; the next Session opens another.
func (c *conn) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = true
	if c.socket != nil {
		c.socket.Close()
	}
}

// Cut closes the socket under whoever reads from it, for good.
func (c *conn) Cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = true
	if c.socket != nil {
		c.socket.Close()
	}
}

// Close ends the connection. The socket goes first: the library would wait for
// the server to answer what is in flight.
func (c *conn) Close() {
	c.mu.Lock()
	if c.socket != nil {
		c.socket.Close()
	}
	c.mu.Unlock()
	c.world.release(c.wire)
}

// Exchange writes all commands at once and reads all replies.
func (c *conn) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	// The background context keeps the library in its synchronous mode; a
	// context that can be cancelled would change how it reads and writes.
	ctx := context.Background()
	c.replies = c.replies[:0]
	if len(cmds) == 1 {
		err := c.read(c.wire.Do(ctx, c.build(cmds[0])))
		return c.replies, err
	}
	c.built = c.built[:0]
	for _, cmd := range cmds {
		c.built = append(c.built, c.build(cmd))
	}
	for _, result := range c.wire.DoMulti(ctx, c.built...) {
		if err := c.read(result); err != nil {
			return nil, err
		}
	}
	return c.replies, nil
}

// read adds one result of an exchange, in normal form, to its replies.
func (c *conn) read(result rueidis.RedisResult) error {
	reply, err := normal(result)
	if err != nil {
		c.broken = true
		return err
	}
	c.replies = append(c.replies, reply)
	return nil
}

func (c *conn) build(cmd resp.Cmd) rueidis.Completed {
	return c.world.client.B().Arbitrary(cmd...).Build()
}

// Hold spends d, or less when the world is stopped.
func (c *conn) Hold(d time.Duration) { c.world.hold(d, c.alarm) }
