package engine

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
)

// besideGap is the mean time between the reads that a paced bystander intends:
// often enough to meet what a load does to others, too seldom to be a load.
const besideGap = 5 * time.Millisecond

// HasScriptTime reports whether some cell of the plan keeps a server in a script
// for a time, so that others feel it.
func (p *Plan) HasScriptTime() bool {
	times := p.ScriptTimes
	if p.ScriptTimeIsDecision {
		times = p.Decisions
	}
	return slices.ContainsFunc(times, func(d time.Duration) bool { return d > 0 }) &&
		slices.ContainsFunc(p.Strategies, func(name string) bool {
			kind, _ := strategies.All.Get(name)
			return kind.Scripts
		})
}

// bystander reads a key of its own beside the clients, over a connection of its
// own, until the window ends or the last client has. A closed one reads as fast
// as it can. A paced one intends its reads at random times, as a Poisson process,
// and sends what has become due while an exchange was under way as one exchange,
// as a client does that pipelines by itself; a read's latency counts from its
// intended start, so that no read is left out for having had to wait.
//
// Its commands are among those held against the server's own counts. They are no
// attempts and no exchanges of the load.
type bystander struct {
	*load
	conn  Conn
	shard *shard
	meter meter
	get   resp.Cmd
	pace  *rand.Rand // nil: closed
	err   error      // the connection could not be had again

	next time.Duration   // intended start of the next read
	due  []time.Duration // intended starts of those under way
	cmds []resp.Cmd      // and the reads
}

func newBystander(l *load, number int, conn Conn, seed uint64, sh *shard, key string, paced bool) *bystander {
	b := &bystander{load: l, conn: conn, shard: sh, meter: meter{world: l.world, shard: sh}, get: resp.Cmd{"GET", key}, next: l.began}
	if paced {
		b.pace = contention.Stream(seed, number, contention.Beside)
		b.draw()
	}
	return b
}

// bystanderKey is the key of a bystander. It has the hash tag of one of the
// load's keys, the hottest first, and so lies on the same server: there is
// nothing to feel on a server that the load does not use.
func (t *trial) bystanderKey(i int) string {
	return t.bases[i%len(t.bases)] + ":bystander:" + strconv.Itoa(i)
}

// draw moves next to the intended start after it.
func (b *bystander) draw() { b.next += time.Duration(b.pace.ExpFloat64() * float64(besideGap)) }

// run is the bystander's proc.
func (b *bystander) run() {
	for {
		now := b.world.Now()
		if b.ended(now) {
			return
		}
		session, err := b.conn.Session(b.get[1])
		if err != nil {
			b.err = err
			return
		}
		if b.pace != nil && b.next > now {
			session.Hold(min(b.next, b.window.to) - now)
			continue
		}
		b.meter.begin(session)
		b.read(now)
	}
}

// ended reports whether there is nothing more to feel at time now.
func (b *bystander) ended(now time.Duration) bool { return b.over(now) || b.working.Load() == 0 }

// read does everything that is due at time now, in one exchange.
func (b *bystander) read(now time.Duration) {
	b.due, b.cmds = b.due[:0], b.cmds[:0]
	if b.pace == nil {
		b.due = append(b.due, now)
	} else {
		for ; b.next <= now; b.draw() {
			b.due = append(b.due, b.next)
		}
	}
	for range b.due {
		b.cmds = append(b.cmds, b.get)
	}
	replies, err := b.meter.Exchange(b.cmds...)
	end := b.world.Now()
	if !b.window.holds(end) || b.ended(end) {
		return
	}
	if err != nil {
		b.shard.BystanderFailed(len(b.due))
		return
	}
	for i, start := range b.due {
		if replies[i].Kind == resp.Error {
			b.shard.BystanderFailed(1)
			b.shard.Error("bystander", "a bystander's read: "+replies[i].Str)
			continue
		}
		b.shard.Bystander(end - start)
	}
}

// enter adds the commands that the server must have executed for it.
func (b *bystander) enter(whole *results.Whole) {
	b.meter.sum(whole.Commands)
	whole.RepliesLost = whole.RepliesLost || b.meter.lost
}
