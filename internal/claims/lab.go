package claims

import (
	"errors"

	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
	"rmwbench/strategies"
)

// Live is a server that a world is connected to.
func Live(world *live.World) Server { return liveServer{world} }

type liveServer struct{ *live.World }

// Dial opens a connection. A session is asked for once, since asking again
// would replace a lost connection by a new one.
func (s liveServer) Dial() (Conn, error) {
	conn, err := s.World.Dial(engine.Control)
	if err != nil {
		return nil, err
	}
	session, err := conn.Session("")
	if err != nil {
		conn.Close()
		return nil, err
	}
	return liveConn{conn, session}, nil
}

type liveConn struct {
	engine.Conn
	strategies.Session
}

// Local is a Lab that starts servers on this machine.
type Local struct {
	Program  string // of the server; empty: the embedded one
	Protocol int    // as in live.Target
	Stop     <-chan struct{}

	// Started is told of each server, so that whoever has to leave in a hurry
	// can end it; nil: nobody.
	Started func(*redisd.Server)
}

// Start starts a server. The embedded one has no settings.
func (l *Local) Start(settings ...string) (Throwaway, error) {
	if l.Program == "" && len(settings) > 0 {
		return nil, errors.New("the embedded server has no restart, replica, cluster mode or SCRIPT KILL")
	}
	server, err := l.start(settings)
	if err != nil {
		return nil, err
	}
	t := &throwaway{lab: l}
	if err := t.open(server); err != nil {
		return nil, err
	}
	return t, nil
}

// Connect connects to a server on this machine.
func (l *Local) Connect(server *redisd.Server) (*live.World, error) {
	return live.Open(live.Target{
		Network: server.Network, Address: server.Address, Embedded: server.Embedded, Started: true, Protocol: l.Protocol,
	}, l.Stop)
}

func (l *Local) start(settings []string) (*redisd.Server, error) {
	if l.Program == "" {
		return redisd.Embedded()
	}
	return redisd.Start(l.Program, settings...)
}

// Port is a TCP port that is free at this moment.
func (l *Local) Port() (int, error) { return redisd.Port() }

// throwaway is a server of a Local and the world that is connected to it.
type throwaway struct {
	liveServer
	lab    *Local
	server *redisd.Server
}

// open connects to the server, or stops it.
func (t *throwaway) open(server *redisd.Server) error {
	if t.lab.Started != nil {
		t.lab.Started(server)
	}
	world, err := t.lab.Connect(server)
	if err != nil {
		return errors.Join(err, server.Stop())
	}
	t.server, t.liveServer = server, liveServer{world}
	return nil
}

// disconnect closes the world, once.
func (t *throwaway) disconnect() {
	if t.World != nil {
		t.World.Close()
		t.World = nil
	}
}

// Restart ends the server as a crash would and starts it again in its
// directory.
func (t *throwaway) Restart() error {
	t.disconnect()
	server, err := t.server.Restart()
	if err != nil {
		return err
	}
	return t.open(server)
}

// Stop ends the server.
func (t *throwaway) Stop() error {
	t.disconnect()
	return t.server.Stop()
}
