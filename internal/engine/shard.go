package engine

import (
	"sync"
	"time"

	"rmwbench/results"
	"rmwbench/workloads"
)

// shard is what a group of clients records into: one for each core, so that
// neither memory nor waiting for a lock grows with the number of clients.
type shard struct {
	*results.Recorder

	mu     sync.Mutex
	ledger workloads.Ledger // nil for a workload that keeps none
}

// note enters an attempt's effect into the ledger.
func (s *shard) note(op workloads.Op, effect workloads.Effect, answer string) {
	if s.ledger == nil || effect == workloads.EffectNone {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger.Note(op, effect, answer)
}

// shards is a fixed set of them, used again by every trial.
type shards []*shard

func newShards(n int) shards {
	all := make(shards, n)
	for i := range all {
		all[i] = &shard{Recorder: results.NewRecorder()}
	}
	return all
}

// reset empties them for a trial. Its window has that length, or 0 if it ends by
// the number of ops; watched says that its seconds are told.
func (s shards) reset(clients int, w workloads.Workload, window time.Duration, watched bool) {
	for _, sh := range s {
		sh.Reset(clients)
		sh.Follow(window, watched)
		sh.ledger = nil
		if a, ok := w.(workloads.Audited); ok {
			sh.ledger = a.NewLedger()
		}
	}
}

// of is the shard of a client.
func (s shards) of(client int) *shard { return s[client%len(s)] }

// merge brings all counts and notes together in the first shard.
func (s shards) merge() *shard {
	first := s[0]
	for _, other := range s[1:] {
		first.Merge(other.Recorder)
		if first.ledger != nil {
			first.ledger.Merge(other.ledger)
		}
	}
	return first
}
