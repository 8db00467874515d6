package strategies

import "rmwbench/workloads"

func init() {
	All.Add("lua", Kind{
		Summary:   "EVALSHA; on NOSCRIPT, and only then, SCRIPT LOAD + EVALSHA",
		Scripts:   true,
		Exchanges: once,
		Applies:   needsScript,
		Strategy:  lua{},
	})
}

// lua runs the op as one script on the server, where nothing else runs
// meanwhile. The decision is the script's, so no client time is spent on it.
type lua struct{}

func (lua) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	script, args := scriptOf(w, op)
	return scripted(evalsha(s, script, op.Keys, args))
}
