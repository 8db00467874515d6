package contention

import (
	"fmt"
	"math"
	"math/rand/v2"
)

func init() {
	Dists.Add("zipf", Distribution{
		Summary: "the k-th key as often as 1/k^skew",
		Skewed:  true,
		New:     newZipf,
	})
}

// maxZipfKeys bounds the memory of the exact table: 16 bytes a key, 1 GiB.
const maxZipfKeys = 1 << 26

// zipf is the distribution q_k = k^-s / H over the ranks k = 1..n, with H = sum of k^-s; key i has rank i+1. It is exact for
// every s >= 0, unlike rand.Zipf, which needs s > 1, and the approximation of Gray et al. that YCSB uses.
type zipf struct {
	skew  float64 // s
	norm  float64 // H
	table aliasTable
}

// newZipf builds the table, in time and memory proportional to the keys. Skew 0 is the uniform distribution itself.
func newZipf(shape Shape) (Dist, error) {
	n, s := shape.Keys, shape.Skew
	if math.IsNaN(s) || math.IsInf(s, 0) || s < 0 {
		return nil, fmt.Errorf("skew of zipf is %v, must be finite and at least 0", s)
	}
	if s == 0 {
		return newUniform(shape)
	}
	if err := checkKeys(n); err != nil {
		return nil, err
	}
	if n > maxZipfKeys {
		return nil, fmt.Errorf("number of keys is %d, zipf takes at most %d", n, maxZipfKeys)
	}

	weights := make([]float64, n)
	norm := 0.0
	for i := n - 1; i >= 0; i-- { // the small ones first keeps the sum accurate
		weights[i] = zipfWeight(i, s)
		norm += weights[i]
	}
	return &zipf{skew: s, norm: norm, table: newAliasTable(weights, norm)}, nil
}

func (z *zipf) Len() int                { return len(z.table) }
func (z *zipf) Pick(rng *rand.Rand) int { return z.table.pick(rng) }
func (z *zipf) Mass(i int) float64      { return zipfWeight(i, z.skew) / z.norm }

// zipfWeight is k^-s of key i, whose rank k is i+1.
func zipfWeight(i int, s float64) float64 { return math.Pow(float64(i+1), -s) }
