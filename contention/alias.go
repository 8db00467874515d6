package contention

import "math/rand/v2"

// aliasTable draws i with probability proportional to the i-th of n weights, in constant time (Walker's alias method, built
// as in Vose 1991). The n columns are equally likely; each is shared by at most two values, its own and one other.
type aliasTable []aliasColumn

type aliasColumn struct {
	keep  float64 // part of the column that its own value holds, 0..1
	other int     // holder of the rest
}

// newAliasTable builds the table of non-negative weights whose sum is given.
func newAliasTable(weights []float64, sum float64) aliasTable {
	n := len(weights)
	table := make(aliasTable, n)
	var small, large []int // columns not yet full, and columns with something to give away
	for i, weight := range weights {
		table[i] = aliasColumn{keep: weight / sum * float64(n), other: i}
		if table[i].keep < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}

	for len(small) > 0 && len(large) > 0 {
		poor, rich := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		table[poor].other = rich
		table[rich].keep -= 1 - table[poor].keep
		if table[rich].keep < 1 {
			large = large[:len(large)-1]
			small = append(small, rich)
		}
	}
	for _, i := range append(small, large...) { // full but for rounding
		table[i].keep = 1
	}
	return table
}

func (t aliasTable) pick(rng *rand.Rand) int {
	i := rng.IntN(len(t))
	if column := t[i]; rng.Float64() >= column.keep {
		return column.other
	}
	return i
}
