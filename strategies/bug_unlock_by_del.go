package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("unlock-by-del", Kind{
		Summary: "lock for 1 ms that is released by DEL, whoever holds it then: wants --decision 1ms or more",
		Group:   GroupBugs, Control: true, Retries: true, Locks: true,
		Exchanges: locked,
		Keys:      func(base string) []string { return []string{lockKey(base)} },
		Applies: func(_ workloads.Workload, f Facts) string {
			if f.Embedded {
				return "keys of the embedded server do not expire by themselves"
			}
			return ""
		},
		Strategy: lock{ttl: 1, release: releaseAny},
	})
}

// releaseAny removes the lock without a look at who holds it. Where the own
// one has expired and another client has taken it, that client's is removed,
// and a third comes in: one late holder breaks the lock for all that follow.
// The time to live is so short that a usual decision outlives it.
func releaseAny(s Session, key, _ string) []Note {
	reply, failed := single(s, resp.Cmd{"DEL", key})
	switch {
	case failed != nil || reply.Kind == resp.Error:
		return []Note{NoteLockLeft}
	case reply.Int == 0:
		return []Note{NoteLockExpired}
	}
	return nil
}
