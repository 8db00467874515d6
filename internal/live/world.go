package live

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"

	"rmwbench/internal/engine"
)

// World is a server and the wall clock. It is an engine.World and an
// engine.Witness.
type World struct {
	target Target
	client rueidis.Client
	clock  *clock
	began  time.Time
	stop   <-chan struct{}
	side   *conn       // for the server's own counters
	silent atomic.Bool // a new connection got no answer
	strain float64     // of the loads so far, for the next one; 0: there were none

	dialing sync.Mutex // guards the two below, and is held while the library may dial
	wanted  bool       // a connection was asked for
	dialed  net.Conn   // and this is it
}

// Bounds of what one connection costs. The defaults of the library, made for
// few and shared connections, take 1.3 MB each.
const (
	connBuffer = 8 << 10
	connRing   = 1 // log2 of the slots of a queue that dedicated connections do not use
)

// options are those of every connection to the target: nothing of what the
// library does behind its user's back.
func (t Target) options(dial func(context.Context) (net.Conn, error)) rueidis.ClientOption {
	return rueidis.ClientOption{
		InitAddress: []string{t.Address},
		Username:    t.Username,
		Password:    t.Password,
		SelectDB:    t.DB,
		ClientName:  "rmwbench",
		AlwaysRESP2: t.Protocol == 2,
		DialCtxFn: func(ctx context.Context, _ string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
			return dial(ctx)
		},
		// A negative interval keeps the library from sending PINGs of its own.
		Dialer:            net.Dialer{Timeout: dialTime, KeepAlive: -1},
		ConnWriteTimeout:  answerTime,
		ForceSingleClient: true,
		DisableRetry:      true,
		DisableCache:      true,
	}
}

// Open connects to the target. Closing stop ends every Hold at once. The error
// is one clear line.
func Open(target Target, stop <-chan struct{}) (*World, error) {
	if err := target.probe(); err != nil {
		return nil, err
	}
	w := &World{target: target, stop: stop, began: time.Now()}
	w.dialing.Lock()
	w.wanted = true
	options := target.options(w.dial)
	options.BlockingPoolSize = 2 * engine.MaxClients
	options.ReadBufferEachConn, options.WriteBufferEachConn, options.RingScaleEachConn = connBuffer, connBuffer, connRing
	client, err := rueidis.NewClient(options)
	w.wanted = false
	w.dialing.Unlock()
	if err != nil {
		return nil, target.refused(err)
	}
	w.client = client
	if w.clock, err = newClock(); err != nil {
		client.Close()
		return nil, err
	}
	side, err := w.connect()
	if err != nil {
		w.Close()
		return nil, target.refused(err)
	}
	w.side = side
	if target.Protocol == 3 && w.protocol() != 3 {
		w.Close()
		return nil, fmt.Errorf("%s does not speak RESP3: leave out -3", target.Address)
	}
	return w, nil
}

// dial is how the library opens sockets. It also does so on its own account -
// for every connection that ends, where the protocol is RESP2, one for
// subscriptions that it then forgets - and is refused.
func (w *World) dial(ctx context.Context) (net.Conn, error) {
	if !w.wanted {
		return nil, errUnwanted
	}
	socket, err := w.target.dial(ctx)
	w.dialed = socket
	return socket, err
}

var errUnwanted = errors.New("nobody asked for a connection")

// dedicate opens a connection and says which socket is under it: the library
// dials inside Dedicate, so one at a time tells whose it is. A failure shows
// at the first command.
func (w *World) dedicate() (rueidis.DedicatedClient, net.Conn) {
	w.dialing.Lock()
	defer w.dialing.Unlock()
	w.wanted, w.dialed = true, nil
	wire, _ := w.client.Dedicate()
	w.wanted = false
	return wire, w.dialed
}

// release ends a connection.
func (w *World) release(wire rueidis.DedicatedClient) {
	w.dialing.Lock()
	defer w.dialing.Unlock()
	wire.Close()
}

// refused turns what a server says to a newcomer into one line with the remedy.
func (t Target) refused(err error) error {
	text := err.Error()
	switch {
	case strings.HasPrefix(text, "NOAUTH"):
		return fmt.Errorf("%s wants a password: give -a PASSWORD or set REDISCLI_AUTH", t.Address)
	case strings.HasPrefix(text, "WRONGPASS"), strings.Contains(text, "invalid password"):
		return fmt.Errorf("%s refuses the password (user %q)", t.Address, userOrDefault(t.Username))
	}
	if strings.Contains(text, "DB index is out of range") {
		return fmt.Errorf("%s has no database %d (--dbnum)", t.Address, t.DB)
	}
	return fmt.Errorf("%s: %w", t.Address, err)
}

func userOrDefault(name string) string {
	if name == "" {
		return "default"
	}
	return name
}

// Now is the time since the world was opened.
func (w *World) Now() time.Duration { return time.Since(w.began) }

// Run runs each proc in a goroutine of its own.
func (w *World) Run(procs ...func()) {
	var wg sync.WaitGroup
	for _, proc := range procs {
		wg.Go(proc)
	}
	wg.Wait()
}

// Alarm calls f in a goroutine of its own.
func (w *World) Alarm(d time.Duration, f func()) (cancel func()) {
	timer := time.AfterFunc(d, f)
	return func() { timer.Stop() }
}

// Dial connects a client.
func (w *World) Dial(int) (engine.Conn, error) {
	c, err := w.connect()
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Close ends the world's own connections.
func (w *World) Close() {
	if w.side != nil {
		w.side.Close()
	}
	w.client.Close()
	w.clock.close()
}

// Began is when the world was opened.
func (w *World) Began() time.Time { return w.began }
