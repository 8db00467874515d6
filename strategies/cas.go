package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("cas", Kind{
		Summary: "GET / SET key value IFEQ old: compare-and-set in one command (Valkey 8.1, Redis 8.4)",
		Retries: true, Exchanges: replacing,
		Applies: func(w workloads.Workload, f Facts) string {
			switch reason := needsOneString(w, f); {
			case reason != "":
				return reason
			case f.NoIFEQ:
				return "SET ... IFEQ came with Valkey 8.1 and Redis 8.4; this is " + f.Product + " " + f.Version
			}
			return ""
		},
		Strategy: cas{},
	})
}

// cas writes only if the key still holds what was read. A missing key holds no
// value to compare with, so there the write asks for a missing key: NX.
// KEEPTTL goes with both.
//
// It compares values, not versions: a value that went and came back (A, B, A)
// is taken for untouched, which is right for a decision that rests on the value
// alone. It cannot protect a second key, a part of a hash, or a deletion.
// https://valkey.io/commands/set/
type cas struct{}

func (cas) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	old, step, failed := readOne(s, w, op)
	switch {
	case failed != nil:
		return *failed
	case step.Kind == workloads.Reject:
		return Outcome{Verdict: Rejected, Answer: step.Answer}
	}
	write := with(step.Cmds[0], "IFEQ", old.Str)
	if old.Kind == resp.Nil {
		write = with(step.Cmds[0], "NX")
	}
	reply, failed := single(s, write)
	switch {
	case failed != nil:
		return *failed
	case reply.Kind == resp.Error:
		return Outcome{Verdict: Failed, Error: reply.Str}
	case reply.Kind == resp.Nil:
		return Outcome{Verdict: Conflict}
	}
	return Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: step.Answer}
}
