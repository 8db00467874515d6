package strategies

import (
	"strconv"
	"strings"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
	"rmwbench/workloads"
)

func init() {
	All.Add("lock", Kind{
		Summary: "SET lock token NX PX / reads / writes / release by a script that compares the token",
		Retries: true, Locks: true, Exchanges: locked,
		Own:      []scripts.Script{unlockScript},
		Keys:     func(base string) []string { return []string{lockKey(base)} },
		Prepare:  func(workloads.Workload) []resp.Cmd { return []resp.Cmd{{"SCRIPT", "LOAD", unlockScript.Body}} },
		Strategy: lock{ttl: 10_000, release: releaseOwn},
	})
	workloads.Twins.Add(unlockScript.Name, workloads.TwinFunc(unlockTwin))
}

// lock keeps others out while it does what unsafe does. A lock that is not to
// be had is a conflict.
//
// It is as safe as its time to live is long, and protects only against those
// who take it too. Where the holder took longer, the release finds the lock
// gone (NoteLockExpired): its writes were applied and answered, so the op has
// committed, and whether it has overwritten another's update or another
// overwrites its own is for the audit to tell. A client that is lost while it
// holds the lock keeps everybody out until the lock expires.
// https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/#correct-implementation-with-a-single-instance
type lock struct {
	ttl     int64 // milliseconds
	release func(s Session, key, token string) []Note
}

// The events of a lock.
const (
	// NoteLockExpired is a lock that its holder did not find in place at the end.
	NoteLockExpired Note = "lock_expired"
	// NoteLockLeft is a lock that may stay until it expires: the exchange that
	// was to take or to release it failed.
	NoteLockLeft Note = "lock_left"
)

func (l lock) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	key, token := lockKey(op.Keys[0]), lockToken(op)
	replies, err := s.Exchange(resp.Cmd{"SET", key, token, "NX", "PX", strconv.FormatInt(l.ttl, 10)})
	switch failed := readFailure(replies, err); {
	case err != nil:
		failed.Notes = []Note{NoteLockLeft}
		return *failed
	case failed != nil:
		return *failed
	case replies[0].Kind == resp.Nil:
		return Outcome{Verdict: Conflict}
	}
	out := unsafe{}.Attempt(s, w, op)
	out.Notes = l.release(s, key, token)
	return out
}

// locked is the promise of a lock: nothing but the try to take it where that
// fails.
func locked(shape Shape, v Verdict) int {
	switch v {
	case Conflict:
		return 1
	case Rejected:
		return 1 + shape.ReadSteps + 1
	}
	return 1 + shape.ReadSteps + 1 + 1
}

// lockKey is the lock of all ops on a base: every key of an op, and the base
// itself, begins with the base, which ends with its hash tag.
func lockKey(key string) string {
	if end := strings.IndexByte(key, '}'); end >= 0 {
		key = key[:end+1]
	}
	return key + ":lock"
}

// lockToken is a value that nobody else puts into the lock: the op is unique
// among all clients, and the attempt within the op.
func lockToken(op workloads.Op) string {
	return strconv.FormatUint(op.ID, 16) + "-" + strconv.Itoa(op.Attempt)
}

var unlockScript = scripts.MustGet("unlock")

// releaseOwn removes the lock if it still holds the token.
func releaseOwn(s Session, key, token string) []Note {
	reply, notes, failed := evalsha(s, unlockScript, []string{key}, []string{token})
	released, _, ok := workloads.ScriptVerdict(reply)
	switch {
	case failed != nil || !ok:
		notes = append(notes, NoteLockLeft)
	case !released:
		notes = append(notes, NoteLockExpired)
	}
	return notes
}

// unlockTwin decides as the script does.
func unlockTwin(op workloads.Op) workloads.Body {
	key, token := op.Keys[0], op.Args[0]
	return workloads.ReadOnce(resp.Cmd{"GET", key}, func(held resp.Reply) workloads.Step {
		if held.Kind == resp.Nil || held.Str != token {
			return workloads.Step{Kind: workloads.Reject}
		}
		return workloads.Step{Kind: workloads.Commit, Cmds: []resp.Cmd{{"DEL", key}}}
	})
}
