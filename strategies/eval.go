package strategies

import "rmwbench/workloads"

func init() {
	All.Add("eval", Kind{
		Summary:   "EVAL: the script's whole body travels every time",
		Scripts:   true,
		Exchanges: once,
		Applies:   needsScript,
		Strategy:  eval{},
	})
}

// eval is lua without SHA1: nothing has to be loaded and nothing can be
// missing, at the price of the body on the wire and of its digest on the
// server.
type eval struct{}

func (eval) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	script, args := scriptOf(w, op)
	reply, failed := single(s, scriptCall("EVAL", script.Body, op.Keys, args))
	return scripted(reply, nil, failed)
}
