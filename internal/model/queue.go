package model

// Station is what n customers of a closed loop meet at one server.
type Station struct {
	Wait       float64 // in the queue per visit, in the unit of the times given
	Throughput float64 // visits per unit of time, all customers together
	Busy       float64 // share of time that the server works
}

// Queue is closed mean value analysis of one first-come-first-served server:
// customers who spend think outside (network and rest) between visits, and
// whose visits take service on average with squared coefficient of variation
// c2 (0: constant, 1: exponential). Times share one unit. For n = 1..customers
//
//	w(n) = S (Q - U) + U S (1 + c2)/2     wait: those queued, and the rest of the one being served
//	x    = min(n/(Z + w + S), 1/S)        throughput
//	Q    = n - x Z,  U = x S              customers at the server, and its utilisation
//
// Where the cap 1/S holds, the wait is what it leaves: n/x - Z - S. (Going on
// with the uncapped wait would let the queue grow by half a customer for each
// one more.)
//
// (Reiser and Lavenberg 1980, with the residual service time of an arrival
// that sees the server at the utilisation of one customer less.)
func Queue(customers int, think, service, c2 float64) (s Station) {
	queued := 0.0
	for n := 1; n <= customers; n++ {
		s.Wait = service*(queued-s.Busy) + s.Busy*service*(1+c2)/2
		s.Throughput = min(float64(n)/(think+s.Wait+service), 1/service)
		s.Wait = float64(n)/s.Throughput - think - service
		s.Busy = s.Throughput * service
		queued = float64(n) - s.Throughput*think
	}
	return s
}

// Knee is the number of customers from which the server is the limit: think
// and service together, in services.
func Knee(think, service float64) float64 { return (think + service) / service }
