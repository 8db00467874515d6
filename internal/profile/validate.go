package profile

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Validate names every fault, one a line.
func (p *Profile) Validate() error {
	var f faults
	if p.Schema != Schema {
		f.add("%v", unknownSchema(p.Schema))
	}
	if p.Measured != "" {
		if _, err := time.Parse(time.DateOnly, p.Measured); err != nil {
			f.add("measured is %q: it should be a day such as 2006-01-02, or empty", p.Measured)
		}
	}
	f.duration("server.exchange_ns", p.Server.ExchangeNS)
	f.duration("server.command_ns", p.Server.CommandNS)
	for _, name := range slices.Sorted(maps.Keys(p.Server.CommandsNS)) {
		f.duration("server.commands_ns."+name, p.Server.CommandsNS[name])
		if name == "" || name != strings.ToUpper(name) {
			f.add("server.commands_ns.%s: names of commands are in capitals", name)
		}
	}
	f.duration("server.nested_ns", p.Server.NestedNS)
	f.quantiles("network.base_ns", p.Network.BaseNS)
	f.jitter("network.jitter", p.Network.Jitter)
	f.duration("client.exchange_ns", p.Client.ExchangeNS)
	f.duration("client.hold_ns", p.Client.HoldNS)
	f.quantiles("client.late_ns", p.Client.LateNS)
	if c := p.Checked; c != nil && (c.Cells < 1 || c.Clients < 1 || !finite(c.Goodput) || c.Goodput < 0 || !finite(c.P) || c.P < 0) {
		f.add("checked holds %d cells, %d clients and errors of %v and %v: none of them should be negative, and there should be cells and clients",
			c.Cells, c.Clients, c.Goodput, c.P)
	}
	if p.Client.Cores < 0 {
		f.add("client.cores is %d: it should be 0 or more", p.Client.Cores)
	}
	return errors.Join(f...)
}

// mostNS bounds every time in a profile: a minute.
const mostNS = 60e9

type faults []error

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }

func (f *faults) duration(name string, ns float64) {
	if !(ns >= 0 && ns <= mostNS) {
		f.add("%s is %v: it should be 0 to %.0f nanoseconds", name, ns, mostNS)
	}
}

func (f *faults) quantiles(name string, q Quantiles) {
	for i, point := range q {
		f.duration(fmt.Sprintf("%s: point %d", name, i+1), point.NS)
		switch {
		case !(point.Share >= 0 && point.Share <= 1):
			f.add("%s: share %d is %v: it should be 0 to 1", name, i+1, point.Share)
		case i > 0 && point.Share <= q[i-1].Share:
			f.add("%s: share %v does not lie above share %v before it", name, point.Share, q[i-1].Share)
		case i > 0 && point.NS < q[i-1].NS:
			f.add("%s: %v ns at share %v lie below %v ns before them", name, point.NS, point.Share, q[i-1].NS)
		}
	}
	if n := len(q); n > 1 && (q[0].Share != 0 || q[n-1].Share != 1) {
		f.add("%s: the shares go from %v to %v: they should go from 0 to 1", name, q[0].Share, q[n-1].Share)
	}
}

func (f *faults) jitter(name string, j Jitter) {
	if shapes := []Shape{ShapeConstant, ShapeExponential, ShapeNormal}; !slices.Contains(shapes, j.Shape) {
		f.add("%s.shape is %q: it should be one of %q", name, j.Shape, shapes)
	}
	if !(j.Share >= 0 && j.Share <= 1) {
		f.add("%s.share is %v: it should be 0 to 1", name, j.Share)
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
