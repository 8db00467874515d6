// Package conformance holds every strategy and workload to its promises in
// every world. It has only tests; a new strategy or workload is picked up by
// being registered.
package conformance

import (
	"testing"

	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/profile"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
	"rmwbench/internal/sim"
	"rmwbench/strategies"
)

// world is one to hold things to.
type world struct {
	name string
	countingWorld
	server   *redisd.Server // nil: simulated
	facts    strategies.Facts
	embedded bool
}

// countingWorld is a world whose server keeps counters and can be kept busy.
type countingWorld interface {
	engine.World
	engine.Witness
	engine.Spinner
}

// kinds of world; start skips or fails where a server is missing.
var kinds = []struct {
	name  string
	start func(t testing.TB) world
}{
	{"simulated", func(testing.TB) world {
		return world{countingWorld: sim.New(sim.Config{Profile: simulated}, 1), facts: strategies.Facts{Product: "redis", Version: "7.0.15"}}
	}},
	{"embedded", func(t testing.TB) world { return served(t, redistest.Embedded(t), 0) }},
	{"redis RESP2", func(t testing.TB) world { return served(t, redistest.Start(t), 2) }},
	{"redis RESP3", func(t testing.TB) world { return served(t, redistest.Start(t), 3) }},
}

// simulated is a made-up server, over a network without jitter.
var simulated = &profile.Profile{
	Server: profile.Server{ExchangeNS: 5000, CommandNS: 500, NestedNS: 300},
	Network: profile.Network{
		BaseNS: profile.Quantiles{{Share: 0, NS: 10_000}, {Share: 1, NS: 50_000}},
		Jitter: profile.Jitter{Shape: profile.ShapeConstant},
	},
}

// served is the live world of a server.
func served(t testing.TB, server *redisd.Server, protocol int) world {
	w := open(t, server, protocol)
	facts, err := w.Facts()
	if err != nil {
		t.Fatal(err)
	}
	known, err := w.Known(facts)
	if err != nil {
		t.Fatal(err)
	}
	return world{countingWorld: w, server: server, facts: known, embedded: server.Embedded}
}

// Places in kinds.
const (
	simulatedKind = iota
	embeddedKind
	resp2Kind
	resp3Kind
)

// everyProtocol runs a test in every world, in the real one by both protocols:
// what depends on how replies look.
func everyProtocol(t *testing.T, test func(t *testing.T, w world)) {
	for i := range kinds {
		inWorld(t, i, test)
	}
}

// eachWorld runs a test in every world.
func eachWorld(t *testing.T, test func(t *testing.T, w world)) {
	inWorld(t, simulatedKind, test)
	servedWorlds(t, test)
}

// servedWorlds runs a test in the worlds that have a server.
func servedWorlds(t *testing.T, test func(t *testing.T, w world)) {
	inWorld(t, embeddedKind, test)
	realWorld(t, test)
}

// faithfulWorlds runs a test in all worlds but that of the embedded server,
// which lacks what the test is about.
func faithfulWorlds(t *testing.T, test func(t *testing.T, w world)) {
	inWorld(t, simulatedKind, test)
	realWorld(t, test)
}

// realWorld runs a test in the world of a real server.
func realWorld(t *testing.T, test func(t *testing.T, w world)) { inWorld(t, resp3Kind, test) }

func inWorld(t *testing.T, i int, test func(t *testing.T, w world)) {
	t.Run(kinds[i].name, func(t *testing.T) {
		w := kinds[i].start(t)
		w.name = kinds[i].name
		test(t, w)
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

// dial connects one client, for use outside of Run: in the simulated world,
// where clients are there inside of it only, as the engine's own.
func (w world) dial(t *testing.T, client int) strategies.Session {
	t.Helper()
	if w.server == nil {
		client = engine.Control
	}
	conn, err := w.Dial(client)
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

// stored lists the keys under a prefix.
func (w world) stored(t *testing.T, prefix string) []resp.Reply {
	t.Helper()
	return do(t, w.dial(t, 0), resp.Cmd{"SCAN", "0", "MATCH", prefix + "*", "COUNT", "1000000"})[0].Elems[1].Elems
}

var _ engine.Delayer = (*sim.World)(nil)
