package model

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestOneCustomerNeverWaits(t *testing.T) {
	s := Queue(1, 200, 2, 0)
	near(t, "throughput", s.Throughput, 1/202.0, 1e-12)
	if math.Abs(s.Wait) > 1e-9 {
		t.Errorf("waits %v", s.Wait)
	}
}

// Past the knee the server's rate is the limit: a script of d seconds caps its
// own operation at 1/d (998 a second at 1 ms and 2 us a command).
func TestThroughputSaturates(t *testing.T) {
	s := Queue(256, 200, 1002, 0)
	near(t, "throughput per second", s.Throughput*1e6, 998, 1e-3)
	near(t, "busy", s.Busy, 1, 1e-9)
	near(t, "wait", s.Wait, 255*1002-200, 1e-3) // the others' services, less the time away
	near(t, "knee", Knee(200, 2), 101, 1e-12)
}

func TestQueueIsMonotonous(t *testing.T) {
	var before Station
	for n := 1; n <= 300; n++ {
		s := Queue(n, 200, 2, 1)
		if s.Throughput < before.Throughput-1e-12 || s.Wait < before.Wait-1e-9 || s.Busy > 1+1e-12 {
			t.Fatalf("%d customers: %+v, one fewer %+v", n, s, before)
		}
		near(t, "Little", s.Throughput*(200+s.Wait+2), float64(n), 1e-9)
		before = s
	}
}

// Against an event by event simulation of the same system, with half of the
// time outside fixed and half exponential.
func TestQueueAgainstSimulation(t *testing.T) {
	for _, c := range []struct {
		customers      int
		think, service float64
	}{{4, 200, 2}, {64, 200, 2}, {100, 200, 2}, {256, 200, 2}, {2, 200, 1002}, {16, 200, 102}} {
		want := simulateQueue(c.customers, c.think, c.service)
		near(t, "throughput", Queue(c.customers, c.think, c.service, 0).Throughput, want, 0.01)
	}
}

// simulateQueue is the throughput of customers around one server that serves
// in order of arrival, each service constant.
func simulateQueue(customers int, think, service float64) float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	outside := func() float64 { return think/2 + think/2*rng.ExpFloat64() }
	arrivals := make([]float64, customers)
	for i := range arrivals {
		arrivals[i] = outside()
	}
	const visits, warm = 400_000, 20_000
	free, from := 0.0, 0.0
	for visit := range visits {
		next := 0
		for i, at := range arrivals {
			if at < arrivals[next] {
				next = i
			}
		}
		done := math.Max(free, arrivals[next]) + service
		free = done
		arrivals[next] = done + outside()
		if visit == warm {
			from = done
		}
	}
	return (visits - warm) / (free - from)
}
