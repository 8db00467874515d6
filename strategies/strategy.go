// Package strategies owns the ways of doing one attempt of a read-modify-write
// safely, and a few unsafe ones as controls. A strategy is straight-line code
// over a Session that can be held against the server's manual: it never loops,
// never waits before a retry, and knows nothing of clocks or recording.
//
// A strategy is one file that registers itself with its promises; conformance
// tests hold every strategy to them for every workload.
package strategies

import (
	"fmt"
	"slices"
	"time"

	"rmwbench/internal/registry"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/scripts"
	"rmwbench/workloads"
)

// All holds every strategy by name.
var All = registry.New[Kind]("strategy")

// Session is one client's conversation with a server.
type Session interface {
	// Exchange is one round trip: one write of the commands and the reading of
	// all their replies, which are the caller's until the next Exchange. An
	// error means that the replies are lost: the commands may or may not have
	// been executed.
	Exchange(cmds ...resp.Cmd) ([]resp.Reply, error)
	// Hold spends d of the client's time.
	Hold(d time.Duration)
}

// Strategy is one way of doing an op.
type Strategy interface {
	// Attempt tries the op once.
	Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome
}

// Verdict is what became of an attempt; results records it under this name.
type Verdict = results.Verdict

// The verdicts.
const (
	Committed = results.Committed
	Conflict  = results.Conflict
	Rejected  = results.Rejected
	Failed    = results.Failed
	Unknown   = results.Unknown
)

// Outcome is what an attempt came to.
type Outcome struct {
	Verdict Verdict
	Answer  string // what the op returned, for Committed and Rejected; for Conflict, what it would have
	Error   string // the error's whole text, class first, for Failed and Unknown
	Effect  workloads.Effect
	Notes   []Note // counted events; nil when nothing happened
}

// Class is the class of the outcome's error, or empty.
func (o Outcome) Class() string {
	if o.Error == "" {
		return ""
	}
	return resp.Fault(o.Error).Class()
}

// Note is an event worth counting that is no verdict.
type Note string

// Calls of what the server did not know, and was given then.
const (
	NoteNoScript   Note = "noscript"   // EVALSHA
	NoteNoFunction Note = "nofunction" // FCALL
)

// Facts is what a strategy may know of the server before it is used.
type Facts struct {
	Product  string // "redis", "valkey" or "miniredis"
	Version  string
	Embedded bool // the in-process server: shapes only
	NoIFEQ   bool // SET has no IFEQ
}

// before reports whether the server is older than a version. One that does not
// tell its version is not.
func (f Facts) before(major, minor int) bool {
	var have [2]int
	if n, _ := fmt.Sscanf(f.Version, "%d.%d", &have[0], &have[1]); n < 2 {
		return false
	}
	return have[0] < major || have[0] == major && have[1] < minor
}

// Shape is how much one attempt of an op reads and writes.
type Shape struct {
	ReadSteps int // exchanges of reads that depend on each other
	Reads     int // read commands in all
	Writes    int // write commands; 0 for a rejected op
	Steps     int // exchanges of the op as a sequence of steps; 0: it is none
}

// GroupBugs is the group of wrong loops found in real programs.
const GroupBugs = "bugs"

// Kind is a strategy with what it promises.
type Kind struct {
	Summary string
	// Group is a name that selects several strategies at once, or empty.
	Group string
	// Control marks a way that is wrong on purpose: it shows that the audit
	// sees lost updates, and takes no part in any verdict.
	Control bool
	// FailsOnly marks a control that costs failed ops and no updates.
	FailsOnly bool
	// OnRetry marks a control that is wrong only where an op is tried again after
	// an attempt that was applied.
	OnRetry bool
	// Tokens marks ways that leave each op's token behind, until it expires.
	Tokens bool
	// Watches marks optimistic transactions (WATCH ... EXEC).
	Watches bool
	// Locks marks ways that hold a lock meanwhile: a write by somebody who does
	// not take it goes unseen.
	Locks bool
	// Command marks the way that sends the workload's single command.
	Command bool
	// Scripts marks ways that run the workload's script on the server, and its
	// spinning variant for an op that spins.
	Scripts bool
	// Own lists the scripts of the strategy's own that it runs on the server.
	Own []scripts.Script
	// Keys lists the keys of the strategy's own for ops on a base, with the same
	// hash tag. nil: none.
	Keys func(base string) []string
	// Prepare is what a program does once, at its start. nil: nothing.
	Prepare func(w workloads.Workload) []resp.Cmd
	// Retries says that attempts can end in a conflict, so that back-off and
	// bounds on tries mean something.
	Retries bool
	// Exchanges is the promised number of exchanges of an attempt that meets
	// no error and no note.
	Exchanges func(shape Shape, v Verdict) int
	// Applies answers why the strategy cannot do the workload on such a
	// server, or empty if it can. nil means always.
	Applies  func(w workloads.Workload, f Facts) string
	Strategy Strategy
}

// NotApplicable is the reason why the kind cannot do the workload, or empty.
func (k Kind) NotApplicable(w workloads.Workload, f Facts) string {
	if _, shrinks := w.(workloads.Shrinking); shrinks && k.Watches && f.Embedded {
		return "the embedded server's WATCH does not see that one of several fields was deleted"
	}
	if group := workloads.GroupOf(w); group != "" && (k.Retries || k.Control) && !k.Tokens {
		return "its op looks at nothing first, so that there is nothing to protect"
	}
	if k.Applies == nil {
		return ""
	}
	return k.Applies(w, f)
}

// NotShared is the reason why clients that share a connection cannot do the
// kind's attempts, or empty.
func (k Kind) NotShared() string {
	if k.Watches {
		return "WATCH belongs to the connection, and everybody's EXEC would end everybody's WATCH"
	}
	return ""
}

// LeavesTokens reports whether the kind's ops on a workload leave tokens behind.
func (k Kind) LeavesTokens(w workloads.Workload) bool {
	_, tokened := w.(workloads.Tokened)
	return k.Tokens || tokened
}

// ScriptsFor lists the scripts that the kind runs on the server for a workload
// that it can do, with or without script time.
func (k Kind) ScriptsFor(w workloads.Workload, scriptTime bool) (all []scripts.Script) {
	if k.Scripts {
		script := w.(workloads.Scripted).Script()
		if k.Tokens {
			script = script.Once()
		}
		if scriptTime {
			script = script.Spinning()
		}
		all = append(all, script)
	}
	return append(all, k.Own...)
}

// KeysFor lists every key that the kind's ops on a base may touch.
func (k Kind) KeysFor(w workloads.Workload, base string) []string {
	keys := w.Keys(base)
	if k.Keys != nil {
		keys = slices.Concat(keys, k.Keys(base))
	}
	return keys
}

// Select resolves a strategy or group name to strategy names.
func Select(name string) ([]string, error) {
	var group []string
	for _, n := range All.Names() {
		if k, _ := All.Get(n); k.Group != "" && k.Group == name {
			group = append(group, n)
		}
	}
	if group != nil {
		return group, nil
	}
	if _, err := All.Get(name); err != nil {
		return nil, err
	}
	return []string{name}, nil
}
