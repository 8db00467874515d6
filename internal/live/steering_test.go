package live

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"rmwbench/results"
)

// busyServer is a server whose scripts spin at a speed that changes, and clients
// in a closed loop around it: what is executed was sent a whole round before.
type busyServer struct {
	now     time.Duration
	speed   func(time.Duration) float64 // ns of an iteration
	own     time.Duration
	queue   []int64 // iterations that were sent
	reading reading
}

func newBusyServer(clients int, own time.Duration, speed func(time.Duration) float64, first int64) *busyServer {
	b := &busyServer{own: own, speed: speed}
	for range clients {
		b.queue = append(b.queue, first)
	}
	return b
}

// serve does the scripts of all clients once: they wait for each other. It then
// tells what an INFO that waited as long is answered.
func (b *busyServer) serve(next int64) reading {
	for i, n := range b.queue {
		took := b.own + time.Duration(float64(n)*b.speed(b.now))
		b.now += took
		b.reading.busy += took.Truncate(time.Microsecond)
		b.reading.calls++
		b.reading.attempts++
		b.reading.iterations += n
		b.queue[i] = next
	}
	b.reading.at = b.now
	return b.reading
}

// Whatever the speed does, and however late INFO comes, scripts take on average
// what was asked for.
func TestSteering(t *testing.T) {
	const asked, own = 5 * time.Millisecond, 20 * time.Microsecond
	rng := rand.New(rand.NewPCG(1, 2))
	seconds := func(d time.Duration) float64 { return d.Seconds() }
	for name, c := range map[string]struct {
		speed  func(time.Duration) float64
		within float64 // relative error of the mean
	}{
		"as calibrated":       {func(time.Duration) float64 { return 5 }, 0.002},
		"never as calibrated": {func(time.Duration) float64 { return 8 }, 0.04}, // what was sent first is
		"faster":              {func(time.Duration) float64 { return 3 }, 0.04},
		"drifting":            {func(d time.Duration) float64 { return 5.5 + math.Sin(seconds(d)) }, 0.03},
		"noise":               {func(time.Duration) float64 { return 5 * (0.8 + 0.4*rng.Float64()) }, 0.02},
		"a step in the middle": {func(d time.Duration) float64 {
			if d > 10*time.Second {
				return 9
			}
			return 5
		}, 0.05},
	} {
		for _, clients := range []int{1, 10, 100} {
			s := newSteering(asked, own, 5, 0, reading{})
			b := newBusyServer(clients, own, c.speed, s.iterations())
			for b.now < 20*time.Second {
				s.take(b.serve(s.iterations()))
			}
			s.end(b.reading)
			spread := s.achieved(0, b.now)
			if off := float64(spread.Mean)/float64(asked) - 1; math.Abs(off) > c.within {
				t.Errorf("%s, %d clients: %v on average, %+.1f %%", name, clients, time.Duration(spread.Mean), 100*off)
			}
			var calls int64
			for _, sample := range s.samples {
				calls += sample.Count
			}
			if calls != b.reading.calls {
				t.Errorf("%s, %d clients: %d of %d scripts are in the samples", name, clients, calls, b.reading.calls)
			}
		}
	}
}

// Dividing by what is set, and not by what was executed, would not settle where
// clients wait for long: what was sent before the last correction comes first.
func TestSteeringSettles(t *testing.T) {
	s := newSteering(5*time.Millisecond, 0, 5, 0, reading{})
	b := newBusyServer(100, 0, func(time.Duration) float64 { return 10 }, s.iterations())
	for range 10 {
		s.take(b.serve(s.iterations()))
	}
	for range 10 {
		s.take(b.serve(s.iterations()))
		if n := s.iterations(); n < 499_000 || n > 501_000 {
			t.Errorf("%d iterations of 10 ns for 5 ms", n)
		}
	}
}

// Readings that tell nothing change nothing, and lose nothing.
func TestReadingsThatTellNothing(t *testing.T) {
	const ms = time.Millisecond
	s := newSteering(ms, 0, 1, 0, reading{})
	for _, r := range []reading{
		{at: 50 * ms},
		{at: 100 * ms, calls: 1, busy: 2 * ms}, // its reply is on the way
	} {
		if s.take(r); s.iterations() != 1_000_000 {
			t.Errorf("%+v: %d iterations", r, s.iterations())
		}
	}
	s.take(reading{at: 150 * ms, calls: 2, busy: 4 * ms, attempts: 2, iterations: 2_000_000})
	if n := s.iterations(); n != 666_667 {
		t.Errorf("%d iterations after a script of twice the time, want one bounded step", n)
	}
	s.take(reading{at: 200 * ms}) // CONFIG RESETSTAT
	if n := s.iterations(); n != 666_667 {
		t.Errorf("%d iterations after the counters were reset", n)
	}
	s.take(reading{at: 250 * ms, calls: 1, busy: 0, attempts: 3, iterations: 2_666_667})
	if n := s.iterations(); n != 666_667 {
		t.Errorf("%d iterations after a script of no time", n)
	}
	s.end(reading{at: 300 * ms, calls: 2, busy: ms, attempts: 3, iterations: 2_666_667})
	want := []results.Sample{{NS: 2e6, Count: 2}, {NS: 0, Count: 1}, {NS: 1e6, Count: 1}}
	if len(s.samples) != len(want) {
		t.Fatalf("samples %v, want %v", s.samples, want)
	}
	for i, w := range want {
		if s.samples[i].Sample != w {
			t.Errorf("samples %v, want %v", s.samples, want)
		}
	}
	for window, want := range map[[2]time.Duration]int64{
		{0, time.Second}:           1_250_000, // all
		{200 * ms, time.Second}:    500_000,   // the last two
		{0, 100 * ms}:              2_000_000, // the first one, which ended later
		{time.Second, time.Minute}: 1_250_000, // none lies in it
	} {
		if got := s.achieved(window[0], window[1]); got.Mean != want {
			t.Errorf("achieved from %v: %v, want %v", window, got.Mean, want)
		}
	}
}

// A correction is bounded, in each step and in all, whatever a server claims.
func TestCorrectionsAreBounded(t *testing.T) {
	for _, busy := range []time.Duration{time.Nanosecond, time.Hour} {
		s := newSteering(time.Millisecond, 0, 1, 0, reading{})
		last, r := s.iterations(), reading{}
		for range 50 {
			r.at += time.Second
			r.calls++
			r.attempts++
			r.iterations += last
			r.busy += busy
			s.take(r)
			n := s.iterations()
			if step := float64(n) / float64(last); step > oneStep+1e-5 || step < 1/oneStep-1e-5 {
				t.Errorf("from %d to %d iterations in one step", last, n)
			}
			last = n
		}
		if last != 3_000_000 && last != 333_333 {
			t.Errorf("%d iterations in the end", last)
		}
	}
	if n := newSteering(time.Hour, 0, 0.01, 0, reading{}).iterations(); n != 2_000_000_000 {
		t.Errorf("%d iterations", n)
	}
	if n := newSteering(1, 0, 1000, 0, reading{}).iterations(); n != 1 {
		t.Errorf("%d iterations", n)
	}
}

// Loads that take longer than was calibrated, one after the other, teach the next
// one to begin with less.
func TestStrain(t *testing.T) {
	strain := 0.0
	for load, want := range []int64{1_000_000, 790_569, 702_920, 662_791} { // 1.6 to the power of -(1 - 2^-load)
		s := newSteering(5*time.Millisecond, 0, 5, strain, reading{})
		if n := s.iterations(); n < want-500 || n > want+500 {
			t.Errorf("load %d begins with %d iterations, want %d", load, n, want)
		}
		b := newBusyServer(4, 0, func(time.Duration) float64 { return 8 }, s.iterations())
		for range 100 {
			s.take(b.serve(s.iterations()))
		}
		strain = s.strain()
	}
	if s := newSteering(5*time.Millisecond, 0, 5, 0, reading{}); s.strain() != 1 {
		t.Errorf("strain %v without a load", s.strain())
	}
}
