// Package model owns the closed forms that predict what a measurement should
// find: pure functions of keys, clients and times, with the sources of their
// formulas. They say when they are out of their range.
package model

import "math"

// Keys is how popular keys are, in groups of keys that are alike.
type Keys []KeyGroup

// KeyGroup is N keys, each with that share of the operations.
type KeyGroup struct {
	Mass float64
	N    int
}

// masses is what a distribution of operations over keys tells of itself.
type masses interface {
	Len() int
	Mass(i int) float64
}

// exactRanks is how many of the most popular keys are kept one by one. Behind
// them a group spans a twentieth of its first rank, so that masses inside it
// differ by a few percent at most.
const exactRanks = 256

// KeysOf groups the keys of a distribution, the most popular first.
func KeysOf(d masses) Keys {
	var keys Keys
	for i := 0; i < d.Len(); {
		end := i + 1
		if i >= exactRanks {
			end = min(i+i/20, d.Len())
		}
		sum := 0.0
		for j := i; j < end; j++ {
			sum += d.Mass(j)
		}
		mass := sum / float64(end-i)
		if last := len(keys) - 1; last >= 0 && math.Abs(keys[last].Mass-mass) <= 1e-12*mass {
			keys[last].N += end - i
		} else {
			keys = append(keys, KeyGroup{Mass: mass, N: end - i})
		}
		i = end
	}
	return keys
}
