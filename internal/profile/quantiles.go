package profile

import (
	"math/rand/v2"
	"slices"
	"sort"
)

// Quantiles is a distribution of durations: points of its inverse cumulative
// distribution function, straight lines between them. Shares rise from 0 to 1.
// No points at all are the constant 0, one is a constant.
type Quantiles []Quantile

// Quantile says that a share of all values lies at or below NS.
type Quantile struct {
	Share float64
	NS    float64
}

// Draw draws one value.
func (q Quantiles) Draw(rng *rand.Rand) float64 {
	if len(q) < 2 {
		return q.At(0)
	}
	return q.At(rng.Float64())
}

// Mean is the mean of the distribution.
func (q Quantiles) Mean() float64 {
	switch len(q) {
	case 0:
		return 0
	case 1:
		return q[0].NS
	}
	mean := 0.0
	for i := range q[1:] {
		mean += (q[i].NS + q[i+1].NS) / 2 * (q[i+1].Share - q[i].Share)
	}
	return mean
}

// At is the value that a share of all values lies at or below.
func (q Quantiles) At(share float64) float64 {
	switch len(q) {
	case 0:
		return 0
	case 1:
		return q[0].NS
	}
	i := sort.Search(len(q)-1, func(i int) bool { return q[i+1].Share >= share })
	i = min(i, len(q)-2)
	a, b := q[i], q[i+1]
	if b.Share <= a.Share {
		return b.NS
	}
	return a.NS + (b.NS-a.NS)*(share-a.Share)/(b.Share-a.Share)
}

// MeanOf is the mean of quantile functions, at the shares of the first; nil
// without any.
func MeanOf(all []Quantiles) (q Quantiles) {
	for i, other := range all {
		if i == 0 {
			q = slices.Clone(other)
			continue
		}
		for j := range q {
			q[j].NS += (other.At(q[j].Share) - q[j].NS) / float64(i+1)
		}
	}
	return q
}

// Excess is how far q lies above other, share by share; never below 0.
func (q Quantiles) Excess(other Quantiles) (e Quantiles) {
	highest := 0.0
	for _, p := range q {
		highest = max(highest, p.NS-other.At(p.Share)) // a quantile function never falls
		e = append(e, Quantile{p.Share, highest})
	}
	return e
}

// Beyond is the distribution of what values have beyond a constant, in n equal
// parts; never below 0.
func (q Quantiles) Beyond(constant, n float64) (b Quantiles) {
	for _, p := range q {
		b = append(b, Quantile{p.Share, max(p.NS-constant, 0) / n})
	}
	return b
}

// Constant is the distribution of one value.
func Constant(ns float64) Quantiles { return Quantiles{{1, ns}} }
