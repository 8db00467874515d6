package theme

import (
	"cmp"
	"slices"
)

// spread pushes labels apart: centres as near as possible to those wanted, in
// their order, with the given heights, within lo and hi. Labels that are wanted
// at one place keep the order they were given in, the first on top. When they do
// not fit they fill the room evenly and overlap; callers ask first.
func spread(want, height []float64, lo, hi float64) []float64 {
	n := len(want)
	order := make([]int, n) // from the bottom up
	for i := range order {
		order[i] = n - 1 - i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(want[a], want[b]) })

	// A block is a run of labels that touch; it sits where the sum of squared
	// displacements of its labels is least.
	type block struct {
		first, count int
		height       float64 // of all its labels
		pull         float64 // sum of the bottoms that its labels would give it
	}
	bottom := func(b block) float64 {
		return max(lo, min(b.pull/float64(b.count), hi-b.height))
	}
	var blocks []block
	for i, item := range order {
		b := block{first: i, count: 1, height: height[item], pull: want[item] - height[item]/2}
		for len(blocks) > 0 {
			below := blocks[len(blocks)-1]
			if bottom(below)+below.height <= bottom(b) {
				break
			}
			b = block{below.first, below.count + b.count, below.height + b.height,
				below.pull + b.pull - float64(b.count)*below.height}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}

	centres := make([]float64, n)
	for _, b := range blocks {
		at, squeeze := bottom(b), min(1, (hi-lo)/b.height)
		for _, item := range order[b.first : b.first+b.count] {
			h := height[item] * squeeze
			centres[item] = at + h/2
			at += h
		}
	}
	return centres
}
