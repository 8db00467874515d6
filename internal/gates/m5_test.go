package gates

import (
	"math"

	"rmwbench/contention"
	"rmwbench/internal/model"
)

// prediction is what an oracle says of a point.
type prediction struct {
	goodput float64 // X, commits per second
	p       float64 // conflicts per attempt
}

// predict makes a prediction of commits per microsecond and attempts per
// commit.
func predict(x, attempts float64) prediction { return prediction{x * 1e6, 1 - 1/attempts} }

// firstCompletion is M5: optimistic transactions without back-off. After a
// success every running attempt on the key is dead; the next success is the
// earliest end among the attempts begun since. With n clients on a key,
//
//	E[T_n] = integral_0^A (1 - G(x)/A)^(n-1) dx
//
// is the mean time between successes, so that a key is a station that serves
// at rate 1/E[T_n]. The keys form a closed product-form network with the
// popularities q_k as visit ratios, whose throughput is a ratio of normalising
// constants, X = N(C-1)/N(C), by convolution over keys. The wait at the server
// does not depend on it: without back-off clients rest for the decision alone.
func firstCompletion(keys model.Keys, clients int, decision float64, l loop) prediction {
	w := l.wait(clients, decision)
	a := l.attempt(decision, w)
	between := timesBetween(l.window(decision, w), a, clients)
	x := throughput(keys, clients, between, model.Linear(keys, float64(clients), model.Loop{
		Attempt: a, Window: l.window(decision, w).mean(),
	}).Goodput)
	return predict(x, float64(clients)/(a*x))
}

// timesBetween is E[T_n] for n = 1..clients (index n).
func timesBetween(w window, attempt float64, clients int) []float64 {
	curved := min(attempt, w.fixed+bend*spread)
	g, weight := w.nodes(curved)
	times := make([]float64, clients+1)
	for n := 1; n <= clients; n++ {
		times[n] = w.fixed
		for i := range g {
			times[n] += weight[i]
			weight[i] *= 1 - g[i]/attempt
		}
		// Behind the bend G is straight, and the integral elementary.
		from, to := 1-w.g(curved)/attempt, 1-w.g(attempt)/attempt
		times[n] += attempt / float64(n) * (math.Pow(from, float64(n)) - math.Pow(to, float64(n)))
	}
	return times
}

// throughput is that of the closed network of keys, by convolution. guess, near
// the throughput, scales the popularities: with it and a normalisation after
// each key nothing overflows.
func throughput(keys model.Keys, clients int, between []float64, guess float64) float64 {
	norm := make([]float64, clients+1) // of the keys so far: N(n) guess^n, but for a factor
	norm[0] = 1
	for _, k := range keys {
		station := make([]float64, clients+1)
		station[0] = 1
		for n := 1; n <= clients; n++ {
			station[n] = station[n-1] * k.Mass * guess * between[n]
		}
		normalise(station)
		for n := k.N; n > 0; n >>= 1 { // station to the power of N, by squaring
			if n&1 == 1 {
				norm = convolve(norm, station)
			}
			if n > 1 {
				station = convolve(station, station)
			}
		}
	}
	return guess * norm[clients-1] / norm[clients]
}

func convolve(a, b []float64) []float64 {
	c := make([]float64, len(a))
	for i, x := range a {
		if x == 0 {
			continue
		}
		for j, y := range b[:len(b)-i] {
			c[i+j] += x * y
		}
	}
	normalise(c)
	return c
}

func normalise(a []float64) {
	top := 0.0
	for _, x := range a {
		top = max(top, x)
	}
	for i := range a {
		a[i] /= top
	}
}

// keysOf groups the keys of a Zipf distribution; skew 0 is uniform.
func keysOf(keys int, skew float64) model.Keys {
	kind, err := contention.Dists.Get("zipf")
	if err != nil {
		panic(err)
	}
	d, err := kind.New(contention.Shape{Keys: keys, Skew: skew})
	if err != nil {
		panic(err)
	}
	return model.KeysOf(d)
}
