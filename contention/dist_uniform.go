package contention

import "math/rand/v2"

func init() {
	Dists.Add("uniform", Distribution{
		Summary: "every key equally often",
		New:     newUniform,
	})
}

// uniform is the distribution q_i = 1/n over n keys.
type uniform int

func newUniform(shape Shape) (Dist, error) {
	if err := checkKeys(shape.Keys); err != nil {
		return nil, err
	}
	return uniform(shape.Keys), nil
}

func (u uniform) Len() int                { return int(u) }
func (u uniform) Pick(rng *rand.Rand) int { return rng.IntN(int(u)) }
func (u uniform) Mass(int) float64        { return 1 / float64(u) }
