// Package conformance holds every strategy and workload to its promises in
// every world. It has only tests; a new strategy or workload is picked up by
// being registered.
package conformance

import (
	"testing"

	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
	"rmwbench/strategies"
)

// world is one to hold things to.
type world struct {
	name   string
	server *redisd.Server
	live   *live.World
}

// kinds of world; start skips or fails where a server is missing.
var kinds = []struct {
	name     string
	start    func(t testing.TB, args ...string) *redisd.Server
	protocol int
}{
	{"embedded", func(t testing.TB, _ ...string) *redisd.Server { return redistest.Embedded(t) }, 0},
	{"redis RESP2", redistest.Start, 2},
	{"redis RESP3", redistest.Start, 3},
}

// eachWorld runs a test in every world.
func eachWorld(t *testing.T, test func(t *testing.T, w world)) {
	for i := range kinds {
		inWorld(t, i, test)
	}
}

// realWorlds runs a test in the worlds of real servers, where the embedded
// server lacks what the test is about.
func realWorlds(t *testing.T, test func(t *testing.T, w world)) {
	for i := range kinds[1:] {
		inWorld(t, i+1, test)
	}
}

func inWorld(t *testing.T, i int, test func(t *testing.T, w world)) {
	t.Run(kinds[i].name, func(t *testing.T) {
		server := kinds[i].start(t)
		test(t, world{kinds[i].name, server, open(t, server, kinds[i].protocol)})
	})
}

func open(t testing.TB, server *redisd.Server, protocol int) *live.World {
	t.Helper()
	w, err := live.Open(live.Target{
		Network: server.Network, Address: server.Address, Embedded: server.Embedded, Started: true, Protocol: protocol,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// dial connects one client.
func (w world) dial(t *testing.T, client int) strategies.Session {
	t.Helper()
	conn, err := w.live.Dial(client)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	session, err := conn.Session("")
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// do is one exchange that must not fail.
func do(t *testing.T, s strategies.Session, cmds ...resp.Cmd) []resp.Reply {
	t.Helper()
	replies, err := s.Exchange(cmds...)
	if err != nil {
		t.Fatalf("%v: %v", cmds, err)
	}
	return replies
}

var _ engine.World = (*live.World)(nil)
var _ engine.Witness = (*live.World)(nil)
