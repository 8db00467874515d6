package results

// Verdict is what became of one attempt.
type Verdict uint8

// A conflict is an attempt refused because the data moved; a rejection is an
// answer of the business rule; failed is an error reply, or a connection lost
// before the effect was sent; unknown means that the reply to the effect was
// lost, so that it may or may not be stored.
const (
	Committed Verdict = iota
	Conflict
	Rejected
	Failed
	Unknown
	verdicts
)

func (v Verdict) String() string {
	return [...]string{"committed", "conflict", "rejected", "failed", "unknown"}[v]
}

// OpOutcome is what became of one operation, its retries included.
type OpOutcome uint8

// Gave up is an op whose tries were used up; unfinished is one that the end of
// the run overtook.
const (
	OpCommitted OpOutcome = iota
	OpRejected
	OpGaveUp
	OpFailed
	OpUnknown
	OpUnfinished
	opOutcomes
)
