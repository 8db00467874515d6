package results

import (
	"math"
	"math/bits"
	"time"
)

// maxPoints bounds the points of a series.
const maxPoints = 300

// SeriesInterval is how long one point of the series of a window is: 100 ms, or
// else the fewest whole seconds of which there are at most 300. It is 0, for no
// series, where the window is shorter than a second.
func SeriesInterval(window time.Duration) time.Duration {
	const short = 100 * time.Millisecond
	switch {
	case window < time.Second:
		return 0
	case window <= maxPoints*short:
		return short
	}
	return (window + maxPoints*time.Second - 1) / (maxPoints * time.Second) * time.Second
}

// Tally counts what ended in a stretch of time. It takes 8 KB.
type Tally struct {
	committed, rejected, attempts, conflicts int64
	latency                                  bins // of committed ops
}

// bins counts durations up to a minute: by the nanosecond below 128 ns, then in
// 64 bins for each power of two, whose middles are off by at most 0.8 %.
type bins [64 * 31]uint32

// bin is where a duration is counted, from 0 to histogramMax.
func bin(d time.Duration) int {
	v := uint64(min(max(d, 0), histogramMax))
	if v < 128 {
		return int(v)
	}
	shift := bits.Len64(v) - 7 // leaves 64 to 127
	return shift*64 + int(v>>shift)
}

// middle is the duration that a bin stands for.
func middle(bin int) int64 {
	if bin < 128 {
		return int64(bin)
	}
	shift := bin/64 - 1
	return int64(64+bin%64)<<shift + int64(1)<<shift/2
}

// attempt counts an attempt that has ended.
func (t *Tally) attempt(v Verdict) {
	t.attempts++
	if v == Conflict {
		t.conflicts++
	}
}

// op counts an op that has ended.
func (t *Tally) op(outcome OpOutcome, latency time.Duration) {
	switch outcome {
	case OpCommitted:
		t.committed++
		t.latency[bin(latency)]++
	case OpRejected:
		t.rejected++
	}
}

// add adds what other has counted.
func (t *Tally) add(other *Tally) {
	t.committed += other.committed
	t.rejected += other.rejected
	t.attempts += other.attempts
	t.conflicts += other.conflicts
	if other.committed == 0 {
		return
	}
	for i, n := range other.latency {
		t.latency[i] += n
	}
}

// Point is what the tally comes to.
func (t *Tally) Point() Point {
	return Point{
		Committed: t.committed, Rejected: t.rejected, Attempts: t.attempts, Conflicts: t.conflicts,
		P50NS: t.quantile(0.5), P99NS: t.quantile(0.99),
	}
}

// quantile is the latency that a share q of the committed ops does not exceed,
// or nil if there are none.
func (t *Tally) quantile(q float64) *int64 {
	left := max(int64(math.Ceil(q*float64(t.committed))), 1)
	for i, n := range t.latency {
		if left -= int64(n); left <= 0 && n > 0 {
			d := middle(i)
			return &d
		}
	}
	return nil
}

// tallies are the parts of a recorder's window, and what nobody has looked at
// yet. Times count from the start of the window.
type tallies struct {
	interval time.Duration // 0: no series
	parts    []Tally
	last     int           // where the last record went: the next one mostly goes there too
	from, to time.Duration // of that part
	fresh    *Tally        // since the last look; nil: nobody looks
}

// follow empties the parts for a window, and keeps their memory.
func (t *tallies) follow(window time.Duration, watched bool) {
	t.interval = SeriesInterval(window)
	n := 0
	if t.interval > 0 {
		n = int((window + t.interval - 1) / t.interval)
	}
	if cap(t.parts) < n {
		t.parts = make([]Tally, n)
	}
	t.parts = t.parts[:n]
	clear(t.parts)
	t.last, t.from, t.to = 0, 0, t.interval
	t.fresh = nil
	if watched {
		t.fresh = &Tally{}
	}
}

// at is the part that holds a time of the window, or nil where there is no
// series.
func (t *tallies) at(when time.Duration) *Tally {
	if when >= t.from && when < t.to {
		return &t.parts[t.last]
	}
	if t.interval == 0 {
		return nil
	}
	t.last = min(max(int(when/t.interval), 0), len(t.parts)-1)
	t.from = time.Duration(t.last) * t.interval
	t.to = t.from + t.interval
	return &t.parts[t.last]
}

// attempt counts an attempt that has ended in the window.
func (t *tallies) attempt(when time.Duration, v Verdict) {
	if part := t.at(when); part != nil {
		part.attempt(v)
	}
	if t.fresh != nil {
		t.fresh.attempt(v)
	}
}

// op counts an op that has ended in the window.
func (t *tallies) op(when time.Duration, outcome OpOutcome, latency time.Duration) {
	if part := t.at(when); part != nil {
		part.op(outcome, latency)
	}
	if t.fresh != nil {
		t.fresh.op(outcome, latency)
	}
}

// merge adds the parts of a recorder of the same window.
func (t *tallies) merge(other *tallies) {
	if len(t.parts) != len(other.parts) || t.interval != other.interval {
		panic("results: recorders of different windows are merged")
	}
	for i := range t.parts {
		t.parts[i].add(&other.parts[i])
	}
}

// Follow has the recorder keep a series of a window of that length, in up to
// 2.4 MB (300 tallies), until it is reset. A window of which only the number of
// ops is known has the length 0 and no series. Watched says that Look will be
// called.
func (r *Recorder) Follow(window time.Duration, watched bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tallies.follow(window, watched)
}

// Look moves what was recorded in the window since the last look into a tally.
// The recorder must be watched.
func (r *Recorder) Look(into *Tally) {
	r.mu.Lock()
	defer r.mu.Unlock()
	into.add(r.tallies.fresh)
	*r.tallies.fresh = Tally{}
}

// Series is the series of a window that ended after that long, perhaps before
// its time, or nil if none was kept.
func (r *Recorder) Series(elapsed time.Duration) *Series {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &r.tallies
	if t.interval == 0 || elapsed <= 0 {
		return nil
	}
	n := min(int((elapsed+t.interval-1)/t.interval), len(t.parts))
	s := &Series{IntervalNS: int64(t.interval), Points: make([]Point, n)}
	for i := range s.Points[:n-1] {
		s.Points[i] = t.parts[i].Point()
	}
	last := t.parts[n-1]
	for i := n; i < len(t.parts); i++ {
		last.add(&t.parts[i]) // what ended at the very end
	}
	s.Points[n-1] = last.Point()
	return s
}
