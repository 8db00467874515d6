package claims

import (
	"time"

	"rmwbench/internal/resp"
)

// Server is one that claims are checked on.
type Server interface {
	// Dial opens a connection.
	Dial() (Conn, error)
	// Run starts the procs together and returns when all have ended.
	Run(procs ...func())
}

// Conn is one connection. Once lost it stays lost. It is used by one proc at a
// time, except for Cut.
type Conn interface {
	// Exchange writes all commands at once and reads all replies, which are
	// valid until the next exchange.
	Exchange(cmds ...resp.Cmd) ([]resp.Reply, error)
	// Hold waits.
	Hold(d time.Duration)
	// Cut breaks the connection under whoever uses it.
	Cut()
	Close()
}

// Lab starts throw-away servers like the one that the claims are about.
type Lab interface {
	// Start starts one with settings in the form of a server's command line.
	Start(settings ...string) (Throwaway, error)
	// Port is a TCP port that is free at this moment.
	Port() (int, error)
}

// Throwaway is a server that was started for a check.
type Throwaway interface {
	Server
	// Restart ends it as a crash would, if it still runs, and starts it again
	// on what it has persisted. Connections from before are lost.
	Restart() error
	Stop() error
}
