package contention

import (
	"fmt"
	"math/rand/v2"
)

func init() {
	Dists.Add("hotspot", Distribution{
		Summary: "a share of the operations on the first few keys, the rest on the others",
		Hot:     true,
		New:     newHotspot,
	})
}

// hotspot is the distribution over n keys, h of them hot with the share S of the operations:
// q_i = S/h for i < h, (1-S)/(n-h) for the others.
type hotspot struct {
	hot  Hot
	keys int
}

// newHotspot refuses a hot spot that leaves no key for the rest of the operations, and one whose keys would be colder than
// the others.
func newHotspot(shape Shape) (Dist, error) {
	n, hot := shape.Keys, shape.Hot
	if err := checkKeys(n); err != nil {
		return nil, err
	}
	if err := hot.check(); err != nil {
		return nil, err
	}
	if hot.Keys > n || hot.Keys == n && hot.Share < 1 {
		return nil, fmt.Errorf("hot spot %v on %d keys: the hot keys must be fewer than the keys (or all of them, with 100%%)", hot, n)
	}
	if even := float64(hot.Keys) / float64(n); hot.Share < even {
		return nil, fmt.Errorf("hot spot %v on %d keys: the share must be at least %s, or the other keys are the hotter ones",
			hot, n, percentage(even))
	}
	return hotspot{hot: hot, keys: n}, nil
}

func (d hotspot) Len() int { return d.keys }

func (d hotspot) Pick(rng *rand.Rand) int {
	if rng.Float64() < d.hot.Share {
		return rng.IntN(d.hot.Keys)
	}
	return d.hot.Keys + rng.IntN(d.keys-d.hot.Keys)
}

func (d hotspot) Mass(i int) float64 {
	if i < d.hot.Keys {
		return d.hot.Share / float64(d.hot.Keys)
	}
	return (1 - d.hot.Share) / float64(d.keys-d.hot.Keys)
}
