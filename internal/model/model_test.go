package model

import (
	"math"
	"testing"

	"rmwbench/contention"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tolerance*math.Abs(want) {
		t.Errorf("%s = %v, want %v within %v", what, got, want, tolerance)
	}
}

func dist(t *testing.T, name string, shape contention.Shape) contention.Dist {
	t.Helper()
	kind, err := contention.Dists.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := kind.New(shape)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOneKeyIsLinearInTheClients(t *testing.T) {
	loop := Loop{Attempt: 410e-6, Window: 206e-6}
	for _, clients := range []float64{1, 2, 4, 16, 64, 256} {
		p := Linear(Keys{{1, 1}}, clients, loop)
		attempts := 1 + (clients-1)*loop.Window/loop.Attempt
		near(t, "attempts", p.Attempts, attempts, 1e-6)
		near(t, "1/X", 1/p.Goodput, (clients-1)/clients*loop.Window+loop.Attempt/clients, 1e-6)
		near(t, "attempts by p", AttemptsAt(p.P), attempts, 1e-6)
		if p.InRange != (p.P <= 0.3) {
			t.Errorf("%v clients: p = %v, in range %v", clients, p.P, p.InRange)
		}
	}
}

// A point of an independent simulation of the idealised system (200 us of
// network each exchange, 2 us a command, 1 ms of decision, 64 clients on 100
// keys): 28 840 commits/s at p = 0.363, just beyond the law's range.
func TestLinearAgainstSimulation(t *testing.T) {
	keys := KeysOf(dist(t, "uniform", contention.Shape{Keys: 100}))
	got := Linear(keys, 64, Loop{Attempt: 1410e-6, Window: 1206e-6})
	near(t, "X", got.Goodput, 28840, 0.1)
	if got.P < 0.3 || got.P > 0.45 || got.InRange {
		t.Errorf("p = %v, in range %v", got.P, got.InRange)
	}
}

func TestMoreKeysMeanFewerConflicts(t *testing.T) {
	loop := Loop{Attempt: 2e-3, Window: 1e-3}
	before := 1.0
	for _, keys := range []int{1, 2, 10, 100, 10_000, 1_000_000} {
		p := Linear(KeysOf(dist(t, "uniform", contention.Shape{Keys: keys})), 16, loop)
		if p.P >= before || p.P < 0 {
			t.Errorf("%d keys: p = %v, fewer keys had %v", keys, p.P, before)
		}
		before = p.P
	}
	uniform := Linear(KeysOf(dist(t, "uniform", contention.Shape{Keys: 100})), 16, loop)
	zipf := Linear(KeysOf(dist(t, "zipf", contention.Shape{Keys: 100, Skew: 0.99})), 16, loop)
	if zipf.P <= uniform.P || zipf.Goodput >= uniform.Goodput {
		t.Errorf("zipf %+v, uniform %+v", zipf, uniform)
	}
}

func TestKeysKeepTheirMass(t *testing.T) {
	for _, d := range []contention.Dist{
		dist(t, "uniform", contention.Shape{Keys: 1}), dist(t, "uniform", contention.Shape{Keys: 1_000_000}),
		dist(t, "zipf", contention.Shape{Keys: 100_000, Skew: 0.99}), dist(t, "zipf", contention.Shape{Keys: 300, Skew: 1.2}),
		dist(t, "hotspot", contention.Shape{Keys: 1000, Hot: contention.Hot{Share: 0.3, Keys: 2}}),
	} {
		keys := KeysOf(d)
		sum, n := 0.0, 0
		for _, k := range keys {
			sum += k.Mass * float64(k.N)
			n += k.N
		}
		near(t, "mass", sum, 1, 1e-9)
		if n != d.Len() || len(keys) > 600 {
			t.Errorf("%d keys in %d groups, want %d keys", n, len(keys), d.Len())
		}
	}
}

func TestLoopOf(t *testing.T) {
	// watch-pipelined: A = 2R + d, W = R + d; watch: A = 3R + d, W = 2R + d.
	for _, c := range []struct{ a, d, exchanges, w float64 }{{2, 0, 2, 1}, {2.5, 0.5, 2, 1.5}, {3, 0, 3, 2}, {5, 0, 5, 4}} {
		near(t, "window", LoopOf(c.a, c.d, c.exchanges).Window, c.w, 1e-12)
	}
}
