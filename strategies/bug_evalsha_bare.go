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
			return []resp.Cmd{{"SCRIPT", "LOAD", w.(workloads.Scripted).Script().Body}}
		},
		Strategy: evalshaBare{},
	})
}

// evalshaBare takes it that a script once loaded stays. The server's cache of
// scripts is a cache.
type evalshaBare struct{}

func (evalshaBare) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	reply, failed := single(s, scriptCall("EVALSHA", w.(workloads.Scripted).Script().SHA1, op.Keys, op.Args))
	return scripted(reply, nil, failed)
}
