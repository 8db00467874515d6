package results

import "time"

// Summary is what the trials of one cell come to together: counts are pooled,
// histograms merged, and the trial is the unit of statistics.
type Summary struct {
	Cell
	Source   string
	Trials   int       // whole ones; partial trials take no part
	Partial  int       // trials cut short
	Goodputs []float64 // committed ops per second, one for each trial
	Elapsed  time.Duration

	Committed, Rejected, GaveUp, Failed, Unknown, Unfinished int64
	Attempts, Conflicts, Exchanges                           int64
	AttemptsHistogram, AttemptsByAttempt, ConflictsByAttempt Buckets

	Latency       *Histogram // of committed ops
	Service       *Histogram // the same from their start; empty in a closed loop
	Arrivals      Arrivals   // zero in a closed loop
	UnfinishedAge *Histogram // of ops that the ends of trials overtook

	Bystander       *Histogram // of reads by bystanders, from their intended start; empty without bystanders
	BystanderFailed int64
	KeptPerOp       []float64 // bytes of the server's memory that an answered op left taken, one for each trial that knows

	Audit    Audit // of all trials together
	Warnings []string

	wholeElapsed, clientCPU, serverCPU time.Duration
	serverCPUKnown                     bool
	cores                              int  // of the tool's machine
	hosts                              bool // the server runs in the tool's process
	unaudited                          int  // whole trials
	scriptTimes                        []Sample
}

// Summaries groups runs by cell, in the order of cells, cells that are not in
// it last in the order of their first run.
func Summaries(cells []Cell, runs []Run) []Summary {
	index := make(map[Cell]int, len(cells))
	var all []Summary
	at := func(c Cell) *Summary {
		i, ok := index[c]
		if !ok {
			i = len(all)
			index[c] = i
			all = append(all, Summary{Cell: c, Latency: NewHistogram(), Service: NewHistogram(), UnfinishedAge: NewHistogram(), Bystander: NewHistogram(), serverCPUKnown: true})
		}
		return &all[i]
	}
	for _, c := range cells {
		at(c)
	}
	for i := range runs {
		at(runs[i].Cell).add(&runs[i])
	}
	for i := range all {
		// One trial that nobody looked at leaves the cell unproven, but not one
		// that was found wrong.
		if all[i].Audit.Settle(); all[i].Audit.Keys == 0 || all[i].unaudited > 0 && !all[i].Audit.Void() {
			all[i].Audit.Verdict = AuditNone
		}
	}
	return all
}

func (s *Summary) add(r *Run) {
	s.Source = r.Source
	for _, w := range r.Warnings {
		s.warn(w)
	}
	if r.Audit != nil {
		s.Audit.add(r.Audit)
	}
	if r.Partial {
		s.Partial++
		return
	}
	if r.Audit == nil || r.Audit.Verdict == AuditNone {
		s.unaudited++
	}
	s.Trials++
	s.Goodputs = append(s.Goodputs, r.Goodput())
	s.Elapsed += time.Duration(r.ElapsedNS)
	s.Committed += r.Committed
	s.Rejected += r.Rejected
	s.GaveUp += r.GaveUp
	s.Failed += r.FailedOps()
	s.Unknown += r.Unknown
	s.Unfinished += r.Unfinished
	s.Attempts += r.Attempts
	s.Conflicts += r.Conflicts
	s.Exchanges += r.Exchanges
	s.AttemptsHistogram.Merge(&r.AttemptsHistogram)
	s.AttemptsByAttempt.Merge(&r.AttemptsByAttempt)
	s.ConflictsByAttempt.Merge(&r.ConflictsByAttempt)
	if r.Latency != nil {
		s.Latency.Merge(r.Latency)
	}
	if r.ServiceLatency != nil {
		s.Service.Merge(r.ServiceLatency)
	}
	if a := r.Arrivals; a != nil {
		s.Arrivals.Offered += a.Offered
		s.Arrivals.Late += a.Late
		s.Arrivals.Unserved += a.Unserved
	}
	if r.UnfinishedAge != nil {
		s.UnfinishedAge.Merge(r.UnfinishedAge)
	}
	if r.BystanderLatency != nil {
		s.Bystander.Merge(r.BystanderLatency)
	}
	s.BystanderFailed += r.BystanderFailed
	if a := r.Achieved.ScriptTimeNS; a != nil {
		s.scriptTimes = append(s.scriptTimes, Sample{NS: float64(a.Mean), Count: 1})
	}
	s.wholeElapsed += time.Duration(r.Whole.ElapsedNS)
	if r.Client != nil {
		s.clientCPU += time.Duration(r.Client.CPUNS)
		s.cores, s.hosts = r.Client.Cores, r.Client.Hosts
	}
	if r.Server != nil && r.Server.CPUNS != nil {
		s.serverCPU += time.Duration(*r.Server.CPUNS)
	} else {
		s.serverCPUKnown = false
	}
	answered := r.Whole.Verdicts[Committed.String()] + r.Whole.Verdicts[Rejected.String()]
	if r.Server != nil && r.Server.KeptBytes != nil && answered > 0 {
		s.KeptPerOp = append(s.KeptPerOp, float64(*r.Server.KeptBytes)/float64(answered))
	}
}

func (s *Summary) warn(text string) {
	for _, w := range s.Warnings {
		if w == text {
			return
		}
	}
	s.Warnings = append(s.Warnings, text)
}

func (a *Audit) add(other *Audit) {
	a.Acknowledged += other.Acknowledged
	a.Unknown += other.Unknown
	a.Stored += other.Stored
	a.Lost += other.Lost
	a.Extra += other.Extra
	a.Keys += other.Keys
	a.KeysWrong += other.KeysWrong
	if a.Detail == "" {
		a.Detail = other.Detail
	}
}

// Goodput is the median over trials of committed ops per second.
func (s *Summary) Goodput() Interval { return Median(s.Goodputs) }

// ConflictRate is p, conflicts per attempt, pooled; ok is false without
// attempts.
func (s *Summary) ConflictRate() (p float64, ok bool) { return ratio(s.Conflicts, s.Attempts) }

// AttemptsPerOp is attempts per committed or rejected op, the tries of ops
// that gave up or failed included; ok is false when no op was answered.
func (s *Summary) AttemptsPerOp() (float64, bool) {
	return ratio(s.Attempts, s.Committed+s.Rejected)
}

// ExchangesPerOp is round trips per committed or rejected op.
func (s *Summary) ExchangesPerOp() (float64, bool) {
	return ratio(s.Exchanges, s.Committed+s.Rejected)
}

// BystanderRate is the reads of all bystanders together per second of the
// measured windows; ok is false without bystanders.
func (s *Summary) BystanderRate() (rate float64, ok bool) {
	if s.Bystanders == 0 || s.Elapsed <= 0 {
		return 0, false
	}
	return float64(s.Bystander.Count()) / s.Elapsed.Seconds(), true
}

func ratio(a, b int64) (float64, bool) {
	if b == 0 {
		return 0, false
	}
	return float64(a) / float64(b), true
}

// ScriptTime is what script time came to: the mean over trials. ok is false where
// there was none, or the server did not tell.
func (s *Summary) ScriptTime() (mean time.Duration, ok bool) {
	spread := SpreadOf(s.scriptTimes)
	if spread == nil {
		return 0, false
	}
	return time.Duration(spread.Mean), true
}

// cutOffShare is the share of ops still running at the ends of trials from
// which latencies lack too many of the longest.
const cutOffShare = 0.1

// CutOff reports whether so many ops were still running when their trial ended
// that the latencies of the others are those of the short ones.
func (s *Summary) CutOff() bool {
	ended := s.Committed + s.Rejected + s.GaveUp + s.Failed + s.Unknown
	return float64(s.Unfinished) > cutOffShare*float64(ended+s.Unfinished)
}

// Dead reports whether every op that ended was a failure, or ended unknown:
// nothing was measured.
func (s *Summary) Dead() bool {
	return s.Failed+s.Unknown > 0 && s.Committed+s.Rejected+s.GaveUp == 0
}
