package live

import (
	"math"
	"time"

	"rmwbench/results"
	"rmwbench/scripts"
)

// reading is what is known of a load's scripts at one time.
type reading struct {
	at         time.Duration
	calls      int64         // of scripts that ran, as the server counts
	busy       time.Duration // that the server was at them
	attempts   int64         // that have ended, as the clients count
	iterations int64         // that these were to spin, all together
}

// steering keeps the time that scripts spin near what is asked for, although the
// speed of the loop drifts. It is pure: readings in, iterations out.
//
// The time of an iteration is what the server spent, less the scripts' own work,
// by the iterations that it executed meanwhile: the server's calls times the mean
// of the attempts that ended. These may have been sent long ago, when other
// iterations were set, so that what is set says nothing about what was executed.
// Older readings count less, by e after each memory.
type steering struct {
	asked float64 // ns of a script, beyond its own work
	own   float64 // ns of that

	calibrated float64 // ns of an iteration
	before     float64 // strain of the loads before
	first, set float64 // iterations: to begin with, and of the next script
	took, spun float64 // ns and iterations so far, older ones counting less
	last       reading
	samples    []sample
}

// sample is how long scripts spun between two readings, on average.
type sample struct {
	results.Sample
	from, to time.Duration
}

// How readings are turned into iterations: how long a reading counts, how far
// one may change what is set, and how far all together may.
const (
	memory  = 200 * time.Millisecond
	oneStep = 1.5
	allWay  = 3.0
)

// newSteering begins with a calibrated time of an iteration, in nanoseconds, times
// the strain of the loads before, which is the best guess at that of this one; 0:
// there were none.
func newSteering(asked, own time.Duration, iteration, strain float64, now reading) *steering {
	if strain == 0 {
		strain = 1
	}
	first := math.Min(float64(asked)/(iteration*strain), scripts.MostSpins)
	return &steering{
		asked: float64(asked), own: float64(own), calibrated: iteration, before: strain, first: first, set: first,
		took: float64(asked), spun: first, last: now,
	}
}

// strain is how much longer an iteration takes under load than when it was
// calibrated, this load and those before together: a script on an idle server is
// less likely to lose its core.
func (s *steering) strain() float64 {
	return within(math.Sqrt(s.before*s.took/s.spun/s.calibrated), 1/allWay, allWay)
}

// take goes by a new reading.
func (s *steering) take(now reading) {
	d := now.since(s.last)
	if d.calls < 0 || d.busy < 0 { // somebody has reset the server's counters
		s.last = now
		return
	}
	if d.calls == 0 || d.attempts == 0 {
		return // too early to tell: the next reading covers this one's time
	}
	length := s.sample(d)
	fade := math.Exp(-float64(d.at) / float64(memory))
	s.last = now
	if length == 0 { // the scripts' own work outweighs what is asked for
		return
	}
	s.took = fade*s.took + length*float64(d.calls)
	s.spun = fade*s.spun + float64(d.iterations)/float64(d.attempts)*float64(d.calls)
	s.set = within(s.asked*s.spun/s.took, s.set/oneStep, s.set*oneStep)
	s.set = within(s.set, s.first/allWay, s.first*allWay)
}

// end goes by the last reading of a load.
func (s *steering) end(now reading) {
	if d := now.since(s.last); d.calls > 0 && d.busy >= 0 {
		s.sample(d)
	}
}

// sample keeps how long scripts spun in a time, on average, and answers it.
func (s *steering) sample(d reading) (length float64) {
	length = math.Max(float64(d.busy)/float64(d.calls)-s.own, 0)
	s.samples = append(s.samples, sample{results.Sample{NS: length, Count: d.calls}, s.last.at, s.last.at + d.at})
	return length
}

// achieved is what script time came to in a window: in the samples that lie in it
// for the most part, or in all where there are none, as an answer can take longer
// than the window.
func (s *steering) achieved(from, to time.Duration) *results.Spread {
	var inside, all []results.Sample
	for _, sample := range s.samples {
		if middle := (sample.from + sample.to) / 2; middle >= from && middle < to {
			inside = append(inside, sample.Sample)
		}
		all = append(all, sample.Sample)
	}
	if inside == nil {
		inside = all
	}
	return results.SpreadOf(inside)
}

// iterations is how often the next script is to spin: at least once, as one that
// does not is another script.
func (s *steering) iterations() int64 {
	return int64(within(math.Round(s.set), 1, scripts.MostSpins))
}

func (r reading) since(earlier reading) reading {
	return reading{
		at: r.at - earlier.at, calls: r.calls - earlier.calls, busy: r.busy - earlier.busy,
		attempts: r.attempts - earlier.attempts, iterations: r.iterations - earlier.iterations,
	}
}

func within(v, lo, hi float64) float64 { return math.Max(lo, math.Min(v, hi)) }
