package strategies

import (
	"strconv"

	"rmwbench/internal/resp"
	"rmwbench/scripts"
	"rmwbench/workloads"
)

func init() {
	All.Add("lua", Kind{
		Summary:   "EVALSHA; on NOSCRIPT, and only then, SCRIPT LOAD + EVALSHA",
		Scripts:   true,
		Exchanges: func(Shape, Verdict) int { return 1 },
		Applies:   needsScript,
		Strategy:  lua{},
	})
}

// lua runs the op as one script on the server, where nothing else runs
// meanwhile. The decision is the script's, so no client time is spent on it.
type lua struct{}

func (lua) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	script := w.(workloads.Scripted).Script()
	call := evalsha(script, op)
	replies, err := s.Exchange(call)
	if err != nil {
		return lost(err)
	}
	if replies[0].Class() != "NOSCRIPT" {
		return scripted(replies[0])
	}
	// NOSCRIPT says that nothing ran, so calling again repeats no effect.
	replies, err = s.Exchange(resp.Cmd{"SCRIPT", "LOAD", script.Body}, call)
	out := Outcome{}
	switch {
	case err != nil:
		out = lost(err)
	case replies[0].Kind == resp.Error && replies[1].Class() == "NOSCRIPT":
		out = Outcome{Verdict: Failed, Error: replies[0].Str} // not loaded, and why
	default:
		out = scripted(replies[1])
	}
	out.Notes = []Note{NoteNoScript}
	return out
}

func needsScript(w workloads.Workload, _ Facts) string {
	if _, ok := w.(workloads.Scripted); !ok {
		return "the workload has no script"
	}
	return ""
}

// evalsha calls the script with the op's keys and arguments.
func evalsha(script scripts.Script, op workloads.Op) resp.Cmd {
	cmd := make(resp.Cmd, 0, 3+len(op.Keys)+len(op.Args))
	cmd = append(cmd, "EVALSHA", script.SHA1, strconv.Itoa(len(op.Keys)))
	cmd = append(cmd, op.Keys...)
	return append(cmd, op.Args...)
}

// scripted says what a script's reply means. An error inside a script keeps
// the writes that were already made.
func scripted(reply resp.Reply) Outcome {
	if reply.Kind == resp.Error {
		return Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: reply.Str}
	}
	committed, answer, ok := workloads.ScriptVerdict(reply)
	switch {
	case !ok:
		return Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: "the script answered " + reply.String()}
	case committed:
		return Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: answer}
	}
	return Outcome{Verdict: Rejected, Answer: answer}
}
