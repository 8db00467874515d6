package gates

import (
	"math"
	"testing"
)

// window is a time of a fixed part and a number of independent exponential
// parts, each of mean spread: together an Erlang distribution.
type window struct {
	fixed float64
	ways  int
}

func (w window) mean() float64 { return w.fixed + float64(w.ways)*spread }

// g is G(x), the integral of the window's distribution function from 0 to x:
//
//	G(x) = y P_m(y/theta) - m theta P_{m+1}(y/theta),  y = x - fixed
//
// with m the number of exponential parts, theta the mean of each, and P_j the
// distribution function of the Erlang distribution with j stages of mean 1.
func (w window) g(x float64) float64 {
	y := x - w.fixed
	if y <= 0 {
		return 0
	}
	return y*erlang(w.ways, y/spread) - float64(w.ways)*spread*erlang(w.ways+1, y/spread)
}

// erlang is P_j(z) = 1 - e^-z sum_{i<j} z^i/i!.
func erlang(j int, z float64) float64 {
	term, sum := math.Exp(-z), 0.0
	for i := range j {
		sum += term
		term *= z / float64(i+1)
	}
	return 1 - sum
}

// bend is how far beyond its fixed part, in means of one exponential part, a
// window's G is still curved: behind it G(x) = x - mean to six digits.
const bend = 20.0

// panels is the number of intervals, each integrated by Simpson's rule.
const panels = 48

// nodes are values of G between fixed and to, with weights such that the sum
// of weight f(G) is the integral of f(G(x)) over that stretch.
func (w window) nodes(to float64) (g, weight []float64) {
	h := (to - w.fixed) / (2 * panels)
	for i := range 2*panels + 1 {
		factor := 2.0
		switch {
		case i == 0 || i == 2*panels:
			factor = 1
		case i%2 == 1:
			factor = 4
		}
		g = append(g, w.g(w.fixed+float64(i)*h))
		weight = append(weight, factor*h/3)
	}
	return g, weight
}

func TestWindowIntegral(t *testing.T) {
	for _, w := range []window{{106, 2}, {1106, 2}, {312, 4}} {
		sum, last := 0.0, 0.0
		const h = 0.01
		for x := h / 2; x < w.fixed+bend*spread; x += h { // the plain integral, slowly
			if y := x - w.fixed; y > 0 {
				sum += erlang(w.ways, y/spread) * h
			}
			last = x + h/2
		}
		near(t, "G", w.g(last), sum, 1e-6)
		near(t, "G beyond the bend", w.g(last), last-w.mean(), 1e-6)
		g, weight := w.nodes(w.fixed + 400)
		integral, plain := 0.0, 0.0
		for i := range g {
			integral += weight[i] * math.Exp(-g[i]/100)
		}
		for x := h / 2; x < 400; x += h {
			plain += math.Exp(-w.g(w.fixed+x)/100) * h
		}
		near(t, "integral over nodes", integral, plain, 1e-6)
	}
}
