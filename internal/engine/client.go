package engine

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"rmwbench/contention"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// window is the part of the load phase that counts, in the world's time.
type window struct{ from, to time.Duration }

// holds reports whether something that ended at t counts.
func (w window) holds(t time.Duration) bool { return t >= w.from && t < w.to }

// load is what the clients of one trial share.
type load struct {
	world    World
	stop     <-chan struct{}
	strategy strategies.Strategy
	workload workloads.Workload
	dist     contention.Dist
	retry    contention.Retry
	policy   policy
	bases    []string
	decision time.Duration
	think    time.Duration
	began    time.Duration
	window   window
	opsLeft  *atomic.Int64 // nil: no bound
	each     int           // ops of each client; 0: no bound
	arrivals *arrivals     // of an open loop; nil: closed
	tokens   bool          // ops leave tokens behind
	working  atomic.Int64  // clients that have not ended
	spin     Spin          // of scripts; nil: they do not
	perKey   []int64       // ops answered in the window; nil unless one thread runs all clients
}

// over reports whether no new attempt may begin at time now.
func (l *load) over(now time.Duration) bool { return now >= l.window.to || Stopped(l.stop) }

// take claims one op of the bounded number.
func (l *load) take() bool { return l.opsLeft == nil || l.opsLeft.Add(-1) >= 0 }

// Stopped reports whether a stop was asked for, without waiting for one.
func Stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// client runs ops one after the other on its own connection.
type client struct {
	*load
	id     int
	conn   Conn
	shard  *shard
	meter  meter
	keys   *rand.Rand // separate streams, so that one concern never reshuffles another
	ops    *rand.Rand
	waits  *rand.Rand
	op     workloads.Op     // under way
	key    int              // of the op
	effect workloads.Effect // of the op so far: none, maybe or part before its last attempt
	answer string
	ended  time.Duration // when the last attempt or look did, in the world's time
	err    error         // the connection could not be had again

	came, left time.Duration // in the world's time
	picked     []int32       // the key of each op so far, where ops leave tokens
	spent      spent
	inferred   int64 // ops in the window that were taken for committed
}

func newClient(l *load, id int, conn Conn, seed uint64, sh *shard) *client {
	return &client{
		load: l, id: id, conn: conn, shard: sh,
		meter: meter{world: l.world, shard: sh},
		keys:  contention.Stream(seed, id, contention.Keys),
		ops:   contention.Stream(seed, id, contention.Ops),
		waits: contention.Stream(seed, id, contention.Delays),
	}
}

// run is the client's proc: it returns when the load is over.
func (c *client) run() {
	c.came = c.world.Now()
	defer func() { c.left = c.world.Now() }()
	for n := 0; c.err == nil && (c.each == 0 || n < c.each); n++ {
		now := c.world.Now()
		if c.over(now) || !c.take() {
			return
		}
		intended := now
		if c.arrivals != nil {
			if intended = c.arrivals.take(now); !c.await(intended) {
				return
			}
			now = c.world.Now()
		}
		c.key = c.dist.Pick(c.keys)
		if c.tokens {
			c.picked = append(c.picked, int32(c.key))
		}
		c.op = c.workload.Next(c.ops, n, c.bases[c.key])
		c.op.ID = workloads.OpID(c.id, n)
		c.op.Decision = c.decision
		c.do(intended, now)
		if c.think > 0 && c.meter.Session != nil {
			now := c.world.Now()
			c.hold(c.think)
			c.spent.rests += c.window.part(now, c.world.Now())
		}
	}
}

// await waits for an op's intended start. It answers false when the load ends
// before it.
func (c *client) await(start time.Duration) bool {
	now := c.world.Now()
	if start > now {
		if c.meter.Session == nil { // the client's first op
			if c.meter.Session, c.err = c.conn.Session(c.bases[0]); c.err != nil {
				return false
			}
		}
		c.hold(start - now)
		c.spent.rests += c.window.part(now, c.world.Now())
	}
	return start < c.window.to && !Stopped(c.stop)
}

// hold spends d, but not beyond the end of the window.
func (c *client) hold(d time.Duration) {
	c.meter.Session.Hold(min(d, c.window.to-c.world.Now()))
}

// do runs the op, from time start, to its outcome. It was meant to start at
// intended, which is now in a closed loop.
func (c *client) do(intended, start time.Duration) {
	end := start
	record := results.OpRecord{Client: c.id, Outcome: results.OpUnfinished}
	var wait time.Duration
	for {
		if record.Attempts > 0 && c.over(end) {
			break
		}
		verdict, class, ok := c.attempt(record.Attempts+1, end)
		if !ok {
			break
		}
		record.Attempts++
		record.Class = class
		outcome, retry := c.next(verdict, record.Attempts, &wait)
		end = c.ended // of the attempt, or of a look at what it has left
		if !retry {
			record.Outcome = outcome
			break
		}
		if wait > 0 {
			c.hold(wait)
			now := c.world.Now()
			record.Backoff += now - end
			c.spent.waits += c.window.part(end, now)
			end = now
		}
	}
	c.note(record.Outcome)
	record.At = end - c.window.from
	record.Latency = end - intended
	if c.arrivals != nil {
		record.Service = end - start
	}
	if end >= c.window.to {
		record.Outcome = results.OpUnfinished // in flight when the window ended
	}
	if record.Outcome == results.OpUnfinished || c.window.holds(end) {
		c.shard.Op(record)
		if c.perKey != nil && (record.Outcome == results.OpCommitted || record.Outcome == results.OpRejected) {
			c.perKey[c.key]++
		}
	}
}

// next says what follows an attempt: another one after a wait, or the op's
// outcome. failures is the number of attempts so far.
func (c *client) next(verdict strategies.Verdict, failures int, wait *time.Duration) (outcome results.OpOutcome, retry bool) {
	switch verdict {
	case strategies.Committed:
		return results.OpCommitted, false
	case strategies.Rejected:
		return results.OpRejected, false
	case strategies.Failed, strategies.Unknown:
		outcome = results.OpFailed
		if verdict == strategies.Unknown {
			outcome = results.OpUnknown
		}
		switch c.policy.next(verdict) {
		case PolicyStop:
			return outcome, false
		case PolicyReadBack:
			switch applied, ok := c.readBack(); {
			case !ok:
				return outcome, false
			case applied:
				return results.OpCommitted, false
			}
		}
	}
	delay, again := c.retry.Next(failures, *wait, c.waits)
	if !again {
		return results.OpGaveUp, false
	}
	*wait = delay
	return 0, true
}

// happened adds an attempt's effect to the op's.
func (c *client) happened(out strategies.Outcome) {
	if out.Effect != workloads.EffectNone || out.Verdict == strategies.Committed || out.Verdict == strategies.Rejected {
		c.effect, c.answer = out.Effect, out.Answer
	}
}

// note enters the op into the ledger. An op that was answered has the effect
// that was answered for, whatever its earlier attempts have done: once or not at
// all. Without an answer it may have had any.
func (c *client) note(outcome results.OpOutcome) {
	if outcome == results.OpCommitted {
		c.effect = workloads.EffectAll // also where that was only inferred
	}
	c.shard.note(c.op, c.effect, c.answer)
	c.effect, c.answer = workloads.EffectNone, ""
}

// attempt tries the op once, from time start, and records it. class is that of
// its error; ok is false when there is no connection to try it on.
func (c *client) attempt(number int, start time.Duration) (verdict strategies.Verdict, class string, ok bool) {
	session, err := c.conn.Session(c.op.Keys[0])
	if err != nil {
		c.err = err
		return verdict, "", false
	}
	c.meter.begin(session)
	c.op.Attempt = number
	if c.spin != nil {
		c.op.Spin = c.spin.Iterations()
	}
	out := c.strategy.Attempt(&c.meter, c.workload, c.op)
	if c.spin != nil {
		c.spin.Ended(c.op.Spin)
	}
	end := c.world.Now()
	c.shard.Attempt(results.AttemptRecord{
		Number: number, Verdict: out.Verdict, At: end - c.window.from, Latency: end - start,
		Exchanges: c.meter.exchanges, BytesOut: c.meter.bytesOut, BytesIn: c.meter.bytesIn,
	}, c.window.holds(end))
	c.happened(out)
	for _, note := range out.Notes {
		c.shard.Note(string(note))
	}
	if out.Error != "" {
		class = out.Class()
		c.shard.Error(class, out.Error)
	}
	c.ended = end
	c.spent.attempt(c.window, start, end)
	return out.Verdict, class, true
}
