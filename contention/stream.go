package contention

import "math/rand/v2"

// Concern is one use of random numbers. Each has streams of its own, so that turning one knob (more failures draw more
// delays) never reshuffles another (the sequence of keys). The numbers enter the streams: append new ones at the end.
type Concern uint64

const (
	Keys     Concern = iota // which key an operation goes to
	Ops                     // what an operation asks for
	Delays                  // back-off
	Network                 // injected network delays
	Arrivals                // intended starts of an open loop
	Faults                  // injected faults
	Beside                  // intended reads of bystanders
)

// Stream returns the generator of one client for one concern: the same for the same arguments, on every platform, and
// unrelated for different ones, neighbours included. It is for one goroutine.
func Stream(seed uint64, client int, concern Concern) *rand.Rand {
	high := mix(mix(mix(seed)+uint64(client)) + uint64(concern))
	var s struct { // one piece of memory: thousands of clients draw in turn
		rand.Rand
		pcg rand.PCG
	}
	s.pcg.Seed(high, mix(high))
	s.Rand = *rand.New(&s.pcg)
	return &s.Rand
}

// mix is one step of SplitMix64 (Steele, Lea, Flood 2014): the golden-ratio increment and a finaliser in which every input
// bit reaches every output bit. It is a bijection.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
