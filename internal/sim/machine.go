package sim

import (
	"time"

	"rmwbench/internal/profile"
)

// Machine is the machine that a live run was measured on, where clients and
// server share the cores. It serves to hold a prediction against a measurement
// and has no place in a what-if: nobody's clients have our cores.
type Machine struct {
	Cores      int
	Apart      bool              // the server has cores of its own
	ExchangeNS float64           // a client's own time for an exchange, half before and half after
	HoldNS     float64           // and for a wait
	Late       profile.Quantiles // how much longer than asked for a wait lasts
	Wake       profile.Quantiles // what an exchange takes beyond everything that the profile knows
	RTT        profile.Quantiles // what the injected network delay came to, both ways together; nil: as asked for
	ScriptTime time.Duration     // what the script time came to, on average; 0: as asked for
}

// half is a client's time on one side of an exchange.
func (m *Machine) half() time.Duration { return time.Duration(m.ExchangeNS / 2) }

// cores are the machine's: pieces of work run in the order in which they were
// given, as many at a time as there are cores.
type cores struct {
	world *World
	free  []int32
	runs  []work // by core
	queue fifo[work]
}

// work is a piece of work and what follows it.
type work struct {
	kind workKind
	who  int32         // a conn, or a server
	then time.Duration // the way to the server
	time time.Duration
}

type workKind uint8

const (
	idle     workKind = iota // nothing follows
	sent                     // the request of a conn sets out
	received                 // the replies are a conn's
	serving                  // a server is done
)

func newCores(w *World, n int) *cores {
	c := &cores{world: w, runs: make([]work, n)}
	for i := range n {
		c.free = append(c.free, int32(i))
	}
	return c
}

// run queues a piece of work that takes t of a core.
func (c *cores) run(t time.Duration, w work) {
	w.time = t
	c.queue.push(w)
	c.start()
}

func (c *cores) start() {
	for len(c.free) > 0 && c.queue.len() > 0 {
		last := len(c.free) - 1
		core := c.free[last]
		c.free = c.free[:last]
		c.runs[core] = c.queue.pop()
		c.world.queue.push(c.world.now+c.runs[core].time, ran, core)
	}
}

// ran frees a core and does what follows the work it has done.
func (c *cores) ran(core int32) {
	done := c.runs[core]
	c.free = append(c.free, core)
	c.start()
	w := c.world
	switch done.kind {
	case sent:
		w.queue.push(w.now+done.then, arrive, done.who)
	case received:
		w.conns[done.who].received()
	case serving:
		w.servers[done.who].served()
	}
}
