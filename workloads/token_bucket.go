package workloads

import (
	"fmt"
	"math/rand/v2"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
)

func init() { All.Add("token-bucket", tokenBucket{}) }

// tokenBucket admits an op if the bucket holds a token, and fills the bucket by
// the time that has passed. Time is an argument, the op's number in ticks, so
// that a run can be repeated; of several clients' times the latest counts. An
// admission and a refusal are both answers.
//
// The bucket is a hash: tokens, at (the tick it was filled last) and admitted,
// the count of all admissions.
//
// Invariant: admitted = acknowledged admissions, each a token that was there:
// admitted + tokens <= capacity + rate x at.
type tokenBucket struct{}

const (
	bucketRate     = 8  // tokens a tick, which is an op of the fastest client
	bucketCapacity = 64 // tokens
)

var tokenBucketScript = scripts.MustGet("token-bucket")

func (tokenBucket) Summary() string {
	return fmt.Sprintf("take from a bucket of %d tokens, filled with %d a tick; time is the op's number", bucketCapacity, bucketRate)
}

func (tokenBucket) Keys(base string) []string { return []string{base} }

func (tokenBucket) Setup(base string) []resp.Cmd {
	return []resp.Cmd{{"HSET", base, "tokens", text(bucketCapacity), "at", "0", "admitted", "0"}}
}

func (tokenBucket) Next(_ *rand.Rand, n int, base string) Op {
	return Op{Keys: []string{base}, Args: []string{text(int64(n)), text(bucketRate), text(bucketCapacity)}}
}

func (tokenBucket) Begin(op Op) Body {
	key, now, rate, capacity := op.Keys[0], argument(op, 0), argument(op, 1), argument(op, 2)
	reads := []resp.Cmd{{"HMGET", key, "tokens", "at", "admitted"}}
	return &readThen{reads: reads, then: func(replies []resp.Reply) Step {
		n, ok := counts(replies[0])
		if !ok {
			return Step{Kind: Fail, Error: notInteger}
		}
		tokens, at, admitted := n[0], n[1], n[2]
		now := max(now, at)
		tokens = min(capacity, tokens+(now-at)*rate)
		if tokens < 1 {
			return Step{Kind: Reject, Answer: text(tokens)}
		}
		return Step{Kind: Commit, Answer: text(tokens - 1), Cmds: []resp.Cmd{
			{"HSET", key, "tokens", text(tokens - 1), "at", text(now), "admitted", text(admitted + 1)},
		}}
	}}
}

// counts reads stored counts: whole numbers from 0 to below maxExact, missing
// ones 0.
func counts(reply resp.Reply) (n []int64, ok bool) {
	for _, e := range reply.Elems {
		v, ok := whole(e)
		if !ok || v < 0 || v == maxExact {
			return nil, false
		}
		n = append(n, v)
	}
	return n, true
}

func (tokenBucket) Script() scripts.Script { return tokenBucketScript }

func (tokenBucket) NotAtomic() string {
	return "no command fills by the time passed, compares and takes"
}

func (tokenBucket) NewLedger() Ledger {
	return &tally{
		direction: +1, amount: func(Op) int64 { return 1 },
		reads: func(base string) []resp.Cmd { return []resp.Cmd{{"HMGET", base, "admitted", "tokens", "at"}} },
		value: func(replies []resp.Reply) (admitted int64, problem string) {
			n, ok := counts(replies[0])
			switch {
			case !ok || len(n) != 3:
				return 0, fmt.Sprintf("holds %v, not a bucket", replies[0])
			case n[0]+n[1] > bucketCapacity+bucketRate*n[2]:
				return 0, fmt.Sprintf("admitted %d and has %d tokens left at tick %d", n[0], n[1], n[2])
			}
			return n[0], ""
		},
	}
}
