package strategies

import (
	"slices"
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
	"rmwbench/workloads"
)

// scriptOf is the script that does the op, and its arguments.
func scriptOf(w workloads.Workload, op workloads.Op) (script scripts.Script, args []string) {
	return spun(w.(workloads.Scripted).Script(), op)
}

// spun is a script as the op wants it, spinning or not, and its arguments.
func spun(script scripts.Script, op workloads.Op) (variant scripts.Script, args []string) {
	if op.Spin == 0 {
		return script, op.Args
	}
	return script.Spinning(), append(slices.Clip(op.Args), strconv.FormatInt(op.Spin, 10))
}

// scriptCall is EVALSHA, EVAL or FCALL of what, with keys and arguments.
func scriptCall(name, what string, keys, args []string) resp.Cmd {
	cmd := make(resp.Cmd, 0, 3+len(keys)+len(args))
	cmd = append(cmd, name, what, strconv.Itoa(len(keys)))
	cmd = append(cmd, keys...)
	return append(cmd, args...)
}

// single does a command that may have an effect, in an exchange of its own.
func single(s Session, cmd resp.Cmd) (reply resp.Reply, failed *Outcome) {
	replies, err := s.Exchange(cmd)
	if err != nil {
		out := lost(err)
		return reply, &out
	}
	return replies[0], nil
}

// evalsha calls a script by its SHA1. On NOSCRIPT, and only then, it loads the
// script and calls it again.
func evalsha(s Session, script scripts.Script, keys, args []string) (reply resp.Reply, notes []Note, failed *Outcome) {
	call := scriptCall("EVALSHA", script.SHA1, keys, args)
	reply, failed = single(s, call)
	if failed != nil || !unknownScript(reply) {
		return reply, nil, failed
	}
	reply, failed = loaded(s, resp.Cmd{"SCRIPT", "LOAD", script.Body}, call)
	return reply, []Note{NoteNoScript}, failed
}

// loaded loads what a call was missing and makes the call again. The first one
// ran nothing, so that no effect is repeated.
func loaded(s Session, load, call resp.Cmd) (reply resp.Reply, failed *Outcome) {
	replies, err := s.Exchange(load, call)
	switch {
	case err != nil:
		out := lost(err)
		return reply, &out
	case replies[0].Kind == resp.Error && unknownScript(replies[1]):
		return reply, &Outcome{Verdict: Failed, Error: replies[0].Str} // not loaded, and why
	}
	return replies[1], nil
}

// unknownScript reports whether the server did not know the script or function
// that was called, and so ran nothing.
func unknownScript(reply resp.Reply) bool {
	return reply.Class() == "NOSCRIPT" || reply.Kind == resp.Error && reply.Str == "ERR Function not found"
}

// scripted says what the reply of a workload's script means. An error inside a
// script keeps the writes that were already made.
func scripted(reply resp.Reply, notes []Note, failed *Outcome) (out Outcome) {
	switch {
	case failed != nil:
		out = *failed
	case unknownScript(reply):
		out = Outcome{Verdict: Failed, Error: reply.Str}
	case reply.Kind == resp.Error:
		out = Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: reply.Str}
	default:
		committed, answer, ok := workloads.ScriptVerdict(reply)
		switch {
		case !ok:
			out = Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: "the script answered " + reply.String()}
		case committed:
			out = Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: answer}
		default:
			out = Outcome{Verdict: Rejected, Answer: answer}
		}
	}
	out.Notes = notes
	return out
}

// once is the promise of a way of one exchange.
func once(Shape, Verdict) int { return 1 }

func needsScript(w workloads.Workload, _ Facts) string {
	if _, ok := w.(workloads.Scripted); !ok {
		return "the workload has no script"
	}
	return ""
}
