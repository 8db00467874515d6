package contention

import (
	"fmt"
	"math"
	"math/bits"
	"testing"
)

var concerns = []Concern{Keys, Ops, Delays, Network, Arrivals, Faults}

func TestStreamIsDeterministic(t *testing.T) {
	a, b := Stream(1, 2, Delays), Stream(1, 2, Delays)
	for n := range 1000 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatalf("draw %d is %d and %d", n, x, y)
		}
	}
}

// A seed written down in a report must give the same run with every later version.
func TestStreamIsPinned(t *testing.T) {
	for _, c := range []struct {
		seed    uint64
		client  int
		concern Concern
		want    uint64
	}{
		{1, 0, Keys, 0x976bcdab4d5324d7},
		{1, 0, Faults, 0x10c76872ae14f88e},
		{math.MaxUint64, 255, Delays, 0x86825e8a591b94e0},
	} {
		if got := Stream(c.seed, c.client, c.concern).Uint64(); got != c.want {
			t.Errorf("Stream(%d, %d, %d) begins with %#x, want %#x", c.seed, c.client, c.concern, got, c.want)
		}
	}
}

func TestMixIsSplitMix64(t *testing.T) {
	// The first outputs of the reference splitmix64.c from state 0.
	state := uint64(0)
	for n, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := mix(state); got != want {
			t.Errorf("output %d is %#x, want %#x", n, got, want)
		}
		state += 0x9e3779b97f4a7c15
	}
}

func TestNeighbouringStreamsAreUncorrelated(t *testing.T) {
	const draws = 10_000
	for seed := range uint64(4) {
		for client := range 8 {
			for _, concern := range concerns {
				for name, other := range map[string]struct {
					seed    uint64
					client  int
					concern Concern
				}{
					"next seed":      {seed + 1, client, concern},
					"next client":    {seed, client + 1, concern},
					"next concern":   {seed, client, concern + 1},
					"client as seed": {uint64(client) + 100, int(seed), concern},
				} {
					a, b := Stream(seed, client, concern), Stream(other.seed, other.client, other.concern)
					sum := 0.0
					for range draws {
						sum += (a.Float64() - 0.5) * (b.Float64() - 0.5)
					}
					if r := 12 * sum / draws; math.Abs(r) > 5/math.Sqrt(draws) {
						t.Errorf("seed %d, client %d, concern %d and the %s: correlation %.3f", seed, client, concern, name, r)
					}
				}
			}
		}
	}
}

// The first draws over a grid of seeds, clients and concerns all differ, and neighbours differ in half of their bits.
func TestFirstDrawsAreUnrelated(t *testing.T) {
	seen := map[uint64]string{}
	flipped, pairs := 0, 0
	for seed := range uint64(20) {
		for _, concern := range concerns {
			before := Stream(seed, -1, concern).Uint64()
			for client := range 500 {
				first := Stream(seed, client, concern).Uint64()
				name := fmt.Sprintf("seed %d, client %d, concern %d", seed, client, concern)
				if same, taken := seen[first]; taken {
					t.Fatalf("%s begins like %s", name, same)
				}
				seen[first] = name
				flipped += bits.OnesCount64(first ^ before)
				pairs++
				before = first
			}
		}
	}
	// Each of the 64 bits flips with probability 1/2: a mean of 32 and a deviation of 4 a pair.
	if mean := float64(flipped) / float64(pairs); math.Abs(mean-32) > 5*4/math.Sqrt(float64(pairs)) {
		t.Errorf("neighbours differ in %.3f bits of 64, want 32", mean)
	}
}

// More draws for one concern leave the others where they were.
func TestConcernsDoNotReshuffleEachOther(t *testing.T) {
	dist := mustDist(t, "zipf", Shape{Keys: 100, Skew: 0.99})
	picks := func(backoff string) []int {
		keys, delays := Stream(1, 3, Keys), Stream(1, 3, Delays)
		retry := Retry{Backoff: mustBackoff(t, backoff, 100*us, 10*ms)}
		var out []int
		for n := range 200 {
			out = append(out, dist.Pick(keys))
			retry.Next(n, 0, delays)
		}
		return out
	}
	without, with := picks("none"), picks("full")
	for n := range without {
		if without[n] != with[n] {
			t.Fatalf("pick %d is %d without back-off, %d with", n, without[n], with[n])
		}
	}
}
