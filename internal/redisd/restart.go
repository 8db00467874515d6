package redisd

import (
	"errors"
	"fmt"
)

// Restart ends the server as a crash would, if it still runs, and starts its
// program again with the same settings in the same directory. The directory is
// the new server's from then on; s is done for, and stopping it is no error.
// If the new one does not come up, nothing is left behind.
func (s *Server) Restart() (*Server, error) {
	if s.Embedded {
		return nil, errors.New("the embedded server has no directory to be started in again")
	}
	stopped := true
	s.stop.Do(func() { stopped, s.stopErr = false, s.Kill() })
	switch {
	case stopped:
		return nil, fmt.Errorf("restart %s: it was stopped, and its directory is gone", s.Program)
	case s.stopErr != nil:
		return nil, s.stopErr
	}
	return startIn(s.dir, s.Program, startTimeout, s.args)
}
