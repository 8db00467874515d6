package engine

import (
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// What a program does after an attempt of which it does not know whether it was
// applied, or that failed.
const (
	PolicyStop     = "stop"     // the op ends so
	PolicyRetry    = "retry"    // it is tried again
	PolicyReadBack = "readback" // the stored state is looked at: the op has committed if it seems applied, else it is tried again
)

// policy is what follows attempts that came to no answer.
type policy struct {
	unknown, failed string
	reader          workloads.ReadBack // for PolicyReadBack
}

// next says what follows an attempt that ended so.
func (p policy) next(v strategies.Verdict) string {
	switch {
	case v == strategies.Unknown && p.unknown != "":
		return p.unknown
	case v == strategies.Failed && p.failed != "":
		return p.failed
	}
	return PolicyStop
}

// policyOf is what a cell asks for.
func policyOf(c results.Cell, w workloads.Workload) policy {
	p := policy{unknown: c.OnUnknown, failed: c.OnFailed}
	p.reader, _ = w.(workloads.ReadBack)
	return p
}

// unread is why a workload's ops cannot be looked at afterwards, or empty.
func unread(w workloads.Workload) string {
	if _, ok := w.(workloads.ReadBack); ok {
		return ""
	}
	return "--on-unknown readback: the stored state does not tell whether an op was applied"
}

func readsBack(c results.Cell) bool { return c.OnUnknown == PolicyReadBack }

// Events of reading back.
const (
	noteSeemsApplied = "readback_applied" // the op was taken for committed
	noteSeemsMissing = "readback_missing" // and was tried again
	noteLookFailed   = "readback_failed"  // and stays unknown
)

// readBack looks at the stored state after an unknown attempt. ok is false when
// it could not be looked at.
func (c *client) readBack() (applied, ok bool) {
	session, err := c.conn.Session(c.op.Keys[0])
	if err != nil {
		c.err = err
		return false, false
	}
	start := c.ended
	defer func() {
		c.ended = c.world.Now()
		c.spent.waits += c.window.part(start, c.ended)
		if applied && c.window.holds(c.ended) {
			c.inferred++
		}
	}()
	c.meter.begin(session)
	replies, err := c.meter.Exchange(c.policy.reader.ReadBack(c.op)...)
	c.shard.Exchanges(c.meter.exchanges, c.meter.bytesOut, c.meter.bytesIn, c.window.holds(c.world.Now()))
	if err != nil || firstError(replies) != "" {
		c.shard.Note(noteLookFailed)
		return false, false
	}
	if applied = c.policy.reader.Applied(c.op, replies); applied {
		c.shard.Note(noteSeemsApplied)
	} else {
		c.shard.Note(noteSeemsMissing)
	}
	return applied, true
}
