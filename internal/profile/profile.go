// Package profile owns what a server and the way to it cost: the few numbers
// that a simulation needs, measured on a real server, in a file that a person
// can read and edit.
package profile

import "rmwbench/results"

// Schema is the number of the file format that this package writes.
const Schema = 1

// Profile is what was measured on one server, over one network.
type Profile struct {
	Schema   int              `json:"profile"`
	Name     string           `json:"name"`     // what it was measured on
	Measured string           `json:"measured"` // day, as in 2006-01-02; empty for one that was made up
	Product  string           `json:"product"`  // redis, valkey
	Version  string           `json:"version"`
	Server   Server           `json:"server"`
	Network  Network          `json:"network"`
	Client   Client           `json:"client"`
	Checked  *results.Checked `json:"checked"` // how far its predictions can be believed; null: not known
}

// Server is the time of the server's only thread, in nanoseconds.
type Server struct {
	ExchangeNS float64            `json:"exchange_ns"` // each exchange, whatever is in it
	CommandNS  float64            `json:"command_ns"`  // each command that is not named below
	CommandsNS map[string]float64 `json:"commands_ns"` // by name; EVALSHA is the call alone, without what the script calls
	NestedNS   float64            `json:"nested_ns"`   // each command that a script calls
	// Rounds says that the server works in rounds, as the event loop of Redis and
	// Valkey does: all requests that are there when a round begins, and their
	// replies leave together when it ends. It shows where scripts take their time.
	Rounds bool `json:"rounds"`
}

// Command is the time of one command that a client sends.
func (s Server) Command(name string) float64 {
	if ns, ok := s.CommandsNS[name]; ok {
		return ns
	}
	return s.CommandNS
}

// Network is the way between a client and the server.
type Network struct {
	BaseNS Quantiles `json:"base_ns"` // a round trip on an idle connection, without the server's time
	Jitter Jitter    `json:"jitter"`  // of an injected delay
}

// Client is the time of the load generator's own cores. It matters only where
// they are shared with the server.
type Client struct {
	ExchangeNS float64 `json:"exchange_ns"` // each exchange
	HoldNS     float64 `json:"hold_ns"`     // each wait: a decision, one way of an injected delay
	Cores      int     `json:"cores"`
	// LateNS is how much longer than asked for a wait of one client alone lasts.
	LateNS Quantiles `json:"late_ns"`
}
