package contention

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func rngOf(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func mustDist(t testing.TB, name string, shape Shape) Dist {
	t.Helper()
	kind, err := Dists.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	dist, err := kind.New(shape)
	if err != nil {
		t.Fatalf("%s of %+v: %v", name, shape, err)
	}
	return dist
}

// shapes are those a registered distribution accepts out of a spread over sizes, skews and hot spots. One that takes none
// fails the test.
func shapes(t *testing.T, kind Distribution) []Shape {
	t.Helper()
	skews, hots := []float64{0}, []Hot{{}}
	if kind.Skewed {
		skews = []float64{0, 0.5, 0.99, 1, 1.2, 40}
	}
	if kind.Hot {
		hots = []Hot{{0.3, 1}, {0.9, 5}, {1, 1}, {1, 5}}
	}
	var accepted []Shape
	for _, keys := range []int{1, 2, 5, 10, 1000} {
		for _, skew := range skews {
			for _, hot := range hots {
				shape := Shape{Keys: keys, Skew: skew, Hot: hot}
				if _, err := kind.New(shape); err == nil {
					accepted = append(accepted, shape)
				} else if !kind.Hot {
					t.Errorf("%+v refused: %v", shape, err)
				}
			}
		}
	}
	if len(accepted) < 5 {
		t.Fatalf("only %v accepted", accepted)
	}
	return accepted
}

// each runs a test on every registered distribution in every shape it takes.
func each(t *testing.T, test func(*testing.T, Distribution, Shape)) {
	for _, name := range Dists.Names() {
		kind, err := Dists.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, shape := range shapes(t, kind) {
			t.Run(fmt.Sprintf("%s/keys=%d/skew=%v/hot=%v", name, shape.Keys, shape.Skew, shape.Hot), func(t *testing.T) {
				test(t, kind, shape)
			})
		}
	}
}

func TestDistributionsAreDescribed(t *testing.T) {
	for _, name := range []string{"uniform", "zipf", "hotspot"} {
		if _, err := Dists.Get(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range Dists.Names() {
		if kind, _ := Dists.Get(name); kind.Summary == "" {
			t.Errorf("%s has no summary", name)
		}
	}
}

func TestMassesAreADistributionHottestFirst(t *testing.T) {
	each(t, func(t *testing.T, kind Distribution, shape Shape) {
		dist, _ := kind.New(shape)
		if dist.Len() != shape.Keys {
			t.Fatalf("Len is %d, want %d", dist.Len(), shape.Keys)
		}
		sum := 0.0
		for i := range dist.Len() {
			mass := dist.Mass(i)
			if !(mass >= 0 && mass <= 1) {
				t.Fatalf("mass of key %d is %v", i, mass)
			}
			if i > 0 && mass > dist.Mass(i-1)*(1+1e-12) {
				t.Fatalf("key %d is hotter than key %d: %v > %v", i, i-1, mass, dist.Mass(i-1))
			}
			sum += mass
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("masses sum to %v", sum)
		}
	})
}

func TestFrequenciesFollowTheMasses(t *testing.T) {
	each(t, func(t *testing.T, kind Distribution, shape Shape) {
		dist, _ := kind.New(shape)
		if z := chiSquareZ(t, dist, dist, 200_000, 7); z > 4.5 {
			t.Errorf("chi-square is %.1f standard deviations above its mean", z)
		}
	})
}

// The check above must be able to fail: it sees a skew that is off by 0.03.
func TestChiSquareSeesAWrongDistribution(t *testing.T) {
	right := mustDist(t, "zipf", Shape{Keys: 1000, Skew: 0.99})
	for name, wrong := range map[string]Dist{
		"skew 1.02": mustDist(t, "zipf", Shape{Keys: 1000, Skew: 1.02}),
		"uniform":   mustDist(t, "uniform", Shape{Keys: 1000}),
	} {
		if z := chiSquareZ(t, wrong, right, 200_000, 7); z < 4.5 {
			t.Errorf("%s passes for skew 0.99: %.1f standard deviations", name, z)
		}
	}
}

// chiSquareZ draws from one distribution and returns by how many standard deviations chi-square against the masses of
// another exceeds its mean. Keys expected less than 10 times are counted together. A draw that is no key, or has no mass,
// ends the test.
func chiSquareZ(t *testing.T, drawn, expected Dist, draws int, seed uint64) float64 {
	t.Helper()
	counts := make([]int, drawn.Len())
	rng := rngOf(seed)
	for range draws {
		i := drawn.Pick(rng)
		if i < 0 || i >= len(counts) {
			t.Fatalf("picked key %d of %d", i, len(counts))
		}
		counts[i]++
	}

	var chi, restSeen, restWant float64
	bins := 0
	add := func(seen, want float64) {
		chi += (seen - want) * (seen - want) / want
		bins++
	}
	for i, seen := range counts {
		want := expected.Mass(i) * float64(draws)
		switch {
		case want >= 10:
			add(float64(seen), want)
		case want == 0 && seen > 0:
			t.Fatalf("key %d has no mass and was picked %d times", i, seen)
		default:
			restSeen += float64(seen)
			restWant += want
		}
	}
	if restWant >= 10 {
		add(restSeen, restWant)
	} else if restSeen > 100 {
		t.Fatalf("the rare keys were picked %v times, expected %v", restSeen, restWant)
	}
	if bins < 2 {
		return 0
	}
	free := float64(bins - 1)
	return (chi - free) / math.Sqrt(2*free)
}

func TestEveryKeyWithMassIsPickedAndNoOther(t *testing.T) {
	for name, shape := range map[string]Shape{
		"uniform": {Keys: 13},
		"zipf":    {Keys: 13, Skew: 1.2},
		"hotspot": {Keys: 13, Hot: Hot{0.9, 2}},
	} {
		dist := mustDist(t, name, shape)
		seen := map[int]bool{}
		rng := rngOf(3)
		for range 20_000 {
			seen[dist.Pick(rng)] = true
		}
		for i := range 13 {
			if !seen[i] {
				t.Errorf("%s: key %d of 13 never picked", name, i)
			}
			delete(seen, i)
		}
		if len(seen) > 0 {
			t.Errorf("%s: picked %v, which are no keys", name, seen)
		}
	}
}

func TestSameSeedSamePicks(t *testing.T) {
	each(t, func(t *testing.T, kind Distribution, shape Shape) {
		a, _ := kind.New(shape)
		b, _ := kind.New(shape)
		one, two := rngOf(5), rngOf(5)
		for n := range 1000 {
			if i, j := a.Pick(one), b.Pick(two); i != j {
				t.Fatalf("pick %d is %d and %d", n, i, j)
			}
		}
	})
}

func TestPickAndMassDoNotAllocate(t *testing.T) {
	each(t, func(t *testing.T, kind Distribution, shape Shape) {
		dist, _ := kind.New(shape)
		rng := rngOf(1)
		sum := 0.0
		if n := testing.AllocsPerRun(1000, func() { sum += dist.Mass(dist.Pick(rng)) }); n != 0 {
			t.Errorf("%v allocations a pick", n)
		}
	})
}

func TestShapesRefused(t *testing.T) {
	hot := Hot{0.3, 1}
	for _, c := range []struct {
		dist  string
		shape Shape
		says  string
	}{
		{"uniform", Shape{Keys: 0}, "keys is 0"},
		{"uniform", Shape{Keys: -3}, "keys is -3"},
		{"zipf", Shape{Keys: 0, Skew: 1}, "keys is 0"},
		{"zipf", Shape{Keys: 0, Skew: 0}, "keys is 0"},
		{"zipf", Shape{Keys: 10, Skew: math.NaN()}, "NaN"},
		{"zipf", Shape{Keys: 10, Skew: math.Inf(1)}, "+Inf"},
		{"zipf", Shape{Keys: 10, Skew: math.Inf(-1)}, "-Inf"},
		{"zipf", Shape{Keys: 10, Skew: -0.25}, "-0.25"},
		{"zipf", Shape{Keys: maxZipfKeys + 1, Skew: 1}, "67108865"},
		{"zipf", Shape{Keys: math.MaxInt, Skew: 1}, "at most 67108864"},
		{"hotspot", Shape{Keys: 0, Hot: hot}, "keys is 0"},
		{"hotspot", Shape{Keys: 10}, "hot share is 0"},
		{"hotspot", Shape{Keys: 10, Hot: Hot{math.NaN(), 1}}, "hot share is NaN"},
		{"hotspot", Shape{Keys: 10, Hot: Hot{1.5, 1}}, "hot share is 1.5"},
		{"hotspot", Shape{Keys: 10, Hot: Hot{0.3, 0}}, "hot keys is 0"},
		{"hotspot", Shape{Keys: 1, Hot: hot}, "30%:1 on 1 keys"},
		{"hotspot", Shape{Keys: 10, Hot: Hot{0.3, 10}}, "30%:10 on 10 keys"},
		{"hotspot", Shape{Keys: 10, Hot: Hot{1, 11}}, "100%:11 on 10 keys: the hot keys must be fewer"},
		{"hotspot", Shape{Keys: 10, Hot: Hot{0.3, 4}}, "at least 40%"},
	} {
		kind, err := Dists.Get(c.dist)
		if err != nil {
			t.Fatal(err)
		}
		dist, err := kind.New(c.shape)
		if err == nil {
			t.Errorf("%s accepts %+v", c.dist, c.shape)
		} else if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s of %+v: error %q does not say %q", c.dist, c.shape, err, c.says)
		}
		if dist != nil {
			t.Errorf("%s of %+v: a distribution beside the error", c.dist, c.shape)
		}
	}
}

func TestHotspotMasses(t *testing.T) {
	for _, c := range []struct {
		keys      int
		hot       Hot
		hottest   float64
		elsewhere float64
	}{
		{10, Hot{0.3, 1}, 0.3, 0.7 / 9},
		{100, Hot{0.8, 20}, 0.04, 0.0025},
		{100, Hot{0.29, 29}, 0.01, 0.01}, // no spot at all, yet not colder than the rest
		{10, Hot{1, 2}, 0.5, 0},
		{10, Hot{1, 10}, 0.1, 0.1},
		{1, Hot{1, 1}, 1, 1},
	} {
		dist := mustDist(t, "hotspot", Shape{Keys: c.keys, Hot: c.hot})
		first, last := dist.Mass(0), dist.Mass(c.keys-1)
		if math.Abs(first-c.hottest) > 1e-15 || math.Abs(last-c.elsewhere) > 1e-15 {
			t.Errorf("%v on %d keys: masses %v ... %v, want %v ... %v", c.hot, c.keys, first, last, c.hottest, c.elsewhere)
		}
	}
}
