package results

import "fmt"

// The verdicts of an audit.
const (
	AuditExact   = "exact"   // stored state equals what was acknowledged
	AuditBounded = "bounded" // within acknowledged .. acknowledged + unknown
	AuditLost    = "lost"    // acknowledged effects are missing
	AuditExtra   = "extra"   // effects are stored that nobody was told of
	AuditBroken  = "broken"  // the stored state is not one the workload can have made
	AuditNone    = "none"    // the workload keeps no ledger, or the state could not be read
)

// Audit compares the stored state with what clients were told, after a trial.
// Counts are effects in the workload's own unit (updates for a counter with
// steps of one), summed over the keys.
type Audit struct {
	Verdict      string `json:"verdict"`
	Acknowledged int64  `json:"acknowledged"`
	Unknown      int64  `json:"unknown"`
	Stored       int64  `json:"stored"`
	Lost         int64  `json:"lost"`
	Extra        int64  `json:"extra"`
	Keys         int64  `json:"keys"`             // keys checked
	KeysWrong    int64  `json:"keys_wrong"`       // keys lost, extra or broken
	Detail       string `json:"detail,omitempty"` // what was found on the first broken key
}

// Tally adds one key whose effects can be counted: acknowledged, those that
// may or may not have been applied, and those found in the stored state.
func (a *Audit) Tally(acknowledged, unknown, stored int64) {
	a.Keys++
	a.Acknowledged += acknowledged
	a.Unknown += unknown
	a.Stored += stored
	switch {
	case stored < acknowledged:
		a.Lost += acknowledged - stored
		a.KeysWrong++
	case stored > acknowledged+unknown:
		a.Extra += stored - acknowledged - unknown
		a.KeysWrong++
	}
}

// Broke adds one key whose stored state the workload cannot have made.
func (a *Audit) Broke(acknowledged, unknown int64, detail string) {
	a.Keys++
	a.KeysWrong++
	a.Acknowledged += acknowledged
	a.Unknown += unknown
	if a.Detail == "" {
		a.Detail = detail
	}
}

// Settle sets the verdict from the counts, once all keys are in.
func (a *Audit) Settle() {
	switch {
	case a.Detail != "":
		a.Verdict = AuditBroken
	case a.Lost > 0:
		a.Verdict = AuditLost
	case a.Extra > 0:
		a.Verdict = AuditExtra
	case a.Unknown > 0:
		a.Verdict = AuditBounded
	default:
		a.Verdict = AuditExact
	}
}

// Void reports whether the figures of the trial may not be used.
func (a Audit) Void() bool {
	switch a.Verdict {
	case AuditLost, AuditExtra, AuditBroken:
		return true
	}
	return false
}

// String says in words what the audit found.
func (a Audit) String() string {
	switch a.Verdict {
	case AuditExact:
		return "exact"
	case AuditBounded:
		return fmt.Sprintf("bounded: %d acknowledged, %d unknown, %d stored", a.Acknowledged, a.Unknown, a.Stored)
	case AuditLost:
		s := fmt.Sprintf("%d of %d acknowledged updates lost", a.Lost, a.Acknowledged)
		if a.Extra > 0 {
			s += fmt.Sprintf(" and %d stored that nobody was told of", a.Extra)
		}
		return s
	case AuditExtra:
		return fmt.Sprintf("%d updates stored that nobody was told of (%d acknowledged)", a.Extra, a.Acknowledged)
	case AuditBroken:
		return "broken: " + a.Detail
	}
	return "not audited"
}
