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
		Applies: func(w workloads.Workload, _ Facts) string {
			if op := w.Next(contention.Stream(0, 0, contention.Ops), 0, "{base}"); len(op.Keys) < 2 {
				return "its ops have one key, which is watched"
			}
			return ""
		},
		Strategy: unwatchedKey{},
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
