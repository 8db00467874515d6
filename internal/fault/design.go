// Package fault owns the failure matrix: what becomes of the stored state when
// one exchange of a client breaks, for every retry design at every point of its
// usual attempt. Points are enumerated, not sampled, and each is tried on a state
// of its own.
//
// A design is a way of doing an op and of going on when nobody knows whether it
// was done. The server undoes nothing and cannot be asked, so that a design
// makes its own promises; the matrix proves them or refutes them.
package fault

import (
	"time"

	"rmwbench/internal/registry"
	"rmwbench/internal/resp"
)

// Designs holds every retry design by name.
var Designs = registry.New[Design]("retry design")

// Design is a way of doing an op, and what its client does after a fault.
type Design struct {
	Group    string `json:"group"`
	Summary  string `json:"summary"`
	Strategy string `json:"strategy"`
	Workload string `json:"workload"`
	// ReadBack has the client look at the stored state after an attempt of
	// which it does not know; otherwise it tries again.
	ReadBack bool `json:"read_back"`
	// Token is how long the op's token lives; 0: an hour.
	Token time.Duration `json:"token_ns"`
	// Other is what another client does to a base between the fault and the next
	// attempt. nil: the design's next op.
	Other func(base string) []resp.Cmd `json:"-"`
	// Sweep repairs what was left behind, after the client is lost for good.
	Sweep *Sweep `json:"sweep"`
	// Promise is everything that the design does wrong at one point or another;
	// empty: it is retry-safe, and leaves nothing.
	Promise []Flaw `json:"promise"`
}

// Groups are the groups of designs, in the order in which they are told.
var Groups = []string{"accumulating", "converging", "reading back", "tried again", "with a token", "payload and pointer"}

// ByGroup lists all designs, group by group.
func ByGroup() (all []string) {
	for _, g := range Groups {
		all = append(all, Group(g)...)
	}
	return all
}

// Group lists the designs of a group; nil: there is no such group.
func Group(name string) (members []string) {
	for _, n := range Designs.Names() {
		if d, _ := Designs.Get(n); d.Group == name {
			members = append(members, n)
		}
	}
	return members
}

// Flaw is one thing that a design does wrong, in the words of a review.
type Flaw string

// The flaws.
const (
	Doubles     Flaw = "doubles"                     // an op is applied twice
	UnderCounts Flaw = "under-counts"                // an op is told to be done, and is not
	Overwrites  Flaw = "overwrites another's update" // that came in between
	Misreports  Flaw = "misreports"                  // an op is told to be rejected or failed, and was applied
	Drifts      Flaw = "deadline drifts"             // it is later than that of one attempt
	Halves      Flaw = "half done"                   // a part of an op is applied, for good
	Garbage     Flaw = "leaves garbage for ever"     // that nothing points to and nothing ends
	Temporary   Flaw = "leaves garbage for a while"  // that ends by itself
	Breaks      Flaw = "leaves a broken reference"   // a pointer to nothing
	BreaksLater Flaw = "breaks a reference later"    // whose payload ends before its pointer
	TokenStays  Flaw = "leaves a token that never ends"
)
