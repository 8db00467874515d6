package redisd

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// pollEvery is the pause between two PINGs while the server comes up.
const pollEvery = 2 * time.Millisecond

// errEnded says that the server's process ended while it was waited for.
var errEnded = errors.New("it ended before it answered PING")

// waitReady returns nil once the server answers PING, errEnded when its
// process ends first, and another error when time runs out.
func (s *Server) waitReady(timeout time.Duration) error {
	deadline := time.Now().Add(timeout)
	for {
		err := ping(s.Network, s.Address, deadline)
		if err == nil {
			return nil
		}
		select {
		case <-s.done:
			return errEnded
		case <-time.After(pollEvery):
		}
		if !time.Now().Before(deadline) {
			return fmt.Errorf("no answer to PING within %v: %w", timeout, err)
		}
	}
}

// ping asks once, on a connection of its own. A server that wants a password
// is up as well.
func ping(network, address string, deadline time.Time) error {
	dialer := net.Dialer{Deadline: deadline}
	conn, err := dialer.Dial(network, address)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(deadline); err != nil {
		return err
	}
	if _, err := conn.Write([]byte("*1\r\n$4\r\nPING\r\n")); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return err
	}
	line = strings.TrimSpace(line)
	if line != "+PONG" && !strings.HasPrefix(line, "-NOAUTH ") {
		return fmt.Errorf("PING answered %q", line)
	}
	return nil
}
