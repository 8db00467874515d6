package model

import (
	"math"
	"testing"
)

// Figures of an independent simulation of the idealised system: R = 200 µs, 2 µs
// for each command, no back-off, jittered delays.
func TestClosedAgainstSimulation(t *testing.T) {
	uniform := func(n int) Keys { return Keys{{Mass: 1 / float64(n), N: n}} }
	for _, c := range []struct {
		clients, keys int
		decision      float64
		x, p          float64
	}{
		{256, 1000, 0, 88179, 0.118},
	} {
		loop := Closed{Clients: c.clients, Exchanges: 2, RoundTrip: 200e-6, Decision: c.decision, Service: 10e-6}
		got := loop.Optimistic(uniform(c.keys))
		if !got.InRange || math.Abs(got.Goodput/c.x-1) > 0.03 || math.Abs(got.P-c.p) > 0.02 {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	// Out of its range the law says so: the true p are 0.964 and 0.363.
	for keys, clients := range map[int]int{1: 64, 100: 64} {
		loop := Closed{Clients: clients, Exchanges: 2, RoundTrip: 200e-6, Decision: 1e-3, Service: 10e-6}
		if got := loop.Optimistic(uniform(keys)); got.InRange {
			t.Errorf("%d keys: %+v is not in range", keys, got)
		}
	}
}

// One client waits for nobody.
func TestClosedAlone(t *testing.T) {
	c := Closed{Clients: 1, Exchanges: 2, RoundTrip: 200e-6, Decision: 1e-3, Service: 10e-6}
	if l := c.Loop(); math.Abs(l.Attempt-1410e-6) > 1e-12 || math.Abs(l.Window-1205e-6) > 1e-12 {
		t.Errorf("%+v", l)
	}
	if x := c.Optimistic(Keys{{1, 1}}); math.Abs(x.Goodput*1410e-6-1) > 1e-6 || x.P != 0 {
		t.Errorf("%+v", x)
	}
	c = Closed{Clients: 1, Exchanges: 1, RoundTrip: 200e-6, Service: 2e-6, Think: 1e-3}
	if x := c.Direct(); math.Abs(x*1202e-6-1) > 1e-9 {
		t.Errorf("%v", x)
	}
}

// Many clients meet the server's limit, and a script's is 1/(s + d).
func TestDirectMeetsTheServersLimit(t *testing.T) {
	c := Closed{Clients: 1000, Exchanges: 1, RoundTrip: 200e-6, Service: 1.002e-3}
	if x := c.Direct(); math.Abs(x/ServerLimit(1.002e-3)-1) > 1e-9 {
		t.Errorf("%v", x)
	}
}

func TestLimits(t *testing.T) {
	near := func(what string, got, want, off float64) {
		t.Helper()
		if math.Abs(got/want-1) > off {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("clients", ClientLimit(10, 0.005), 2000, 1e-9)
	near("hot key", HotKeyLimit(0.5, 0.001), 2000, 1e-9)
	// 256 clients on one key of the idealised system commit 808/s.
	near("collapse", Collapse(256, 10e-6, 0), 808, 0.05)
	// A server with scripts of 4.5 ms from 4 clients gave 50 readers 2735/s, and
	// one reader 54/s.
	near("bystanders", BystanderLimit(50, 4, 4.5e-3), 2735, 0.02)
	near("one bystander", BystanderLimit(1, 4, 4.5e-3), 54, 0.04)
	near("load number", LoadNumber(1000, 0.1, 0.002), 0.2, 1e-9)
	for _, c := range []struct {
		hottest, decision float64
		want              bool
	}{
		{1, 1e-3, false},          // one key: never
		{1.0 / 1000, 1e-3, true},  // 84 240/s against 998/s
		{1.0 / 1000, 0, false},    // without a decision a script wins everywhere
		{1.0 / 1000, 7e-6, false}, // nor with one that costs less than four commands
	} {
		if got := WatchBeatsScript(c.hottest, 200e-6, c.decision, 2e-6); got != c.want {
			t.Errorf("hottest %v, decision %v: %v", c.hottest, c.decision, got)
		}
	}
}

// Just before the crossing WATCH does not win, just behind it it does.
func TestCrossing(t *testing.T) {
	for _, hottest := range []float64{1, 0.9, 0.5, 0.1, 0.01, 1e-3, 1e-6} {
		for _, command := range []float64{0, 1e-6, 2e-6, 50e-6} {
			at, ok := Crossing(hottest, 200e-6, command)
			if !ok {
				if hottest < 1 || WatchBeatsScript(hottest, 200e-6, 1, command) {
					t.Errorf("hottest %v, command %v: no crossing", hottest, command)
				}
				continue
			}
			before, behind := WatchBeatsScript(hottest, 200e-6, at*(1-1e-6), command), WatchBeatsScript(hottest, 200e-6, at*(1+1e-6), command)
			if before || !behind {
				t.Errorf("hottest %v, command %v: crossing at %v, before it %v, behind it %v", hottest, command, at, before, behind)
			}
		}
	}
}

func BenchmarkOptimistic(b *testing.B) {
	c := Closed{Clients: 256, Exchanges: 2, RoundTrip: 200e-6, Service: 10e-6}
	keys := Keys{{Mass: 0.001, N: 1000}}
	for b.Loop() {
		c.Optimistic(keys)
	}
}
