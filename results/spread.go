package results

import (
	"cmp"
	"math"
	"slices"
)

// Sample is a duration that so many things took, on average.
type Sample struct {
	NS    float64
	Count int64
}

// SpreadOf is the distribution of samples by their counts, or nil if there is
// nothing in them.
func SpreadOf(samples []Sample) *Spread {
	samples = slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.Count <= 0 })
	if len(samples) == 0 {
		return nil
	}
	slices.SortFunc(samples, func(a, b Sample) int { return cmp.Compare(a.NS, b.NS) })
	var count, sum float64
	for _, s := range samples {
		count += float64(s.Count)
		sum += s.NS * float64(s.Count)
	}
	// at is the least value that a share of all does not exceed.
	at := func(share float64) int64 {
		below := 0.0
		for _, s := range samples {
			if below += float64(s.Count); below >= share*count {
				return int64(math.Round(s.NS))
			}
		}
		return int64(math.Round(samples[len(samples)-1].NS))
	}
	spread := &Spread{P50: at(0.5), P99: at(0.99), Mean: int64(math.Round(sum / count))}
	for _, share := range SpreadShares {
		spread.Quantiles = append(spread.Quantiles, at(share))
	}
	return spread
}
