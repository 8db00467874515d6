package profile

import "math"

// Scaled is the profile of a server that is speed times as fast. The network
// and the client stay as they are.
func (p Profile) Scaled(speed float64) *Profile {
	faster := p.clone()
	s := &faster.Server
	s.ExchangeNS /= speed
	s.CommandNS /= speed
	s.NestedNS /= speed
	for name := range s.CommandsNS {
		s.CommandsNS[name] /= speed
	}
	return faster
}

// Rounded is the profile in whole nanoseconds and thousandths.
func (p Profile) Rounded() *Profile {
	rounded := p.clone()
	s := &rounded.Server
	s.ExchangeNS = math.Round(s.ExchangeNS)
	s.CommandNS = math.Round(s.CommandNS)
	s.NestedNS = math.Round(s.NestedNS)
	for name, ns := range s.CommandsNS {
		s.CommandsNS[name] = math.Round(ns)
	}
	for _, q := range []Quantiles{rounded.Network.BaseNS, rounded.Client.LateNS} {
		for i := range q {
			q[i].NS = math.Round(q[i].NS)
		}
	}
	rounded.Client.ExchangeNS = math.Round(rounded.Client.ExchangeNS)
	rounded.Client.HoldNS = math.Round(rounded.Client.HoldNS)
	if c := rounded.Checked; c != nil {
		c.Goodput, c.P = math.Round(1000*c.Goodput)/1000, math.Round(1000*c.P)/1000
	}
	return rounded
}
