// Package sim owns the simulated world: the engine's clients as coroutines in
// virtual time, and single-threaded servers with a store each, whose costs come
// from a profile. The clients, strategies, back-offs, workloads, ledgers and
// recorders are those of a live run; only time, network and server are made up.
//
// One world runs on one goroutine. The same configuration and seed give the
// same events, whatever else goes on: ties in time go by the order in which
// events were made, every client draws from streams of its own, and no map is
// walked.
package sim

import (
	"iter"
	"math/rand/v2"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/results"
)

// Config is what is simulated.
type Config struct {
	Profile *profile.Profile
	Shards  int      // servers that share the keys by slot; 0: one
	Speed   float64  // of the servers, as a multiple of the profile's; 0: 1
	Machine *Machine // that servers and clients share; nil: nobody waits for a core but the server's own thread
}

// World is an engine.World, engine.Witness, engine.Delayer and engine.Spinner.
type World struct {
	config  Config
	seed    uint64
	now     time.Duration
	queue   queue
	procs   []proc
	current int32  // the proc that runs
	running int    // procs that have not ended
	resumed uint64 // how often procs were
	conns   []*conn
	servers []*server
	alarms  []func()
	cores   *cores // nil: without a machine

	rtt     time.Duration // injected, on average
	observe func(client int, achieved time.Duration)
}

// New makes a world at time zero with empty servers.
func New(c Config, seed uint64) *World {
	w := &World{config: c, seed: seed}
	costs := c.Profile.Server
	if c.Speed != 0 {
		costs = c.Profile.Scaled(c.Speed).Server
	}
	for i := range max(c.Shards, 1) {
		w.servers = append(w.servers, newServer(w, int32(i), costs))
	}
	if c.Machine != nil {
		w.cores = newCores(w, c.Machine.Cores)
	}
	return w
}

// proc is a coroutine.
type proc struct {
	resume func() (struct{}, bool)
	yield  func(struct{}) bool
}

// Now is the virtual time since the world began.
func (w *World) Now() time.Duration { return w.now }

// Run runs the procs as coroutines, started in their order, until all have
// ended.
func (w *World) Run(procs ...func()) {
	w.procs = make([]proc, len(procs))
	for i, f := range procs {
		p := &w.procs[i]
		p.resume, _ = iter.Pull(func(yield func(struct{}) bool) {
			p.yield = yield
			f()
		})
		w.queue.push(w.now, wake, int32(i))
	}
	for w.running = len(procs); w.running > 0; {
		e := w.queue.pop() // a proc that waits has an event coming
		w.now = e.at
		switch e.kind {
		case wake:
			w.resume(e.who)
		case arrive:
			w.conns[e.who].arrived()
		case reached:
			w.conns[e.who].reached()
		case ran:
			w.cores.ran(e.who)
		case worked:
			w.servers[e.who].served()
		case ring:
			if f := w.alarms[e.who]; f != nil {
				w.alarms[e.who] = nil
				f()
			}
		}
	}
}

// resume lets a proc run until it waits or ends.
func (w *World) resume(who int32) {
	w.current = who
	w.resumed++
	if _, waits := w.procs[who].resume(); !waits {
		w.running--
	}
}

// wait gives control back until the running proc is resumed.
func (w *World) wait() { w.procs[w.current].yield(struct{}{}) }

// Alarm calls f after d, between two events.
func (w *World) Alarm(d time.Duration, f func()) (cancel func()) {
	i := len(w.alarms)
	w.alarms = append(w.alarms, f)
	w.queue.push(w.now+max(d, 0), ring, int32(i))
	return func() { w.alarms[i] = nil }
}

// Delayed injects a network delay of rtt on average, half each way, spread as
// the profile says or as the machine achieved it.
func (w *World) Delayed(rtt time.Duration, observe func(client int, achieved time.Duration)) engine.World {
	w.rtt, w.observe = rtt, observe
	return w
}

// Dial connects a client, at once.
func (w *World) Dial(client int) (engine.Conn, error) {
	if client == engine.Control {
		return newControl(w), nil
	}
	c := &conn{world: w, id: int32(len(w.conns)), client: client, network: w.stream(client), wires: make([]wire, len(w.servers))}
	w.conns = append(w.conns, c)
	return c, nil
}

// Restart restarts all servers with their data: scripts are forgotten and
// connections end.
func (w *World) Restart() error {
	for _, s := range w.servers {
		s.db.Restart()
	}
	for _, c := range w.conns {
		c.Drop()
	}
	return nil
}

// stream is the source of a client's network delays.
func (w *World) stream(client int) *rand.Rand {
	return contention.Stream(w.seed, client, contention.Network)
}

// Snapshot reads the counters of all servers together, and the time of the one
// that worked most.
func (w *World) Snapshot() (engine.Snapshot, error) {
	s := engine.Snapshot{Commands: map[string]results.CommandStats{}}
	var most time.Duration
	for _, server := range w.servers {
		for _, c := range server.calls {
			stats := s.Commands[c.name]
			stats.Calls += c.value
			s.Commands[c.name] = stats
		}
		most = max(most, server.worked)
	}
	s.ServerCPU = &most
	return s, nil
}
