// Package gates holds the simulator to account: against queueing theory in
// stronger forms than the product uses, against figures of an independent
// simulation, and against the one public simulation of optimistic concurrency
// with back-off. It has only tests. Times are in microseconds unless said.
//
// The plain tests run a part of the grid. All of it, for some minutes:
//
//	go test ./internal/gates -gates.full -v -timeout 30m
package gates
