// Package redisd finds, starts and stops a throw-away Redis or Valkey server,
// and the embedded in-process stand-in for when none is installed.
//
// It owns the server's process, its private directory and its address, and it
// is the only importer of miniredis. It does not talk to the server beyond the
// PING that tells it is up: connections, facts and settings belong to live.
// A server that was not started here is never touched.
package redisd

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// endTimeout bounds the wait for a server that was told to end.
const endTimeout = 10 * time.Second

// Server is a running server that we started. Its methods may be called from
// several goroutines.
type Server struct {
	Network  string // "unix" or "tcp", as net.Dial takes it
	Address  string // socket path, or host:port
	Embedded bool   // in this process: shows shapes, not the speed of Redis
	Program  string // path of the server program, "" when embedded

	pid  int             // 0 when embedded
	args []string        // given to Start
	dir  string          // private directory, "" when there is none
	end  func() error    // tells the server to end, at once and without waiting
	done <-chan struct{} // closed when it has ended

	stop    sync.Once
	stopErr error
}

// PID returns the process id of the server, 0 for the embedded one.
func (s *Server) PID() int { return s.pid }

// Done returns a channel that is closed when the server has ended, whether it
// was stopped or died by itself.
func (s *Server) Done() <-chan struct{} { return s.done }

// Kill ends the server as a crash would, waits until it is gone and cleans up
// nothing. Killing a server that has ended is no error.
func (s *Server) Kill() error {
	if err := s.end(); err != nil {
		return fmt.Errorf("end the server at %s: %w", s.Address, err)
	}
	select {
	case <-s.done:
		return nil
	case <-time.After(endTimeout):
		return fmt.Errorf("the server at %s still runs %v after it was told to end", s.Address, endTimeout)
	}
}

// Stop ends the server, waits until it is gone and removes its directory.
// There is nothing to persist, so it is not asked politely. Every call returns
// the result of the first, and not before that one is through.
func (s *Server) Stop() error {
	s.stop.Do(func() {
		s.stopErr = s.Kill()
		if s.dir != "" {
			s.stopErr = errors.Join(s.stopErr, os.RemoveAll(s.dir))
		}
	})
	return s.stopErr
}
