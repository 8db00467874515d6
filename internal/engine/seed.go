package engine

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	"rmwbench/results"
)

// TrialSeed is the seed of one trial: a hash of the plan's seed, the trial and
// the cell without strategy, back-off and bystanders, so that every strategy meets
// the same sequence of keys, whatever else is in the grid and whoever watches. Fields at zero take no
// part, so that a new axis leaves the seeds of old plans alone.
func TrialSeed(seed uint64, cell results.Cell, trial int) uint64 {
	text, err := json.Marshal(cell.Load())
	if err != nil {
		panic(err) // plain numbers and strings
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	for name, v := range fields {
		if v == "" || v == 0.0 || v == false {
			delete(fields, name)
		}
	}
	if text, err = json.Marshal(fields); err != nil { // keys sorted
		panic(err)
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d %s", seed, trial, text)
	return h.Sum64()
}
