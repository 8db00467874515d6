package strategies

import (
	"time"

	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

// Commands without arguments, shared by all attempts; nobody writes to them.
var (
	multi   = resp.Cmd{"MULTI"}
	exec    = resp.Cmd{"EXEC"}
	unwatch = resp.Cmd{"UNWATCH"}
)

// watchCmd watches every key of the op.
func watchCmd(op workloads.Op) resp.Cmd {
	cmd := append(make(resp.Cmd, 0, 1+len(op.Keys)), "WATCH")
	return append(cmd, op.Keys...)
}

// transaction is the writes between MULTI and EXEC.
func transaction(writes []resp.Cmd) []resp.Cmd {
	cmds := make([]resp.Cmd, 0, len(writes)+2)
	cmds = append(cmds, multi)
	cmds = append(cmds, writes...)
	return append(cmds, exec)
}

// decide drives the body from step on to its end, each step of reads one
// exchange, and then spends the decision time. failed is set when a read
// could not be done or the body did not understand the state.
func decide(s Session, body workloads.Body, step workloads.Step, decision time.Duration) (end workloads.Step, failed *Outcome) {
	for step.Kind == workloads.Read {
		replies, err := s.Exchange(step.Cmds...)
		if failed := readFailure(replies, err); failed != nil {
			return step, failed
		}
		step = body.Next(replies)
	}
	if decision > 0 {
		s.Hold(decision)
	}
	if step.Kind == workloads.Fail {
		return step, &Outcome{Verdict: Failed, Error: step.Error}
	}
	return step, nil
}

// readFailure is the outcome of an attempt that ends at an exchange without
// effects, or nil if the exchange went well.
func readFailure(replies []resp.Reply, err error) *Outcome {
	if err != nil {
		return &Outcome{Verdict: Failed, Error: connectionError(err)}
	}
	if text := firstError(replies); text != "" {
		return &Outcome{Verdict: Failed, Error: text}
	}
	return nil
}

// lost is the outcome of an attempt whose exchange with the effects failed.
func lost(err error) Outcome {
	return Outcome{Verdict: Unknown, Effect: workloads.EffectMaybe, Error: connectionError(err)}
}

// connectionError is the error text of a broken exchange, with its own class.
func connectionError(err error) string { return "CONNECTION " + err.Error() }

func firstError(replies []resp.Reply) string {
	for _, r := range replies {
		if r.Kind == resp.Error {
			return r.Str
		}
	}
	return ""
}

// transact ends an attempt that holds its watch: MULTI, the writes and EXEC as
// one exchange, or UNWATCH where the decision was not to write.
func transact(s Session, step workloads.Step, failed *Outcome) Outcome {
	if failed != nil {
		return release(s, *failed)
	}
	if step.Kind == workloads.Reject {
		return release(s, Outcome{Verdict: Rejected, Answer: step.Answer})
	}
	replies, err := s.Exchange(transaction(step.Cmds)...)
	if err != nil {
		return lost(err)
	}
	return finish(step, replies)
}

// finish says what the replies to MULTI, the writes and EXEC mean. Every
// element is looked at: EXEC answers with an array although a command in it
// failed, and a command refused while queueing is named before EXECABORT.
func finish(step workloads.Step, replies []resp.Reply) Outcome {
	last := replies[len(replies)-1]
	queued := replies[1 : len(replies)-1]
	switch last.Kind {
	case resp.Nil:
		return Outcome{Verdict: Conflict, Answer: step.Answer}
	case resp.Array:
		if text := firstError(last.Elems); text != "" {
			return Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: text}
		}
		if len(last.Elems) != len(queued) {
			text := firstError(queued)
			if text == "" {
				text = "EXEC answered for another number of commands than were queued"
			}
			return Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: text}
		}
		return Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: step.Answer}
	}
	out := Outcome{Verdict: Failed, Error: firstError(replies)}
	if out.Error == "" {
		out.Error = "EXEC answered neither nil nor an array"
	}
	for _, r := range queued {
		if r.Kind != resp.Error && !r.Queued() {
			out.Effect = workloads.EffectPart // MULTI was refused, so this one ran at once
		}
	}
	return out
}

// release ends an attempt that holds a watch but will not reach EXEC. A watch
// left behind would abort a later transaction of the same connection. What the
// exchange answers changes nothing: a broken connection holds no watch.
func release(s Session, out Outcome) Outcome {
	s.Exchange(unwatch)
	return out
}
