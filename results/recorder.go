package results

import (
	"maps"
	"sync"
	"time"
)

// AttemptRecord is one attempt as its client saw it.
type AttemptRecord struct {
	Number    int // 1 for an op's first attempt
	Verdict   Verdict
	At        time.Duration // its end, from the start of the measured window
	Latency   time.Duration
	Exchanges int
	BytesOut  int
	BytesIn   int
}

// OpRecord is one operation as its client saw it.
type OpRecord struct {
	Client   int
	Outcome  OpOutcome
	Attempts int
	At       time.Duration // its end, from the start of the measured window
	Latency  time.Duration // from the intended start
	Service  time.Duration // from the start, in an open loop; 0 in a closed one, where it is the same
	Backoff  time.Duration // spent in back-off
	Class    string        // of the error, for OpFailed and OpUnknown
}

// Recorder counts one trial for the clients that share it. Its methods may be
// called from several goroutines; recording does not allocate, errors and
// notes aside. One recorder serves the clients of one core; Merge brings them
// together.
type Recorder struct {
	mu    sync.Mutex
	times struct{ latency, service, other, attempt, unfinished, decision, rtt, bystander *Histogram }
	sums
	tallies   tallies
	perClient []int64
}

// sums are the counts of a recorder, apart so that Reset is one assignment.
type sums struct {
	outcomes           [opOutcomes]int64
	failed             map[string]int64
	texts              map[string]string // first error text of each class
	verdicts           [verdicts]int64
	wholeVerdicts      [verdicts]int64
	attemptsHistogram  Buckets
	attemptsByAttempt  Buckets
	conflictsByAttempt Buckets
	exchanges          int64
	wholeExchanges     int64
	bytesOut, bytesIn  int64
	backoff            time.Duration
	notes              map[string]int64
	bystanderFailed    int64
}

// NewRecorder returns an empty recorder (1.8 MB: eight histograms).
func NewRecorder() *Recorder {
	r := &Recorder{}
	for _, h := range r.histograms() {
		*h = NewHistogram()
	}
	r.Reset(0)
	return r
}

func (r *Recorder) histograms() []**Histogram {
	return []**Histogram{&r.times.latency, &r.times.service, &r.times.other, &r.times.attempt, &r.times.unfinished, &r.times.decision, &r.times.rtt, &r.times.bystander}
}

// Reset empties the recorder for a trial with that many clients. It keeps no
// series until it is told to.
func (r *Recorder) Reset(clients int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sums = sums{failed: map[string]int64{}, texts: map[string]string{}, notes: map[string]int64{}}
	r.tallies.follow(0, false)
	r.perClient = make([]int64, clients)
	for _, h := range r.histograms() {
		(*h).Reset()
	}
}

// Attempt counts one attempt that has ended; measured says whether it ended in
// the measured window.
func (r *Recorder) Attempt(a AttemptRecord, measured bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wholeVerdicts[a.Verdict]++
	r.wholeExchanges += int64(a.Exchanges)
	if !measured {
		return
	}
	r.verdicts[a.Verdict]++
	r.tallies.attempt(a.At, a.Verdict)
	r.attemptsByAttempt.Add(a.Number)
	if a.Verdict == Conflict {
		r.conflictsByAttempt.Add(a.Number)
	}
	r.exchanges += int64(a.Exchanges)
	r.bytesOut += int64(a.BytesOut)
	r.bytesIn += int64(a.BytesIn)
	r.times.attempt.Record(a.Latency)
}

// Exchanges counts exchanges of an op beside its attempts.
func (r *Recorder) Exchanges(n, bytesOut, bytesIn int, measured bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wholeExchanges += int64(n)
	if measured {
		r.exchanges += int64(n)
		r.bytesOut += int64(bytesOut)
		r.bytesIn += int64(bytesIn)
	}
}

// Op counts one operation that has ended in the measured window, or that the
// end of the run left unfinished.
func (r *Recorder) Op(o OpRecord) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes[o.Outcome]++
	r.backoff += o.Backoff
	r.tallies.op(o.At, o.Outcome, o.Latency)
	switch o.Outcome {
	case OpCommitted:
		r.attemptsHistogram.Add(o.Attempts)
		r.times.latency.Record(o.Latency)
		if o.Service > 0 {
			r.times.service.Record(o.Service)
		}
		r.perClient[o.Client]++
		return
	case OpUnfinished:
		r.times.unfinished.Record(o.Latency)
		return
	case OpFailed:
		r.failed[o.Class]++
	}
	r.times.other.Record(o.Latency)
}

// Note counts an event by name.
func (r *Recorder) Note(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes[name]++
}

// Error keeps the text of the first error of its class.
func (r *Recorder) Error(class, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.texts[class]; !ok {
		r.texts[class] = text
	}
}

// Decision records how long a decision really took.
func (r *Recorder) Decision(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times.decision.Record(d)
}

// RTT records how long an injected network delay really took, both ways.
func (r *Recorder) RTT(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times.rtt.Record(d)
}

// Bystander records the latency of a bystander's read, from its intended start,
// that ended in the measured window.
func (r *Recorder) Bystander(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times.bystander.Record(d)
}

// BystanderFailed counts reads of a bystander that ended in the measured window
// without an answer, or with an error.
func (r *Recorder) BystanderFailed(reads int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bystanderFailed += int64(reads)
}

// Merge adds what other has counted. Other must be at rest.
func (r *Recorder) Merge(other *Recorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, n := range other.outcomes {
		r.outcomes[i] += n
	}
	for i, n := range other.verdicts {
		r.verdicts[i] += n
	}
	for i, n := range other.wholeVerdicts {
		r.wholeVerdicts[i] += n
	}
	for i, n := range other.perClient {
		r.perClient[i] += n
	}
	for class, n := range other.failed {
		r.failed[class] += n
	}
	for class, text := range other.texts {
		if _, ok := r.texts[class]; !ok {
			r.texts[class] = text
		}
	}
	for name, n := range other.notes {
		r.notes[name] += n
	}
	r.attemptsHistogram.Merge(&other.attemptsHistogram)
	r.attemptsByAttempt.Merge(&other.attemptsByAttempt)
	r.conflictsByAttempt.Merge(&other.conflictsByAttempt)
	r.exchanges += other.exchanges
	r.wholeExchanges += other.wholeExchanges
	r.bytesOut += other.bytesOut
	r.bytesIn += other.bytesIn
	r.backoff += other.backoff
	r.bystanderFailed += other.bystanderFailed
	r.tallies.merge(&other.tallies)
	theirs := other.histograms()
	for i, h := range r.histograms() {
		(*h).Merge(*theirs[i])
	}
}

// Fill writes the counts into a run, the window's length aside. The run takes
// copies: the recorder can be reset.
func (r *Recorder) Fill(run *Run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	run.Committed = r.outcomes[OpCommitted]
	run.Rejected = r.outcomes[OpRejected]
	run.GaveUp = r.outcomes[OpGaveUp]
	run.Unknown = r.outcomes[OpUnknown]
	run.Unfinished = r.outcomes[OpUnfinished]
	run.Failed = maps.Clone(r.failed)
	run.Verdicts, run.Attempts = named(r.verdicts)
	run.Conflicts = r.verdicts[Conflict]
	run.AttemptsHistogram = r.attemptsHistogram
	run.AttemptsByAttempt = r.attemptsByAttempt
	run.ConflictsByAttempt = r.conflictsByAttempt
	run.Exchanges = r.exchanges
	run.BytesOut = r.bytesOut
	run.BytesIn = r.bytesIn
	run.BackoffNS = int64(r.backoff)
	run.Notes = maps.Clone(r.notes)
	run.Achieved = Achieved{DecisionNS: spread(r.times.decision), RTTNS: spread(r.times.rtt)}
	run.Latency = copied(r.times.latency)
	if r.times.service.Count() > 0 {
		run.ServiceLatency = copied(r.times.service)
	}
	if run.Bystanders > 0 {
		run.BystanderLatency = copied(r.times.bystander)
		run.BystanderReads = r.times.bystander.Count()
		run.BystanderFailed = r.bystanderFailed
	}
	run.OtherLatency = copied(r.times.other)
	run.AttemptLatency = copied(r.times.attempt)
	run.UnfinishedAge = copied(r.times.unfinished)
	run.Fairness = jain(r.perClient)
	run.Whole.Verdicts, run.Whole.Attempts = named(r.wholeVerdicts)
	run.Whole.Exchanges = r.wholeExchanges
	for _, class := range sortedKeys(r.texts) {
		run.Warn(r.texts[class])
	}
	if n := run.Latency.Clamped() + run.OtherLatency.Clamped() + run.AttemptLatency.Clamped() + r.times.bystander.Clamped(); n > 0 {
		run.Warn("latencies beyond 60 s were counted as 60 s")
	}
}

func copied(h *Histogram) *Histogram {
	c := NewHistogram()
	c.Merge(h)
	return c
}

func named(counts [verdicts]int64) (byName map[string]int64, total int64) {
	byName = make(map[string]int64, len(counts))
	for v, n := range counts {
		byName[Verdict(v).String()] = n
		total += n
	}
	return byName, total
}

// spread is what Achieved reports of a histogram, or nil if it is empty. The
// p99 is of all samples, however few: it describes this run's delays and is
// no estimate.
func spread(h *Histogram) *Spread {
	if h.Count() == 0 {
		return nil
	}
	s := &Spread{P50: h.h.ValueAtQuantile(50), P99: h.h.ValueAtQuantile(99), Mean: int64(h.h.Mean())}
	for _, share := range SpreadShares {
		s.Quantiles = append(s.Quantiles, h.h.ValueAtQuantile(100*share))
	}
	return s
}

// jain is Jain's fairness index (sum x)^2 / (n sum x^2): 1 if all clients
// committed equally often, 1/n if one did everything, nil if nobody did.
func jain(x []int64) *float64 {
	var sum, squares float64
	for _, v := range x {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	if squares == 0 {
		return nil
	}
	index := sum * sum / (float64(len(x)) * squares)
	return &index
}
