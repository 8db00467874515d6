package report

import (
	"fmt"

	"rmwbench/results"
)

// reached is the share of the offered arrivals from which on an open loop has
// kept up: what is short of it may be on its way when the run ends.
const reached = 0.97

// KeptUp reports whether an open loop dealt with its arrivals.
func KeptUp(s *results.Summary) bool {
	offered := float64(s.Arrivals.Offered)
	return ended(s) >= reached*offered || float64(s.Arrivals.Unserved) <= (1-reached)*offered
}

// ended is the number of ops that came to an end, whichever.
func ended(s *results.Summary) float64 {
	return float64(s.Committed + s.Rejected + s.GaveUp + s.Failed + s.Unknown)
}

// rateMissed says in a sentence that an open loop's rate was not reached, or "".
func rateMissed(s *results.Summary) string {
	if s.Rate == 0 || s.Trials == 0 || s.Elapsed <= 0 || KeptUp(s) {
		return ""
	}
	seconds := s.Elapsed.Seconds()
	text := fmt.Sprintf("the rate was not reached: of %.0f arrivals/s %.0f/s were dealt with, and %d found no client before the end",
		float64(s.Arrivals.Offered)/seconds, ended(s)/seconds, s.Arrivals.Unserved)
	if s.Burst != "" {
		return text + "."
	}
	return text + "; latencies grow with the length of the run."
}

// late is the share of arrivals that found no free client at their time.
func late(s *results.Summary) (share float64, ok bool) {
	if s.Arrivals.Offered == 0 {
		return 0, false
	}
	return float64(s.Arrivals.Late+s.Arrivals.Unserved) / float64(s.Arrivals.Offered), true
}
