package gates

import (
	"math"

	"rmwbench/internal/model"
)

// The full-jitter back-off of the reference points: U(0, min(cap, base 2^n))
// after n failures.
const (
	backoffBase = 50.0
	backoffCap  = 10_000.0
)

// meanBackoff is b(p), the mean back-off per failure where every attempt fails
// with probability p on its own: (1-p) sum_{n>=1} p^(n-1) E[back-off n].
func meanBackoff(p float64) float64 {
	sum, still := 0.0, 1.0 // still: p^(n-1)
	v := 2 * backoffBase
	for ; v < backoffCap; v *= 2 {
		sum += (1 - p) * still * v / 2
		still *= p
	}
	return sum + still*backoffCap/2
}

// meanField is M8: optimistic transactions with full jitter, where the winner
// returns first. Commits on key k come at rate x = q_k X, and attempts of
// others begin there at rate lb = x p/(1-p), whatever the state of the key:
//
//	1/x = q_k integral_0^A exp(-lb G(t)) dt + (1-q_k) integral_0^inf exp(-(lb+x) G(t)) dt
//
// gives p for an X, and X is the one for which all clients are busy,
//
//	sum_k x/(1-p) (A + p b(p)) = C.
//
// The wait at the server is the one for which it and the rest that the wait
// leads to agree.
func meanField(keys model.Keys, clients int, decision float64, l loop) prediction {
	if clients == 1 { // nobody else is in the field
		return prediction{goodput: 1e6 / l.attempt(decision, 0)}
	}
	var f field
	wait := root(func(w float64) float64 {
		f = fieldAt(keys, clients, decision, l, w)
		return l.wait(clients, decision+f.rest) - w
	}, 0, l.wait(clients, decision)+1e-3, 1e-3)
	f = fieldAt(keys, clients, decision, l, wait)
	return predict(f.x, f.attempts)
}

// field is the mean field at one wait in the server's queue.
type field struct {
	x        float64 // commits per microsecond
	attempts float64 // per commit
	rest     float64 // back-off per attempt
}

func fieldAt(keys model.Keys, clients int, decision float64, l loop, wait float64) (f field) {
	a := l.attempt(decision, wait)
	w := l.window(decision, wait)
	i := newIntegrals(w, a)
	busy := func(x float64) (clients float64) { // that x commits keep
		f = field{x: x}
		rates := 0.0
		for _, k := range keys {
			own := k.Mass * x
			p := i.conflict(k.Mass, own)
			rate := float64(k.N) * own / (1 - p)
			rates += rate
			f.rest += rate * p * meanBackoff(p)
		}
		clients = rates*a + f.rest
		f.attempts = rates / x
		f.rest /= rates
		return clients
	}
	// Nearly straight from the rate of clients that never conflict to the rate
	// at which the hottest key's window allows no more.
	excess := func(x float64) float64 { return x * (1 - float64(clients)/busy(x)) }
	limit := min(float64(clients)/a, 1/(keys[0].Mass*w.fixed))
	busy(root(excess, limit*1e-6, limit, limit*1e-9))
	return f
}

// integrals are the two of the mean field, for one window and attempt.
type integrals struct {
	w                   window
	a                   float64
	g, weight           []float64 // up to the bend
	gShort, weightShort []float64 // up to the attempt, where that is shorter
}

func newIntegrals(w window, a float64) *integrals {
	i := &integrals{w: w, a: a}
	i.g, i.weight = w.nodes(w.fixed + bend*spread)
	i.gShort, i.weightShort = w.nodes(min(a, w.fixed+bend*spread))
	return i
}

// attempt is integral_0^A exp(-rate G).
func (i *integrals) attempt(rate float64) float64 {
	sum := i.w.fixed
	for n, g := range i.gShort {
		sum += i.weightShort[n] * math.Exp(-rate*g)
	}
	if straight := i.a - i.w.fixed - bend*spread; straight > 0 {
		from := math.Exp(-rate * i.gShort[len(i.gShort)-1])
		if rate*straight < 1e-12 {
			return sum + straight
		}
		sum += from * -math.Expm1(-rate*straight) / rate
	}
	return sum
}

// endless is integral_0^inf exp(-rate G).
func (i *integrals) endless(rate float64) float64 {
	sum := i.w.fixed
	for n, g := range i.g {
		sum += i.weight[n] * math.Exp(-rate*g)
	}
	return sum + math.Exp(-rate*i.g[len(i.g)-1])/rate
}

// conflict is p of a key with popularity q and x commits per microsecond: 0
// where even without others the field would allow more commits than that, 1
// where no window is short enough.
func (i *integrals) conflict(q, x float64) float64 {
	excess := func(lb float64) float64 { return 1/(q*i.attempt(lb)+(1-q)*i.endless(lb+x)) - x }
	if excess(0) >= 0 {
		return 0
	}
	high := x
	for excess(high) < 0 {
		if high *= 4; high > 1e6 {
			return 1
		}
	}
	lb := root(excess, 0, high, 1e-9*x)
	return lb / (lb + x)
}

// root is where a function changes its sign between low and high, within a
// tolerance, by Ridders' method. Where the sign does not change, it is the end
// at which the function is nearer to 0.
func root(f func(float64) float64, low, high, tolerance float64) float64 {
	atLow, atHigh := f(low), f(high)
	if atLow*atHigh >= 0 {
		if math.Abs(atLow) < math.Abs(atHigh) {
			return low
		}
		return high
	}
	last := math.Inf(1)
	for {
		mid := (low + high) / 2
		atMid := f(mid)
		x := mid + (mid-low)*math.Copysign(atMid, atMid*(atLow-atHigh))/math.Sqrt(atMid*atMid-atLow*atHigh)
		if math.Abs(x-last) <= tolerance || high-low <= tolerance {
			return x
		}
		last = x
		atX := f(x)
		switch {
		case atX == 0:
			return x
		case atMid*atX < 0:
			low, atLow, high, atHigh = mid, atMid, x, atX
			if low > high {
				low, atLow, high, atHigh = high, atHigh, low, atLow
			}
		case atLow*atX < 0:
			high, atHigh = x, atX
		default:
			low, atLow = x, atX
		}
	}
}
