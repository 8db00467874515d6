package engine

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"rmwbench/contention"
)

// turn is what a slow server may take for one client's turn: with many clients
// the last one's comes late, and nobody is lost.
const turn = time.Millisecond

// ErrServerLost says that the server could not be reached any more or stopped
// answering. The trial it ended is kept as partial.
var ErrServerLost = errors.New("the server was lost")

// load runs the clients, and bystanders beside them, until the window has ended
// and their last exchanges are done, and fills the run. conns are the clients'
// and then the bystanders'. lost is the error of one that could not go on; err
// says that the load never began, or that the run contradicts itself.
func (t *trial) load(conns []Conn) (lost, err error) {
	spin, err := t.spin()
	if err != nil {
		return nil, err
	}
	taken := t.memory()
	before := t.snapshot()
	began := t.world.Now()
	l := t.shared(began)
	l.spin = spin
	clients := make([]*client, t.cell.Clients)
	beside := make([]*bystander, t.cell.Bystanders)
	var procs []func()
	l.working.Store(int64(len(clients)))
	for i := range clients {
		c := newClient(l, i, conns[i], t.run.Seed, t.shards.of(i))
		clients[i] = c
		procs = append(procs, func() {
			defer l.working.Add(-1)
			c.run()
		})
	}
	for i := range beside {
		number := len(clients) + i
		beside[i] = newBystander(l, number, conns[number], t.run.Seed, t.shards.of(number), t.bystanderKey(i), !t.cell.BystandersClosed)
		procs = append(procs, beside[i].run)
	}
	t.clients = clients
	dog := t.guard(conns, l.window.to)
	callOff := t.tellSeconds(l.window)
	t.world.Run(procs...)
	callOff()
	lost = dog.callOff()
	t.run.Whole.ElapsedNS = int64(t.world.Now() - began)
	for _, c := range clients {
		if lost == nil {
			lost = c.err
		}
	}
	for _, b := range beside {
		if lost == nil {
			lost = b.err
		}
	}
	var after *Snapshot
	if t.silent = lost != nil; !t.silent {
		after = t.snapshot()
	}
	t.fill(l, clients, lost)
	for _, b := range beside {
		b.enter(&t.run.Whole)
	}
	if spin != nil {
		var warning string
		if t.run.Achieved.ScriptTimeNS, warning = spin.End(l.window.from, l.window.to, t.silent); warning != "" {
			t.run.Warn(warning)
		}
	}
	t.witness(before, after)
	if !t.silent {
		t.weigh(taken)
	}
	if t.OneThread && lost == nil {
		if err := t.identities(l, clients); err != nil {
			return nil, fmt.Errorf("a fault of this program: the run contradicts itself: %w", err)
		}
	}
	return lost, nil
}

// shared is what all clients of the trial go by, for a load that begins now.
func (t *trial) shared(began time.Duration) *load {
	var backoff contention.Backoff
	if k, err := contention.Backoffs.Get(t.cell.Backoff); err == nil {
		backoff = k.New(time.Duration(t.cell.BackoffBaseNS), time.Duration(t.cell.BackoffCapNS))
	}
	l := &load{
		world: t.world, stop: t.Stop, strategy: t.kind.Strategy, workload: t.workload, dist: t.dist, bases: t.bases, tokens: t.kind.LeavesTokens(t.workload),
		retry:    contention.Retry{Backoff: backoff, MaxTries: t.cell.MaxTries},
		policy:   policyOf(t.cell, t.workload),
		decision: time.Duration(t.cell.DecisionNS), think: time.Duration(t.cell.ThinkNS),
		began: began, window: t.Plan.window(began),
	}
	if t.cell.Rate > 0 {
		l.arrivals = newArrivals(t.run.Seed, t.cell.Rate, t.burst, began, l.window)
	}
	if t.OneThread {
		l.perKey = make([]int64, t.cell.Keys)
	}
	switch {
	case t.Plan.Herd:
		l.each = 1
	case t.Plan.Ops > 0:
		l.opsLeft = new(atomic.Int64)
		l.opsLeft.Store(t.Plan.Ops)
	}
	return l
}

// fill enters what the clients have counted into the run.
func (t *trial) fill(l *load, clients []*client, lost error) {
	run := &t.run
	counted := t.shards.merge()
	counted.Fill(run)
	run.Whole.Commands = map[string]int64{}
	ended := l.window.from
	for _, c := range clients {
		c.meter.sum(run.Whole.Commands)
		run.Whole.RepliesLost = run.Whole.RepliesLost || c.meter.lost
		ended = max(ended, c.ended)
	}
	run.ElapsedNS = int64(min(ended, l.window.to) - l.window.from)
	switch {
	case Stopped(t.Stop):
		run.Partial = true
		run.Warn("interrupted")
	case lost == nil && l.each == 0 && (l.opsLeft == nil || l.opsLeft.Load() >= 0):
		run.ElapsedNS = int64(t.Plan.Duration) // time ended it, not the number of ops
	}
	run.Series = counted.Series(time.Duration(run.ElapsedNS))
	if l.arrivals != nil {
		run.Arrivals = l.arrivals.end(l.window.from + time.Duration(run.ElapsedNS))
	}
	if run.Attempts == 0 {
		run.Warn("no attempt ended in the measured window")
	}
}

// slack is how long after the window's end the last attempt may take: its script
// waits for those of all others.
func (t *trial) slack() time.Duration {
	clients := t.cell.Clients + t.cell.Bystanders
	return max(grace, time.Duration(clients)*turn) + time.Duration(clients)*time.Duration(t.cell.ScriptTimeNS) +
		time.Duration(t.cell.DecisionNS) + 10*time.Duration(t.cell.RTTNS)
}

// forever is the end of a window without one.
const forever = time.Duration(math.MaxInt64)

// window is the measured part of a load phase that begins at a time. A herd and
// a bounded number of ops are counted from the first, without a warm-up.
func (p *Plan) window(began time.Duration) window {
	switch {
	case p.Ops == 0 && !p.Herd:
		return window{from: began + p.Warmup, to: began + p.Warmup + p.Duration}
	case p.Duration > 0:
		return window{from: began, to: began + p.Duration}
	}
	return window{from: began, to: forever}
}
