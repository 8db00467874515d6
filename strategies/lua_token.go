package strategies

import "rmwbench/workloads"

func init() {
	All.Add("lua-token", Kind{
		Summary:   "EVALSHA of the script in a variant that claims the op's token with the work: sent again, it answers what it answered",
		Scripts:   true,
		Tokens:    true,
		Exchanges: once,
		Applies:   needsScript,
		Strategy:  luaToken{},
	})
}

// luaToken is lua for those who send again what got no reply. A script runs as
// a whole, so that token and work are there together or not at all; within the
// token's life the op is done once.
type luaToken struct{}

func (luaToken) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	op = op.WithToken()
	script, args := spun(w.(workloads.Scripted).Script().Once(), op)
	return scripted(evalsha(s, script, op.Keys, args))
}
