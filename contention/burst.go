package contention

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Burst is a stretch of time in which arrivals come Factor times as often as before and after it. From counts from the
// start of the measured window. The zero Burst is none.
type Burst struct {
	Factor float64 // below 1 it is a lull
	From   time.Duration
	Length time.Duration
}

// Limits of a burst.
const (
	MinFactor = 0.001
	MaxFactor = 1000.0
)

// ParseBurst reads xFACTOR@FROM+LENGTH, as in "x2@10s+5s". The factor is a plain decimal; times are Go's durations, and a
// bare number is seconds.
func ParseBurst(s string) (Burst, error) {
	refused := fmt.Errorf("burst %q: must be xFACTOR@FROM+LENGTH like x2@10s+5s, the factor from %v to %v, "+
		"the times like 500ms, 1m30s or 10 (seconds), the length above 0", s, MinFactor, MaxFactor)

	factor, times, both := strings.Cut(s, "@")
	from, length, all := strings.Cut(times, "+")
	factor, x := strings.CutPrefix(factor, "x")
	if !both || !all || !x || strings.Trim(factor, "0123456789.") != "" {
		return Burst{}, refused
	}
	var b Burst
	var errs [3]error
	b.Factor, errs[0] = strconv.ParseFloat(factor, 64)
	b.From, errs[1] = span(from)
	b.Length, errs[2] = span(length)
	if errs != [3]error{} || b.check() != nil {
		return Burst{}, refused
	}
	return b, nil
}

// span reads a duration without a sign; a bare number is seconds.
func span(s string) (time.Duration, error) {
	if s == "" || s[0] == '-' || s[0] == '+' {
		return 0, fmt.Errorf("duration %q: want one without a sign", s)
	}
	if strings.Trim(s, "0123456789.") == "" {
		s += "s"
	}
	return time.ParseDuration(s)
}

// String writes b as "x2@10s+5s", from which ParseBurst reads exactly b. The zero Burst is "".
func (b Burst) String() string {
	if b == (Burst{}) {
		return ""
	}
	return fmt.Sprintf("x%s@%v+%v", strconv.FormatFloat(b.Factor, 'f', -1, 64), b.From, b.Length)
}

// check refuses values outside their range, NaN included.
func (b Burst) check() error {
	if !(b.Factor >= MinFactor && b.Factor <= MaxFactor) {
		return fmt.Errorf("factor is %v, must be %v to %v", b.Factor, MinFactor, MaxFactor)
	}
	if b.From < 0 || b.Length <= 0 || b.From > math.MaxInt64-b.Length {
		return fmt.Errorf("times are %v and %v, must be at least 0 and above 0", b.From, b.Length)
	}
	return nil
}

// End is when the burst is over, in the time that From counts in.
func (b Burst) End() time.Duration { return b.From + b.Length }

// After is the time at which a wait that began at a time is over, if it is wait at the plain rate and passes Factor times
// as fast in the burst; all in nanoseconds. With waits drawn from an exponential distribution these are the arrivals of a
// Poisson process whose rate is multiplied in the burst, by inversion of its cumulated rate: the same draws give the same
// arrivals up to the burst, and the same ones of the cumulated rate for ever.
func (b Burst) After(at, wait float64) float64 {
	from, end := float64(b.From), float64(b.End())
	if at < from {
		if at+wait <= from {
			return at + wait
		}
		wait -= from - at
		at = from
	}
	if at < end && b.Factor > 0 {
		if at+wait/b.Factor <= end {
			return at + wait/b.Factor
		}
		wait -= (end - at) * b.Factor
		at = end
	}
	return at + wait
}
