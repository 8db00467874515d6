package strategies

import (
	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

func init() {
	All.Add("atomic", Kind{
		Summary:   "the one command that does it, where there is one",
		Command:   true,
		Exchanges: once,
		Applies:   needsCommand,
		Strategy:  atomic{},
	})
}

// atomic sends the single command that expresses the op. The server decides,
// so no client time is spent on a decision.
type atomic struct{}

func (atomic) Attempt(s Session, w workloads.Workload, op workloads.Op) Outcome {
	form := w.(workloads.Atomic)
	replies, err := s.Exchange(form.Command(op))
	if err != nil {
		return lost(err)
	}
	if replies[0].Kind == resp.Error {
		if again, ok := w.(workloads.Already); ok && again.Already(replies[0]) {
			return Outcome{Verdict: Rejected, Answer: replies[0].Str}
		}
		return Outcome{Verdict: Failed, Error: replies[0].Str}
	}
	committed, answer := form.Judge(op, replies[0])
	if !committed {
		return Outcome{Verdict: Rejected, Answer: answer}
	}
	return Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: answer}
}

func needsCommand(w workloads.Workload, _ Facts) string {
	if _, ok := w.(workloads.Atomic); ok {
		return ""
	}
	reason := "no single command can express it"
	if w, ok := w.(workloads.NotAtomic); ok {
		reason += ": " + w.NotAtomic()
	}
	return reason
}
