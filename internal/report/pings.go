package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"rmwbench/internal/verdict"
	"rmwbench/results"
)

// PingCeiling says what clients managed that did nothing but PING, or "".
func PingCeiling(pings []results.Pings) string {
	if len(pings) == 0 {
		return ""
	}
	words := make([]string, len(pings))
	for i, p := range pings {
		words[i] = fmt.Sprintf("%s %s", verdict.Count(p.Clients, "client"), perSecond(p.PerSecond))
	}
	return "PING ceiling, without injected delay: " + strings.Join(words, ", ") + "."
}

// perSecond is a rate with two or three digits.
func perSecond(v float64) string {
	switch {
	case v >= 99_500:
		return fmt.Sprintf("%.0fk/s", v/1000)
	case v >= 9_950:
		return fmt.Sprintf("%.1fk/s", v/1000)
	}
	return fmt.Sprintf("%.0f/s", v)
}

// ceilings are the pings of all measured headers by clients, the best of each
// number.
func (r *Report) ceilings() (all []results.Pings) {
	for _, h := range r.main() {
		all = append(all, h.Pings...)
	}
	slices.SortFunc(all, func(a, b results.Pings) int {
		return cmp.Or(cmp.Compare(a.Clients, b.Clients), cmp.Compare(b.PerSecond, a.PerSecond))
	})
	return slices.CompactFunc(all, func(a, b results.Pings) bool { return a.Clients == b.Clients })
}

// ceiling is the rate of pings of a number of clients: measured, or on the line,
// over the logarithm of clients, between the next ones that were. ok is false
// beyond them.
func ceiling(pings []results.Pings, clients int) (perSecond float64, ok bool) {
	i, measured := slices.BinarySearchFunc(pings, clients, func(p results.Pings, n int) int { return cmp.Compare(p.Clients, n) })
	switch {
	case measured:
		return pings[i].PerSecond, true
	case i == 0 || i == len(pings):
		return 0, false
	}
	low, high := pings[i-1], pings[i]
	part := math.Log(float64(clients)/float64(low.Clients)) / math.Log(float64(high.Clients)/float64(low.Clients))
	return low.PerSecond + part*(high.PerSecond-low.PerSecond), true
}

// PingShare is a row's exchanges per second as a share of the pings that as many
// clients manage. ok is false on a shared connection, where many go in one write: no
// number of PINGs one by one is its ceiling.
func (s *Setting) PingShare(row *results.Summary) (share float64, ok bool) {
	if row.Conn == results.ConnShared {
		return 0, false
	}
	most, ok := ceiling(s.pings, row.Clients)
	rate, known := row.ExchangeRate()
	if !ok || !known || most <= 0 {
		return 0, false
	}
	return rate / most, true
}

// nearPings names the rows that came near the ceiling, or is "".
func (s *Setting) nearPings() string {
	var who []string
	highest := 0.0
	for i := range s.Rows {
		row := &s.Rows[i]
		if share, ok := s.PingShare(row); ok && share >= results.Busy && !row.Audit.Void() {
			highest = max(highest, share)
			who = append(who, fmt.Sprintf("%s (%.0f %%)", Who(row.Cell), 100*share))
		}
	}
	if who == nil {
		return ""
	}
	text := fmt.Sprintf("Near the PING ceiling: with %.0f %% of the exchanges or more that as many clients manage when they do nothing but PING, "+
		"what was measured is the load generator and the way to the server rather than the strategy: %s.", 100*results.Busy, strings.Join(who, "; "))
	if highest > steady {
		text += " The machine was slower when the pings were measured: there is no ceiling that a load passes."
	}
	return text
}

// steady is the share of the ceiling that noise explains; a row beyond it says
// that the machine has changed meanwhile.
const steady = 1.1
