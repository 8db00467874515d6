package fault

import (
	"testing"

	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/state"
)

// realServer starts a server for the matrix; process is the one that runs since
// the last restart.
func realServer(t *testing.T) (s Server, process func() *redisd.Server) {
	t.Helper()
	server, err := redisd.Start(redistest.Path(t), "--appendonly", "yes", "--appendfsync", "no")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop() }) // the one of the last restart
	world, err := live.Open(live.Target{Network: server.Network, Address: server.Address, Started: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(world.Close)
	facts, err := world.Facts()
	if err != nil {
		t.Fatal(err)
	}
	known, err := world.Known(facts)
	if err != nil {
		t.Fatal(err)
	}
	restart := func() error {
		again, err := server.Restart()
		if err != nil {
			return err
		}
		server = again
		return nil
	}
	return Server{World: world, Facts: known, Clock: state.Exact, Restart: restart}, func() *redisd.Server { return server }
}
