package sim

import (
	"maps"
	"slices"
	"time"

	"rmwbench/internal/profile"
	"rmwbench/internal/resp"
	"rmwbench/internal/store"
	"rmwbench/scripts"
)

// server is one thread that works off requests in the order of their arrival. Where
// the profile says so and scripts take their time, it does so in rounds, as Redis's
// event loop does: a round is of all requests that are there when it begins, and
// their replies leave together when it ends (handleClientsWithPendingWrites in its
// networking.c). So whoever was served in a round is not served again
// before everyone who waited was, however fast it asks again. Where all requests
// are short, rounds are too, and each reply leaves at once.
type server struct {
	world  *World
	id     int32
	db     *store.DB
	calls  tally[int64] // commands executed, by the server's name for them
	worked time.Duration

	cost  costs
	spent time.Duration // of the request under way

	free time.Duration // when the thread will have done all requests so far

	shared bool // the thread waits for a core of the machine: then requests wait here
	rounds bool // requests are worked off in rounds: they wait here too
	queue  fifo[*conn]
	at     *conn   // whose request is under way; nil: none
	left   int     // requests of the round that are still to be done
	done   []*conn // whose requests of the round are
}

// costs are a profile's, in whole nanoseconds.
type costs struct {
	exchange, command, nested time.Duration
	commands                  tally[time.Duration] // by name, as clients write it
}

func newServer(w *World, id int32, p profile.Server) *server {
	m := w.config.Machine
	s := &server{world: w, id: id, db: store.New(), shared: m != nil && !m.Apart, cost: costs{
		exchange: time.Duration(p.ExchangeNS), command: time.Duration(p.CommandNS), nested: time.Duration(p.NestedNS),
	}}
	for _, name := range slices.Sorted(maps.Keys(p.CommandsNS)) {
		s.cost.commands.add(name, time.Duration(p.CommandsNS[name]))
	}
	// A profile may know one way to call a script; the others are like it.
	if ns := s.cost.commands.find("EVALSHA"); ns != nil {
		for _, name := range []string{"EVAL", "FCALL"} {
			if s.cost.commands.find(name) == nil {
				s.cost.commands.add(name, *ns)
			}
		}
	}
	// Scripts are there already, as they are on a server that a run has tried
	// every strategy on before the load.
	conn := s.db.Dial()
	for _, name := range scripts.All.Names() {
		conn.Do(0, resp.Cmd{"SCRIPT", "LOAD", scripts.MustGet(name).Body})
	}
	conn.Do(0, resp.Cmd{"FUNCTION", "LOAD", scripts.Library()})
	s.db.Served = s.count
	s.db.Spun = s.spun
	return s
}

// count is told of every command that is executed.
func (s *server) count(name string, nested bool) {
	n := s.calls.find(name)
	if n == nil {
		n = s.calls.add(name, 0)
	}
	*n++
	if nested {
		s.spent += s.cost.nested
	}
}

// spun is told of a spinning script. An iteration takes a nanosecond, whatever
// the server's speed.
func (s *server) spun(iterations int64) { s.spent += time.Duration(iterations) }

// arrived takes a request in. Without a machine and rounds the thread's times
// follow from the requests before, and nothing has to wait for them.
func (s *server) arrived(c *conn) {
	if s.shared || s.rounds {
		s.queue.push(c)
		if s.at == nil {
			s.round()
		}
		return
	}
	start := max(s.world.now, s.free)
	s.free = start + s.execute(c, start)
	s.world.queue.push(s.free+c.back, reached, c.id)
}

// execute does a request from a time on, and answers how long it takes. Its
// commands take effect in one go: the thread serves nobody else before it is
// done.
func (s *server) execute(c *conn, start time.Duration) time.Duration {
	s.spent = s.cost.exchange
	c.replies = c.replies[:0]
	for _, cmd := range c.request {
		s.spent += s.price(cmd)
		c.replies = append(c.replies, c.wire.state.Do(start, cmd))
	}
	s.worked += s.spent
	return s.spent
}

// round begins one, of the oldest request at least.
func (s *server) round() {
	s.left = 1
	if s.rounds {
		s.left = s.queue.len()
	}
	s.next()
}

// next works off the oldest request, on a core if there are any to wait for.
func (s *server) next() {
	s.at = s.queue.pop()
	s.left--
	took := s.execute(s.at, s.world.now)
	if s.shared {
		s.world.cores.run(took, work{kind: serving, who: s.id})
		return
	}
	s.free = s.world.now + took
	s.world.queue.push(s.free, worked, s.id)
}

// price is what a command costs beside what a script in it calls.
func (s *server) price(cmd resp.Cmd) time.Duration {
	name, ns := cmd[0], s.cost.command
	if own := s.cost.commands.find(name); own != nil {
		ns = *own
	}
	return ns
}

// served goes on after a request. At the end of a round it answers them all.
func (s *server) served() {
	s.done = append(s.done, s.at)
	s.at = nil
	if s.left > 0 {
		s.next()
		return
	}
	for _, c := range s.done {
		s.world.queue.push(s.world.now+c.back, reached, c.id)
	}
	s.done = s.done[:0]
	if s.queue.len() > 0 {
		s.round()
	}
}
