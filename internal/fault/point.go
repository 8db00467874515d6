package fault

import (
	"fmt"

	"rmwbench/contention"
)

// Point is where an op is disturbed, and how.
type Point struct {
	Exchange int // of the op, from 1
	Fault    contention.Fault
	Restart  bool // the server is restarted before the exchange: RequestLost
	// Dies says that the client is lost for good. Otherwise it goes on as its
	// design says.
	Dies bool
	// Other says that another client does its op before this one goes on, Sweep
	// that a sweep looks.
	Other, Sweep bool
}

// String says where and how, in words.
func (p Point) String() string {
	var what string
	switch {
	case p.Fault.Kind == contention.NoFault:
		what = "delayed"
	case p.Restart:
		what = "server restarts before"
	case p.Fault.Kind == contention.RequestLost:
		what = "request lost"
	case p.Fault.Kind == contention.RequestCut:
		what = fmt.Sprintf("request cut after command %d", p.Fault.After)
	case p.Fault.Kind == contention.ReplyLost:
		what = "reply lost"
	}
	switch text := fmt.Sprintf("exchange %d: %s", p.Exchange, what); {
	case p.Dies:
		return text + ", client dies"
	case p.Other:
		return text + ", another client writes"
	case p.Sweep:
		return text + ", a sweep comes"
	default:
		return text
	}
}

// MarshalText is for JSON.
func (p Point) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// points lists every point of an op whose undisturbed attempt has exchanges of
// so many commands. swept says that a sweep may come between any two of them,
// restarts that the server can be restarted.
func points(commands []int, swept, restarts bool) (all []Point) {
	for i, n := range commands {
		if swept && i > 0 {
			all = append(all, Point{Exchange: i + 1, Sweep: true})
		}
		faults := []contention.Fault{{Kind: contention.RequestLost}}
		for after := 1; after < n; after++ {
			faults = append(faults, contention.Fault{Kind: contention.RequestCut, After: after})
		}
		faults = append(faults, contention.Fault{Kind: contention.ReplyLost})
		for _, f := range faults {
			p := Point{Exchange: i + 1, Fault: f}
			again, other, dies := p, p, p
			other.Other, other.Sweep, dies.Dies = !swept, swept, true
			all = append(all, again, other, dies)
		}
		if restarts {
			all = append(all, Point{Exchange: i + 1, Fault: contention.Fault{Kind: contention.RequestLost}, Restart: true})
		}
	}
	return all
}
