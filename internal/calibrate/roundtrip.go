package calibrate

import (
	"slices"
	"time"

	"rmwbench/internal/profile"
)

// shares are the points at which a distribution of times is kept.
var shares = []float64{0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1}

// outliers is the share of the longest times that are left out: one that
// the machine held up for milliseconds would pull up the whole last stretch.
const outliers = 0.005

// spread is the distribution of what times take beyond a part of known length.
func spread(times []time.Duration, known float64) profile.Quantiles {
	sorted := slices.Sorted(slices.Values(times))
	last := float64(len(sorted)-1) * (1 - outliers)
	var q profile.Quantiles
	for _, share := range shares {
		at := sorted[int(share*last)]
		q = append(q, profile.Quantile{Share: share, NS: max(float64(at)-known, 0)})
	}
	return q
}
