package model

import "math"

// Loop is what one attempt of an optimistic loop takes when it is alone.
type Loop struct {
	Attempt float64 // A: the whole cycle of an attempt, in seconds
	Window  float64 // W: from the serving of WATCH to the serving of EXEC, in seconds
}

// LoopOf derives the window of a loop from what one client alone measures: the
// mean length of an attempt, the decision time in it, both in seconds, and the
// number of exchanges. With exchanges of equal length x, an attempt is
// exchanges*x + decision, and the window, which begins when the first exchange
// is served and ends when the last one is, is (exchanges-1)*x + decision.
func LoopOf(attempt, decision float64, exchanges float64) Loop {
	x := (attempt - decision) / exchanges
	return Loop{Attempt: attempt, Window: attempt - x}
}

// LinearRange is the conflict probability up to which the linear law may be
// believed (a mean error of 3.4 % of the goodput against simulation over its
// whole grid, and far more beyond).
const LinearRange = 0.3

// Prediction is what a law says of a closed loop without back-off.
type Prediction struct {
	Goodput  float64 // commits per second
	Attempts float64 // per commit
	P        float64 // conflicts per attempt
	InRange  bool    // the law may be believed
}

// Linear is the linear law of conflicts (M4): an attempt on key k fails with
// p_k = q_k X f W, where X is the goodput, q_k the key's share of it and
// f = (C-1)/C the share of the others. X is the one value for which all
// clients are busy, sum_k q_k X A / (1 - q_k X f W) = C, found by bisection in
// (0, 1/(q_1 f W)). On one key, attempts are 1 + (C-1) W/A: linear in the
// clients.
func Linear(keys Keys, clients float64, loop Loop) Prediction {
	others := (clients - 1) / clients
	busy := func(x float64) float64 {
		sum := 0.0
		for _, k := range keys {
			sum += float64(k.N) * k.Mass * x * loop.Attempt / (1 - k.Mass*x*others*loop.Window)
		}
		return sum
	}
	low, high := 0.0, clients/loop.Attempt
	if limit := keys[0].Mass * others * loop.Window; limit > 0 {
		high = min(high, 1/limit)
	}
	for range 200 {
		mid := (low + high) / 2
		if b := busy(mid); b < clients && b >= 0 {
			low = mid
		} else {
			high = mid
		}
	}
	x := (low + high) / 2
	attempts := 0.0
	for _, k := range keys {
		attempts += float64(k.N) * k.Mass / (1 - k.Mass*x*others*loop.Window)
	}
	p := 1 - 1/attempts
	return Prediction{Goodput: x, Attempts: attempts, P: p, InRange: p <= LinearRange}
}

// Geometric is the share of ops that need more than n attempts if every
// attempt fails with probability p on its own.
func Geometric(p float64, n int) float64 { return math.Pow(p, float64(n)) }

// AttemptsAt is the mean number of attempts per success if every attempt fails
// with probability p on its own: 1/(1-p).
func AttemptsAt(p float64) float64 { return 1 / (1 - p) }
