package contention

import (
	"fmt"
	"math/rand/v2"

	"rmwbench/internal/registry"
)

// Dist is a distribution of operations over the keys 0..Len()-1, ordered by popularity: key 0 is the hottest. It is
// immutable, so clients share it. The load generator draws from it, the model reads its masses.
type Dist interface {
	Len() int
	Pick(rng *rand.Rand) int // a key, without allocating
	Mass(i int) float64      // probability of key i, the q_i of the model; i in 0..Len()-1
}

// Shape is what a distribution is built from.
type Shape struct {
	Keys int     // number of keys, at least 1
	Skew float64 // exponent of zipf, finite and at least 0; 0 is uniform
	Hot  Hot     // the hot spot
}

// Distribution describes a kind of Dist. Skewed and Hot say which parameters of the Shape mean something to it besides
// Keys; it ignores the others. New refuses a shape it cannot be true to, and the error names the value.
type Distribution struct {
	Summary     string
	Skewed, Hot bool
	New         func(Shape) (Dist, error)
}

// Dists holds every distribution by name.
var Dists = registry.New[Distribution]("distribution")

// New builds the distribution of that name. hot is the text of a hot spot, or
// empty.
func New(name string, keys int, skew float64, hot string) (Dist, error) {
	kind, err := Dists.Get(name)
	if err != nil {
		return nil, err
	}
	shape := Shape{Keys: keys, Skew: skew}
	if hot != "" {
		if shape.Hot, err = ParseHot(hot); err != nil {
			return nil, err
		}
	}
	return kind.New(shape)
}

// checkKeys refuses a number of keys below 1.
func checkKeys(keys int) error {
	if keys < 1 {
		return fmt.Errorf("number of keys is %d, must be at least 1", keys)
	}
	return nil
}
