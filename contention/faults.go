package contention

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// FaultKind is how an exchange breaks. A broken exchange ends its connection, and the client gets no reply to any command
// of it.
type FaultKind uint8

const (
	NoFault     FaultKind = iota
	RequestLost           // before the request reached the server: nothing ran
	RequestCut            // within the request: the server ran the first commands
	ReplyLost             // after the server ran everything
)

var faultNames = [...]string{"none", "request-lost", "request-cut", "reply-lost"}

// String is the kind's name on the command line.
func (k FaultKind) String() string { return faultNames[k] }

// Fault is what becomes of one exchange. The zero Fault is none.
type Fault struct {
	Kind  FaultKind
	After int // commands of the request that ran, for RequestCut
}

// FaultShares are the shares of exchanges that break. The zero FaultShares is none.
type FaultShares struct {
	RequestLost, RequestCut, ReplyLost float64 // each at least 0, at most 1 together
}

// ParseFaults reads KIND=SHARE+..., the shares as percentages or fractions: "reply-lost=1%+request-lost=0.005".
func ParseFaults(s string) (f FaultShares, err error) {
	refused := fmt.Errorf("faults %q: must be KIND=SHARE or several of them with + in between, like reply-lost=1%%; "+
		"kinds are request-lost, request-cut and reply-lost, each once, shares above 0%% and at most 100%% together", s)
	for part := range strings.SplitSeq(s, "+") {
		name, text, both := strings.Cut(part, "=")
		text, percent := strings.CutSuffix(text, "%")
		if !both || strings.Trim(text, "0123456789.") != "" {
			return FaultShares{}, refused
		}
		if percent {
			text += "e-2" // exact, where dividing by 100 would round a second time
		}
		share, err := strconv.ParseFloat(text, 64)
		into := f.share(name)
		if err != nil || into == nil || *into != 0 || !(share > 0) {
			return FaultShares{}, refused
		}
		*into = share
	}
	if !(f.RequestLost+f.RequestCut+f.ReplyLost <= 1) {
		return FaultShares{}, refused
	}
	return f, nil
}

func (f *FaultShares) share(name string) *float64 {
	switch name {
	case RequestLost.String():
		return &f.RequestLost
	case RequestCut.String():
		return &f.RequestCut
	case ReplyLost.String():
		return &f.ReplyLost
	}
	return nil
}

// String writes f as "request-lost=0.5%+reply-lost=1%", from which ParseFaults reads exactly f. The zero FaultShares is "".
func (f FaultShares) String() string {
	var parts []string
	for _, k := range []FaultKind{RequestLost, RequestCut, ReplyLost} {
		if share := *f.share(k.String()); share > 0 {
			parts = append(parts, k.String()+"="+percentage(share))
		}
	}
	return strings.Join(parts, "+")
}

// Draw says what becomes of an exchange of so many commands. A request of one command cannot be cut within: it is lost or
// arrives. It draws the same number of times whatever comes of it.
func (f FaultShares) Draw(commands int, rng *rand.Rand) Fault {
	u, after := rng.Float64(), 0
	if f.RequestCut > 0 {
		after = rng.IntN(max(commands, 1))
	}
	switch {
	case u < f.RequestLost:
		return Fault{Kind: RequestLost}
	case u < f.RequestLost+f.ReplyLost:
		return Fault{Kind: ReplyLost}
	case u < f.RequestLost+f.ReplyLost+f.RequestCut:
		if after == 0 {
			return Fault{Kind: RequestLost}
		}
		return Fault{Kind: RequestCut, After: after}
	}
	return Fault{}
}
