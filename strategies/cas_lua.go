package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/scripts"
	"rmwbench/workloads"
)

func init() {
	All.Add("cas-lua", Kind{
		Summary: "GET / a script that writes if the key still holds what was read: compare-and-set on every server",
		Retries: true, Exchanges: replacing,
		Own:      []scripts.Script{casScript},
		Applies:  needsOneString,
		Strategy: casLua{},
	})
	workloads.Twins.Add(casScript.Name, workloads.TwinFunc(casTwin))
}

// casLua is cas for servers without IFEQ. The decision stays with the client;
// the script is the same for every workload.
type casLua struct{}

var casScript = scripts.MustGet("cas")

func (casLua) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	old, step, failed := readOne(s, w, op)
	switch {
	case failed != nil:
		return *failed
	case step.Kind == workloads.Reject:
		return Outcome{Verdict: Rejected, Answer: step.Answer}
	}
	write := step.Cmds[0]
	args := []string{write[2], old.Str}
	if old.Kind == resp.Nil {
		args = args[:1]
	}
	out := scripted(evalsha(s, casScript, write[1:2], args))
	switch out.Verdict {
	case Committed:
		out.Answer = step.Answer
	case Rejected: // by the comparison
		out.Verdict = Conflict
	case Failed:
		out.Effect = workloads.EffectNone // its only write is the last thing it does
	}
	return out
}

// casTwin decides as the script does.
func casTwin(op workloads.Op) workloads.Body {
	key, args := op.Keys[0], op.Args
	return workloads.ReadOnce(resp.Cmd{"GET", key}, func(held resp.Reply) workloads.Step {
		missing := held.Kind == resp.Nil
		if wanted := len(args) < 2; missing != wanted || !missing && held.Str != args[1] {
			return workloads.Step{Kind: workloads.Reject}
		}
		return workloads.Step{Kind: workloads.Commit, Cmds: []resp.Cmd{{"SET", key, args[0], "KEEPTTL"}}}
	})
}
