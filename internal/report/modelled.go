package report

import (
	"encoding/json"
	"math"

	"rmwbench/internal/model"
	"rmwbench/internal/profile"
	"rmwbench/results"
	"rmwbench/strategies"
)

// Modelled is the goodput per second that closed forms give a simulated row: a
// check on the simulation that shares with it the times, and the server time and
// exchanges of an attempt. ok is false where they do not reach: back-off,
// bounded tries, think time and rejected ops of a loop that retries, several
// servers, a herd, bystanders that read as fast as they can, and optimistic loops that conflict too often for the linear
// law.
func (s *Setting) Modelled(row *results.Summary) (goodput float64, ok bool) {
	goodput, ok = s.closedForm(row)
	return goodput, ok && !math.IsNaN(goodput) && !math.IsInf(goodput, 0) // of a system in which nothing takes any time
}

func (s *Setting) closedForm(row *results.Summary) (goodput float64, ok bool) {
	kind, err := strategies.All.Get(row.Strategy)
	if err != nil || s.Source != results.SourceSimulated || row.Herd || row.Rate > 0 || row.BystandersClosed || row.Shards > 1 || row.MaxTries > 0 || row.Fault != "" {
		return 0, false
	}
	c, ok := s.closed(row)
	switch {
	case !ok:
		return 0, false
	case !kind.Retries:
		answered := float64(row.Committed + row.Rejected)
		return c.Direct() * float64(row.Committed) / max(answered, 1), true
	case row.Rejected > 0 || row.Backoff != "none" || c.Think > 0:
		return 0, false
	}
	keys, ok := s.Popularity()
	if !ok {
		return 0, false
	}
	p := c.Optimistic(keys)
	return p.Goodput, p.InRange
}

// closed is a row's closed loop as the model wants it: an attempt's exchanges
// and server time as counted, the rest as asked for.
func (s *Setting) closed(row *results.Summary) (c model.Closed, ok bool) {
	var attempts, exchanges, server float64
	decides := false // the client does, and not the server in no time
	for _, run := range s.Trials(row.Cell) {
		if run.Server == nil || run.Server.CPUNS == nil {
			return c, false
		}
		decides = decides || run.Achieved.DecisionNS != nil
		attempts += float64(run.Whole.Attempts)
		exchanges += float64(run.Whole.Exchanges)
		server += float64(*run.Server.CPUNS) / 1e9
	}
	if attempts == 0 {
		return c, false
	}
	c = model.Closed{
		Clients: row.Clients, Exchanges: exchanges / attempts, Service: server / attempts,
		RoundTrip: float64(row.RTTNS)/1e9 + s.network, Think: float64(row.ThinkNS) / 1e9,
	}
	if decides {
		c.Decision = float64(row.DecisionNS) / 1e9
	}
	return c, true
}

// networkOf is the mean round trip of a header's profile, in seconds, without
// the server's time and without an injected delay.
func networkOf(h results.Header) float64 {
	var p profile.Profile
	if err := json.Unmarshal(h.Profile, &p); err != nil {
		return 0
	}
	return p.Network.BaseNS.Mean() / 1e9
}
