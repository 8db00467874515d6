package calibrate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/profile"
	"rmwbench/internal/resp"
	"rmwbench/results"
)

// Pace is a load of pings: each client waits half of Wait, pings, and waits the
// other half. How long threads that sleep take to wake up depends on how many
// there are and how busy they are kept, so that the round trip of a ping on an
// idle connection is not that of a ping under a load.
type Pace struct {
	Clients int
	Wait    time.Duration
}

// Paced is what a pace came to.
type Paced struct {
	Exchange profile.Quantiles // a ping's round trip
	Late     profile.Quantiles // how much longer than asked for a wait lasted; nil without waits
}

// warmShare is the share of a pace that is not counted.
const warmShare = 0.2

// Measure keeps the pace for d on a world. Closing stop ends it early, with
// engine.ErrInterrupted.
func (p Pace) Measure(w engine.World, d time.Duration, stop <-chan struct{}) (Paced, error) {
	conns, err := dial(w, p.Clients)
	defer hangUp(conns)
	if err != nil {
		return Paced{}, err
	}
	began := w.Now()
	from, to := began+time.Duration(warmShare*float64(d)), began+d
	rounds := make([]pacer, p.Clients)
	procs := make([]func(), p.Clients)
	for i := range procs {
		procs[i] = func() { rounds[i].run(w, conns[i], strconv.Itoa(i), p.Wait/2, from, to) }
	}
	w.Run(procs...)
	if engine.Stopped(stop) { // waits ended early, and measured nothing
		return Paced{}, engine.ErrInterrupted
	}
	var all pacer
	var errs []error
	for _, r := range rounds {
		all.exchanges = append(all.exchanges, r.exchanges...)
		all.waits = append(all.waits, r.waits...)
		errs = append(errs, r.err)
	}
	paced := Paced{Exchange: quantiles(all.exchanges, 0)}
	if p.Wait > 0 {
		paced.Late = quantiles(all.waits, p.Wait/2)
	}
	return paced, errors.Join(errs...)
}

// dial connects clients; beside an error it answers those that it did connect.
func dial(w engine.World, clients int) (conns []engine.Conn, err error) {
	for i := range clients {
		conn, err := w.Dial(i)
		if err != nil {
			return conns, fmt.Errorf("connecting client %d of %d: %w", i+1, clients, err)
		}
		conns = append(conns, conn)
	}
	return conns, nil
}

func hangUp(conns []engine.Conn) {
	for _, c := range conns {
		c.Close()
	}
}

// pacer is one client of a pace, and what it saw.
type pacer struct {
	exchanges, waits []time.Duration
	err              error
}

// run goes on until a time, and counts from a time on, one round at least.
func (p *pacer) run(w engine.World, conn engine.Conn, key string, wait, from, to time.Duration) {
	session, err := conn.Session(key)
	if err != nil {
		p.err = err
		return
	}
	cmds := []resp.Cmd{ping("")}
	for p.exchanges == nil || w.Now() < to {
		start := w.Now()
		session.Hold(wait)
		sent := w.Now()
		if _, p.err = checked(session, cmds); p.err != nil {
			return
		}
		back := w.Now()
		session.Hold(wait)
		if end := w.Now(); start >= from || end >= to {
			p.exchanges = append(p.exchanges, back-sent)
			p.waits = append(p.waits, sent-start, end-back)
		}
	}
}

// quantiles is the distribution of what times take beyond a part of known
// length.
func quantiles(times []time.Duration, known time.Duration) (q profile.Quantiles) {
	if len(times) == 0 {
		return nil
	}
	slices.Sort(times)
	for _, share := range results.SpreadShares {
		at := times[int(share*float64(len(times)-1))]
		q = append(q, profile.Quantile{Share: share, NS: float64(max(at-known, 0))})
	}
	return q
}
