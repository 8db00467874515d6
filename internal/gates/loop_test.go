package gates

import "rmwbench/internal/model"

// The reference system: all points of the reference simulation have these.
const (
	roundTrip = 200.0 // R, mean time on the network of one exchange
	command   = 2.0   // s, the server's time for one command
	spread    = 50.0  // theta, the exponential part of one way; the other half is fixed
)

// loop is one kind of optimistic transaction, alone in the reference system.
type loop struct {
	exchanges float64
	commands  float64 // of one attempt, each s of the server's time
	c2        float64 // squared coefficient of variation of one exchange's service
	inWindow  float64 // commands served within the window
}

var (
	// WATCH GET / MULTI SET EXEC: services of 2s and 3s.
	pipelined = loop{exchanges: 2, commands: 5, c2: 0.04, inWindow: 3}
	// WATCH / GET / MULTI SET EXEC: services of s, s and 3s.
	plain = loop{exchanges: 3, commands: 5, c2: 0.32, inWindow: 4}
)

// wait is w, the mean wait in the server's queue per exchange, by mean value
// analysis. rest is the time per attempt, besides the network, that a client
// spends away from the server: decision and back-off.
func (l loop) wait(clients int, rest float64) float64 {
	return model.Queue(clients, roundTrip+rest/l.exchanges, command*l.commands/l.exchanges, l.c2).Wait
}

// attempt is A, the mean length of one attempt.
func (l loop) attempt(decision, wait float64) float64 {
	return l.exchanges*(roundTrip+wait) + decision + l.commands*command
}

// window is the time from serving WATCH to serving EXEC: the ways between them
// are all but the first and the last.
func (l loop) window(decision, wait float64) window {
	between := l.exchanges - 1
	ways := 2 * between
	return window{
		fixed: between*(roundTrip+wait) - ways*spread + decision + l.inWindow*command,
		ways:  int(ways),
	}
}
