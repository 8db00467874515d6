package model

// Closed is a closed loop of clients around one server: each does an op, rests,
// and does the next. Times are in seconds.
type Closed struct {
	Clients   int
	Exchanges float64 // of an attempt
	RoundTrip float64 // of an exchange over the network, on average
	Decision  float64 // the client's, in an attempt
	Service   float64 // the server's, for a whole attempt: exchanges, commands, script
	Think     float64 // the client's, after an op
}

// Direct is the goodput of a way that never conflicts: a script, a function, one
// command. Closed mean value analysis; against simulation of the same system
// the error is at most 0.1 %.
func (c Closed) Direct() float64 {
	return c.visits().Throughput / c.Exchanges
}

// visits is what the clients meet at the server.
func (c Closed) visits() Station {
	outside := c.RoundTrip + (c.Decision+c.Think)/c.Exchanges
	return Queue(c.Clients, outside, c.Service/c.Exchanges, 0)
}

// Loop is one attempt among attempts of all clients: with what it waits at the
// server. The window begins when the first exchange is served and ends when the
// last one is.
func (c Closed) Loop() Loop {
	exchange := c.RoundTrip + c.visits().Wait + c.Service/c.Exchanges
	attempt := c.Exchanges*exchange + c.Decision
	return Loop{Attempt: attempt, Window: attempt - exchange}
}

// Optimistic is the linear law for an optimistic loop without back-off and
// without think time.
func (c Closed) Optimistic(keys Keys) Prediction { return Linear(keys, float64(c.Clients), c.Loop()) }
