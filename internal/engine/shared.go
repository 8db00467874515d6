package engine

import (
	"fmt"

	"rmwbench/results"
)

// Sharer is a world whose clients can share one connection. Shared answers the
// world in which those that are dialed, one after the other and closed in the
// same way, do. Cutting one cuts all.
type Sharer interface {
	Shared() World
}

// withConn is the world in which clients have the connections that a cell asks
// for.
func withConn(w World, conn string) (World, error) {
	if conn != results.ConnShared {
		return w, nil
	}
	s, ok := w.(Sharer)
	if !ok {
		return nil, fmt.Errorf("--conn %s: clients of this world cannot share a connection", conn)
	}
	return s.Shared(), nil
}
