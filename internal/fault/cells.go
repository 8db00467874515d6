package fault

import (
	"slices"
	"strings"

	"rmwbench/contention"
)

// Disturbance is a kind of point: a column of the matrix.
type Disturbance string

// Disturbances are all of them, in the order in which they are told. A client
// goes on as its design says, but for one that dies.
var Disturbances = []Disturbance{requestLost, requestCut, replyLost, inBetween, clientDies, serverRestarts}

const (
	requestLost    Disturbance = "request lost"
	requestCut     Disturbance = "request cut"
	replyLost      Disturbance = "reply lost"
	inBetween      Disturbance = "another client in between"
	clientDies     Disturbance = "client dies"
	serverRestarts Disturbance = "server restarts"
)

// Disturbance says which kind a point is. One at which another client or a sweep
// comes in between, or at which the client dies, is of that kind, whatever broke.
func (p Point) Disturbance() Disturbance {
	switch {
	case p.Restart:
		return serverRestarts
	case p.Dies:
		return clientDies
	case p.Other, p.Sweep:
		return inBetween
	case p.Fault.Kind == contention.RequestLost:
		return requestLost
	case p.Fault.Kind == contention.RequestCut:
		return requestCut
	}
	return replyLost
}

// Weight is what a flaw means to who relies on the stored state.
type Weight uint8

// The weights.
const (
	Fine     Weight = iota
	ToKnow          // garbage, or a deadline: costs memory or time, and nobody reads what is wrong
	Corrupts        // what is stored, or what a client was told, is wrong
)

// briefs are all flaws in a word or two, the worst first.
var briefs = []struct {
	flaw   Flaw
	brief  string
	weight Weight
}{
	{Doubles, "applied twice", Corrupts},
	{UnderCounts, "not applied", Corrupts},
	{Overwrites, "overwrites", Corrupts},
	{Misreports, "misreports", Corrupts},
	{Halves, "half done", Corrupts},
	{Breaks, "broken reference", Corrupts},
	{BreaksLater, "breaks later", Corrupts},
	{Garbage, "garbage for ever", ToKnow},
	{Drifts, "deadline later", ToKnow},
	{TokenStays, "token for ever", ToKnow},
	{Temporary, "garbage", ToKnow}, // with its length
}

// Weigh is the weight of the worst of some flaws.
func Weigh(flaws []Flaw) Weight {
	for _, b := range briefs {
		if slices.Contains(flaws, b.flaw) {
			return b.weight
		}
	}
	return Fine
}

// Cell is what the design's cases of one kind came to: the worst flaw in a word
// or two, or how often the op was applied. Empty: there are no such cases.
func (v *Verdict) Cell(d Disturbance) (text string, weight Weight) {
	var cases []Case
	var flaws []Flaw
	for _, c := range v.Cases {
		if c.Point.Disturbance() == d {
			cases, flaws = append(cases, c), append(flaws, c.Flaws...)
		}
	}
	for _, b := range briefs {
		switch {
		case !slices.Contains(flaws, b.flaw):
		case b.flaw == Temporary:
			return b.brief + " " + seconds(longest(cases)), b.weight
		default:
			return b.brief, b.weight
		}
	}
	switch text = strings.Join(applied(cases), " or "); text {
	case string(AppliedOnce):
		return "once", Fine
	case string(AppliedNever):
		return "never", Fine
	}
	return text, Fine
}
