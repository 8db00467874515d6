package calibrate

import (
	"fmt"
	"slices"
	"time"

	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
)

// table is what was measured: a slice of every shape in every round.
type table struct {
	shapes []shape
	slices [][]slice       // by shape, then round
	pings  []time.Duration // round trips of a client that is alone
	waits  []time.Duration // what its waits of a known length lasted
	cores  int
}

// Bounds of a measurement.
const (
	sliceTime  = 6 * time.Millisecond // of one shape in one round: some hundred exchanges
	roundTrips = 10                   // that a slice has room for at least
	minRounds  = 5                    // for medians
	idleSlices = 2                    // how long one client is alone in each round, and again for its waits
)

// rounds measures every shape once in each round, so that a machine that is
// slower for a while is slower for all of them.
func (s *stand) rounds(shapes []shape, budget time.Duration, stop <-chan struct{}) (*table, error) {
	t := &table{shapes: shapes, slices: make([][]slice, len(shapes))}
	state, err := snapshot(s.world)
	if err != nil {
		return nil, err
	}
	t.cores = state.Cores
	first, err := s.pings(sliceTime)
	if err != nil {
		return nil, err
	}
	each := max(sliceTime, roundTrips*slices.Min(first))
	rounds := max(int(budget/each)/(len(shapes)+2*idleSlices), minRounds)
	for round := range rounds {
		times, err := s.pings(idleSlices * each)
		if err != nil {
			return nil, err
		}
		t.pings = append(t.pings, times...)
		waits, err := s.waits(idleSlices * each)
		if err != nil {
			return nil, err
		}
		t.waits = append(t.waits, waits...)
		for _, i := range order(round, rounds, len(shapes)) {
			if engine.Stopped(stop) { // waits end early then, and measure nothing
				return nil, engine.ErrInterrupted
			}
			measured, err := s.slice(shapes[i], each)
			if err != nil {
				return nil, fmt.Errorf("measuring %s: %w", shapes[i].name, err)
			}
			t.slices[i] = append(t.slices[i], measured)
		}
	}
	return t, nil
}

// order is in which order a round of several takes n shapes: each begins
// elsewhere, and every other goes backwards, so that no shape is always
// measured in the wake of the same one.
func order(round, rounds, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = (i + round*n/rounds) % n
	}
	if round%2 == 1 {
		slices.Reverse(list)
	}
	return list
}

// stranger is the share of commands of others from which on their work would
// be taken for ours.
const stranger = 0.05

// alone is an error if somebody else used the server meanwhile.
func (t *table) alone() error {
	var counted, ours int64
	for i, sh := range t.shapes {
		for _, s := range t.slices[i] {
			counted += s.calls
			ours += int64(s.cycles * sh.calls())
		}
	}
	if others := counted - ours; float64(others) > stranger*float64(counted) {
		return fmt.Errorf("somebody else uses the server: %d of the %d commands that it counted were not ours", others, counted)
	}
	return nil
}

// calls is how many commands a server counts for a cycle.
func (sh shape) calls() int {
	n := sh.nested
	for _, cmds := range sh.exchanges() {
		n += len(cmds)
	}
	return n
}

// exchanges is the cycle for some key.
func (sh shape) exchanges() [][]resp.Cmd {
	if sh.cycle == nil {
		return nil
	}
	return sh.cycle("")
}

// costs is what a cycle of each shape costs, in nanoseconds: the median over
// rounds of what of returns for a slice, less what it returns for doing
// nothing.
func (t *table) costs(of func(slice) time.Duration) []float64 {
	idle := t.index(nothing.name)
	var looking []float64
	for _, s := range t.slices[idle] {
		looking = append(looking, float64(of(s)))
	}
	counters := median(looking)
	rows := make([][]float64, len(t.shapes))
	for i := range t.shapes {
		for _, s := range t.slices[i] {
			rows[i] = append(rows[i], (float64(of(s))-counters)/float64(max(s.cycles, 1)))
		}
	}
	rows[idle] = make([]float64, len(looking))
	return levels(rows)
}

func (t *table) index(name string) int {
	return slices.IndexFunc(t.shapes, func(sh shape) bool { return sh.name == name })
}

// levels is the median of each row after the columns have been brought to one
// level: a column in which everything took longer says nothing about its rows.
func levels(rows [][]float64) []float64 {
	medians := make([]float64, len(rows))
	for i, row := range rows {
		medians[i] = median(row)
	}
	columns := make([]float64, len(rows[0]))
	for c := range columns {
		var ratios []float64
		for i, row := range rows {
			if medians[i] > 0 {
				ratios = append(ratios, row[c]/medians[i])
			}
		}
		columns[c] = median(ratios)
	}
	out := make([]float64, len(rows))
	for i, row := range rows {
		scaled := make([]float64, len(row))
		for c, v := range row {
			if scaled[c] = v; columns[c] > 0 {
				scaled[c] /= columns[c]
			}
		}
		out[i] = max(median(scaled), 0)
	}
	return out
}

// median of no values is 0.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
