package strategies

import (
	"slices"

	"rmwbench/contention"
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("unwatched-key", Kind{
		Summary: "watch-pipelined that watches the first of the keys it reads",
		Group:   GroupBugs, Control: true, Watches: true, Retries: true,
		Exchanges: func(shape Shape, _ Verdict) int { return max(shape.ReadSteps, 1) + 1 },
		Applies:   needsUnwatched,
		Strategy:  unwatchedKey{},
	})
}

// unwatchedKey decides on keys of which it watches one: the others may move
// unseen between read and write.
type unwatchedKey struct{}

func (unwatchedKey) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	return watchPipelined{}.Attempt(firstKey{s}, w, op)
}

// firstKey takes all keys but the first out of WATCH.
type firstKey struct{ Session }

func (f firstKey) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	if cmds[0][0] == "WATCH" {
		cmds = slices.Clone(cmds)
		cmds[0] = cmds[0][:2]
	}
	return f.Session.Exchange(cmds...)
}

// needsUnwatched answers why no update is lost although only the first key is
// watched, or empty. It plays some ops, alone and on strings only, and looks
// for one that changes what another has read without changing that one's first
// key.
func needsUnwatched(w workloads.Workload, _ Facts) string {
	const base, plays = "{base}", 30
	stored := map[string]resp.Reply{} // nil: missing
	for _, c := range w.Setup(base) {
		if c[0] == "SET" {
			stored[c[1]] = resp.Text(c[2])
		}
	}
	type seen struct {
		first         string
		reads, writes []string
	}
	var all []seen
	rng := contention.Stream(0, 0, contention.Ops)
	for n := range plays {
		op := w.Next(rng, n, base)
		if len(op.Keys) < 2 {
			return "its ops have one key, which is watched"
		}
		s := seen{first: op.Keys[0]}
		body := w.Begin(op)
		step := body.Next(nil)
		for step.Kind == workloads.Read {
			var replies []resp.Reply
			for _, c := range step.Cmds {
				if c[0] != "GET" {
					return "not tried: its keys are no strings"
				}
				s.reads = append(s.reads, c[1])
				replies = append(replies, stored[c[1]])
			}
			step = body.Next(replies)
		}
		if step.Kind == workloads.Commit {
			for _, c := range step.Cmds {
				s.writes = append(s.writes, c[1])
				if c[0] == "SET" {
					stored[c[1]] = resp.Text(c[2])
				}
			}
		}
		all = append(all, s)
	}
	for _, mine := range all {
		for _, other := range all {
			unseen := slices.ContainsFunc(other.writes, func(key string) bool { return slices.Contains(mine.reads, key) })
			if len(mine.writes) > 0 && unseen && !slices.Contains(other.writes, mine.first) {
				return ""
			}
		}
	}
	return "every op that writes another key writes the first one too, and that is watched"
}
