package calibrate

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/results"
)

// The pings of all numbers of clients together may take so long, and those of
// one number at most. More numbers than a line holds are thinned out.
const (
	ceilingTime = 1800 * time.Millisecond
	mostCeiling = 300 * time.Millisecond
	ceilings    = 6
)

// Ceilings measures what clients manage that do nothing but PING, over the
// connections that a load uses: at each number of clients or, where there are
// many, at the fewest, the most and some between. No rate that a world measures
// can be much higher. Closing stop ends it early, with engine.ErrInterrupted.
func Ceilings(w engine.World, clients []int, stop <-chan struct{}) (all []results.Pings, err error) {
	clients = thinned(clients)
	each := min(ceilingTime/time.Duration(len(clients)), mostCeiling)
	for _, n := range clients {
		p, err := ceiling(w, n, each, stop)
		if err != nil {
			return nil, err
		}
		if p.PerSecond > 0 { // else the server is too far away
			all = append(all, p)
		}
	}
	return all, nil
}

// thinned are the numbers in ascending order, or the two ends and some evenly
// between.
func thinned(clients []int) []int {
	all := slices.Compact(slices.Sorted(slices.Values(clients)))
	if len(all) <= ceilings {
		return all
	}
	few := make([]int, ceilings)
	for i := range few {
		few[i] = all[i*(len(all)-1)/(ceilings-1)]
	}
	return few
}

// ceiling has clients ping for d, of which the beginning is not counted.
func ceiling(w engine.World, clients int, d time.Duration, stop <-chan struct{}) (p results.Pings, err error) {
	conns, err := dial(w, clients)
	defer hangUp(conns)
	if err != nil {
		return p, err
	}
	began := w.Now()
	from, to := began+time.Duration(warmShare*float64(d)), began+d
	times, errs := make([][]time.Duration, clients), make([]error, clients)
	procs := make([]func(), clients)
	for i := range procs {
		procs[i] = func() { times[i], errs[i] = pinged(w, conns[i], strconv.Itoa(i), from, to, stop) }
	}
	w.Run(procs...)
	if engine.Stopped(stop) {
		return p, engine.ErrInterrupted
	}
	if err := errors.Join(errs...); err != nil {
		return p, err
	}
	all := slices.Sorted(slices.Values(slices.Concat(times...)))
	p = results.Pings{Clients: clients, PerSecond: float64(len(all)) / (to - from).Seconds()}
	if len(all) > 0 {
		p.P50NS, p.P99NS = int64(all[len(all)/2]), int64(all[len(all)*99/100])
	}
	return p, nil
}

// pinged are the round trips of one client in a closed loop that ended in a
// window.
func pinged(w engine.World, conn engine.Conn, key string, from, to time.Duration, stop <-chan struct{}) (times []time.Duration, err error) {
	session, err := conn.Session(key)
	if err != nil {
		return nil, err
	}
	cmds := []resp.Cmd{ping("")}
	for sent := w.Now(); sent < to && !engine.Stopped(stop); {
		if _, err := checked(session, cmds); err != nil {
			return nil, err
		}
		back := w.Now()
		if back >= from && back < to {
			times = append(times, back-sent)
		}
		sent = back
	}
	return times, nil
}
