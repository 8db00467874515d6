// Package live is the world of real servers: one dedicated connection for each
// client, or one for all where that is what is measured, wall-clock time,
// replies brought into normal form, and what the server says of itself. It is
// the only package that imports rueidis, and it switches off what that library
// does behind its user's back: retries, caching, the reuse of connections and,
// unless it is asked for, multiplexing.
package live

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

// Target says which server to talk to and how.
type Target struct {
	Network  string // "tcp" or "unix"
	Address  string // host:port or socket path
	Username string
	Password string
	DB       int
	Protocol int         // 2 or 3; 0: 3 where the server has it
	TLS      *tls.Config // nil: plain
	Embedded bool        // our in-process server
	Started  bool        // by us, for this run
}

// Local reports whether the server runs on this machine, as far as its address
// tells.
func (t Target) Local() bool {
	if t.Network == "unix" {
		return true
	}
	host, _, _ := net.SplitHostPort(t.Address)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// answerTime bounds the wait for a server that accepts connections and says
// nothing, and for any one exchange.
const answerTime = 10 * time.Second

// dialTime bounds the opening of a connection to a server that has answered
// before.
const dialTime = 3 * time.Second

// dial opens a plain or TLS connection.
func (t Target) dial(ctx context.Context) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: answerTime}
	if t.TLS == nil {
		return dialer.DialContext(ctx, t.Network, t.Address)
	}
	return (&tls.Dialer{NetDialer: dialer, Config: t.TLS}).DialContext(ctx, t.Network, t.Address)
}

// probe makes sure that somebody at the address speaks the Redis protocol, so
// that a wrong address ends in one clear line.
func (t Target) probe() error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	conn, err := t.dial(ctx)
	switch {
	case err != nil && t.TLS != nil && ctx.Err() != nil:
		return fmt.Errorf("%s did not answer a TLS handshake in %v: is it a TLS port? (leave out --tls)", t.Address, answerTime)
	case err != nil:
		return fmt.Errorf("cannot connect to %s: %w", t.Address, reason(err))
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return err
	}
	// A server that is full says so and hangs up without reading, so what the
	// write comes to does not matter: the answer tells.
	_, _ = io.WriteString(conn, "*1\r\n$4\r\nPING\r\n")
	answer := make([]byte, 128)
	n, err := conn.Read(answer)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%s accepts connections but did not answer a PING in %v", t.Address, answerTime)
	case n == 0:
		return fmt.Errorf("%s closed the connection without an answer to PING%s", t.Address, t.hintTLS())
	}
	line, _, _ := strings.Cut(string(answer[:n]), "\n")
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "-") {
		return fmt.Errorf("%s does not speak the Redis protocol: it answered %q%s", t.Address, line, t.hintTLS())
	}
	if strings.HasPrefix(line, "-DENIED") || strings.Contains(line, "max number of clients") {
		return fmt.Errorf("%s refuses connections: %s", t.Address, line[1:])
	}
	return nil
}

func (t Target) hintTLS() string {
	if t.TLS == nil {
		return " (does it want --tls?)"
	}
	return " (does it want --cert and --key?)"
}

// reason drops the addresses from a network error: our own messages name the
// server, and the client's port would make every text another.
func reason(err error) error {
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return op.Err
	}
	return err
}
