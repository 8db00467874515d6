package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("evalsha-bare", Kind{
		Summary: "lua that loads its script at the start only: every op fails after SCRIPT FLUSH or a restart",
		Group:   GroupBugs, Control: true, FailsOnly: true, Scripts: true,
		Exchanges: once,
		Applies:   needsScript,
		Prepare: func(w workloads.Workload) []resp.Cmd {
			script := w.(workloads.Scripted).Script()
			return []resp.Cmd{{"SCRIPT", "LOAD", script.Body}, {"SCRIPT", "LOAD", script.Spinning().Body}}
		},
		Strategy: evalshaBare{},
	})
}

// evalshaBare takes it that a script once loaded stays. The server's cache of
// scripts is a cache.
type evalshaBare struct{}

func (evalshaBare) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	script, args := scriptOf(w, op)
	reply, failed := single(s, scriptCall("EVALSHA", script.SHA1, op.Keys, args))
	return scripted(reply, nil, failed)
}
