package strategies

import (
	"slices"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

// readOne does the part of a compare-and-set before its write: it reads the one
// key and decides. The value it read is what the write may replace; nil stands
// for a missing key.
func readOne(s Session, w workloads.Workload, op workloads.Op) (old resp.Reply, end workloads.Step, failed *Outcome) {
	body := w.Begin(op)
	read := body.Next(nil)
	if !readsOneString(read) {
		return old, read, &Outcome{Verdict: Failed, Error: notOneString}
	}
	replies, err := s.Exchange(read.Cmds...)
	if failed := readFailure(replies, err); failed != nil {
		return old, read, failed
	}
	old, end = replies[0], body.Next(replies)
	if end.Kind == workloads.Read || end.Kind == workloads.Commit && !writesOneString(end, read.Cmds[0][1]) {
		return old, end, &Outcome{Verdict: Failed, Error: notOneString}
	}
	end, failed = decide(s, body, end, op.Decision)
	return old, end, failed
}

const notOneString = "ERR the op is not one GET and one SET of the same key"

// readsOneString reports whether the step is one GET.
func readsOneString(step workloads.Step) bool {
	return step.Kind == workloads.Read && len(step.Cmds) == 1 && len(step.Cmds[0]) == 2 && step.Cmds[0][0] == "GET"
}

// writesOneString reports whether the step is one SET of the key that keeps its
// time to live.
func writesOneString(step workloads.Step, key string) bool {
	return len(step.Cmds) == 1 && len(step.Cmds[0]) == 4 &&
		step.Cmds[0][0] == "SET" && step.Cmds[0][1] == key && step.Cmds[0][3] == "KEEPTTL"
}

// needsOneString answers why a compare-and-set cannot do the workload, or
// empty. It plays some ops, alone and on strings only.
func needsOneString(w workloads.Workload, _ Facts) string {
	const base, plays = "{base}", 100
	const reason = "a compare-and-set replaces one string key: its ops are not one GET and one SET ... KEEPTTL of the same key"
	stored := map[string]resp.Reply{} // nil: missing
	for _, c := range w.Setup(base) {
		if c[0] == "SET" {
			stored[c[1]] = resp.Text(c[2])
		}
	}
	rng := contention.Stream(0, 0, contention.Ops)
	for n := range plays {
		body := w.Begin(w.Next(rng, n, base))
		read := body.Next(nil)
		if !readsOneString(read) {
			return reason
		}
		key := read.Cmds[0][1]
		end := body.Next([]resp.Reply{stored[key]})
		switch {
		case end.Kind == workloads.Read, end.Kind == workloads.Commit && !writesOneString(end, key):
			return reason
		case end.Kind == workloads.Commit:
			stored[key] = resp.Text(end.Cmds[0][2])
		}
	}
	return ""
}

// replacing is the promise of a compare-and-set.
func replacing(_ Shape, v Verdict) int {
	if v == Rejected {
		return 1
	}
	return 2
}

// with is a copy of a command with more words: the command belongs to the body.
func with(cmd resp.Cmd, words ...string) resp.Cmd {
	return slices.Concat(cmd, resp.Cmd(words))
}
