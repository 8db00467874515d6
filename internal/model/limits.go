package model

// The limit laws hold whatever the details: no simulation or measurement of a
// closed loop may lie above them. Times are in seconds, rates per second.

// ClientLimit (L1): each of the clients is busy with an attempt at least.
func ClientLimit(clients int, attempt float64) float64 { return float64(clients) / attempt }

// ServerLimit (L2): each op takes that much of the server's only thread. A
// script of d seconds caps its server near 1/d.
func ServerLimit(service float64) float64 { return 1 / service }

// HotKeyLimit (L3): commits on a key follow each other at the distance of the
// shortest window at least, and the hottest key takes that share of all.
func HotKeyLimit(mass, shortestWindow float64) float64 { return 1 / (mass * shortestWindow) }

// Collapse (L4) is the goodput of an optimistic loop on one key past the
// server's knee: every client's attempt costs the server its service, and half
// of a round of all of them passes between two commits.
func Collapse(clients int, service, decision float64) float64 {
	return 1 / ((service*float64(clients)+decision)/2 + service)
}

// WatchBeatsScript (L6) says whether, with many clients, an optimistic loop
// commits more than a script of the same decision: the keys spread the ops
// further than the window of an attempt exceeds a script's service, and the
// decision is long enough to pay for four commands more. command is the service
// of one command.
func WatchBeatsScript(hottest, roundTrip, decision, command float64) bool {
	return 1/hottest > (roundTrip+decision+3*command)/(command+decision) && decision > 4*command
}

// Crossing is the decision from which on WatchBeatsScript holds, L6 solved for
// it: the larger of (R + 3s - s/q_1) / (1/q_1 - 1) and 4s. ok is false on one
// key, where it never does.
func Crossing(hottest, roundTrip, command float64) (decision float64, ok bool) {
	spread := 1 / hottest
	if spread <= 1 {
		return 0, false
	}
	return max((roundTrip+3*command-spread*command)/(spread-1), 4*command), true
}

// BystanderLimit is the rate that closed-loop readers get together beside
// clients that keep the server busy with scripts: between two scripts the event
// loop serves every connection that is ready once, so that a reader gets one
// turn for each round of the scripts.
func BystanderLimit(readers, scriptClients int, script float64) float64 {
	return float64(readers) / (float64(scriptClients) * script)
}

// LoadNumber is the rate of ops on the hottest key times the window in which
// another success kills an attempt: p on that key is about as large while it is
// small, and near 0.5 an op needs about one retry.
func LoadNumber(rate, hottest, window float64) float64 { return rate * hottest * window }
