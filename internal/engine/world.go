// Package engine owns the experiment: the plan and its grid, the client loop,
// the phases of a trial, retries and their limits, and the audit. It is written
// once over a World, so that live and simulated runs count the same things in
// the same way. It has no clock and no connection of its own.
package engine

import (
	"time"

	"rmwbench/results"
	"rmwbench/strategies"
)

// World supplies time and connections.
type World interface {
	// Now is the time since the world began.
	Now() time.Duration
	// Dial connects a client, or a bystander by a number beyond the clients';
	// Control is the engine's own.
	Dial(client int) (Conn, error)
	// Run starts the procs together and returns when all have ended. Sessions
	// are used inside procs only.
	Run(procs ...func())
	// Alarm calls f after d unless cancel is called first.
	Alarm(d time.Duration, f func()) (cancel func())
}

// Control is the client number of the engine's own connection, which prepares,
// audits and cleans and carries no load.
const Control = -1

// Conn is one client's way to the server. It is used by one proc at a time,
// except for Cut.
type Conn interface {
	// Session is the live session for an op on the key: the one from before,
	// or a fresh one after a loss.
	Session(key string) (strategies.Session, error)
	// Cut breaks the connection under whoever uses it, for good.
	Cut()
	// Drop breaks it as a network does: what the server kept of it is gone, and
	// the next Session is a fresh one. Its user calls it, between exchanges.
	Drop()
	// Close ends it.
	Close()
}

// Witness is a world whose server and process keep counters of their own.
type Witness interface {
	Snapshot() (Snapshot, error)
}

// Weigher is a world whose server tells how much memory it uses.
type Weigher interface {
	// Memory is in bytes, without the buffers of clients; nil if the server does
	// not say.
	Memory() (*int64, error)
}

// Snapshot is the state of the counters at one time.
type Snapshot struct {
	Commands  map[string]results.CommandStats // nil if the server does not say
	ServerCPU *time.Duration                  // nil if the server does not say
	ClientCPU time.Duration                   // of this process
	Cores     int                             // that this process may use at a time
	Hosts     bool                            // the server runs in this process too
}
