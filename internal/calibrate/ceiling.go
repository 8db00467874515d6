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

// Each number of clients pings for some slices of time, in rounds with the other
// numbers. More numbers than a line holds are thinned out.
const (
	ceilings      = 6
	ceilingRounds = 4
	ceilingSlice  = 50 * time.Millisecond
)

// Ceilings measures what clients manage that do nothing but PING, over the
// connections that a load uses: at each number of clients or, where there are
// many, at the fewest, the most and some between. It is the best of several
// slices, as what a busy moment of the machine allows is no ceiling. Numbers
// without any ping, as of a server that is too far away, are left out. Closing
// stop ends it early, with engine.ErrInterrupted.
func Ceilings(w engine.World, clients []int, stop <-chan struct{}) (all []results.Pings, err error) {
	clients = thinned(clients)
	conns, err := dial(w, clients[len(clients)-1])
	defer hangUp(conns)
	if err != nil {
		return nil, err
	}
	best := make([]results.Pings, len(clients))
	for range ceilingRounds {
		for i, n := range clients {
			p, err := pings(w, conns[:n], ceilingSlice, stop)
			if err != nil {
				return nil, err
			}
			if p.PerSecond > best[i].PerSecond {
				best[i] = p
			}
		}
	}
	return slices.DeleteFunc(best, func(p results.Pings) bool { return p.PerSecond == 0 }), nil
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

// pings has clients ping for d, of which the beginning is not counted.
func pings(w engine.World, conns []engine.Conn, d time.Duration, stop <-chan struct{}) (p results.Pings, err error) {
	began := w.Now()
	from, to := began+time.Duration(warmShare*float64(d)), began+d
	times, errs := make([][]time.Duration, len(conns)), make([]error, len(conns))
	procs := make([]func(), len(conns))
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
	all := slices.Concat(times...)
	slices.Sort(all)
	p = results.Pings{Clients: len(conns), PerSecond: float64(len(all)) / (to - from).Seconds()}
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
