package conformance

import (
	"slices"
	"testing"

	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// Between the reads and the write of an op at one desk another op draws a
// number at the other: neither overwrites the other. Who watches every key he
// reads meets a conflict; who watches the first only gives out the number that
// the other has given out, and the audit finds it.
func TestWriteSkew(t *testing.T) {
	eachWorld(t, func(t *testing.T, w world) {
		workload, _ := workloads.All.Get("ticket")
		side := w.dial(t, 0)
		for strategy, want := range map[string]strategies.Verdict{
			"watch": strategies.Conflict, "watch-pipelined": strategies.Conflict, "unwatched-key": strategies.Committed,
		} {
			kind, _ := strategies.All.Get(strategy)
			if reason := kind.NotApplicable(workload, w.facts); reason != "" {
				t.Fatalf("%s: %s", strategy, reason)
			}
			base := "conformance:skew:" + strategy + ":{1}"
			do(t, side, workload.Setup(base)...)
			keys := workload.Keys(base)
			mine := workloads.Op{ID: 1, Keys: keys, Args: []string{"front"}}
			other := workloads.Op{ID: 2, Keys: keys, Args: []string{"rear"}}
			ledger := workload.(workloads.Audited).NewLedger()
			session := &counting{Session: w.dial(t, 1)}
			session.before = func(cmds []resp.Cmd) {
				if slices.EqualFunc(cmds, []resp.Cmd{{"MULTI"}}, slices.Equal) || cmds[len(cmds)-1][0] == "EXEC" {
					session.before = nil
					overtake(t, side, workload, other)
					ledger.Note(other, workloads.EffectAll, "1")
				}
			}
			out := kind.Strategy.Attempt(session, workload, mine)
			ledger.Note(mine, out.Effect, out.Answer)
			if out.Verdict != want || out.Answer != "1" {
				t.Errorf("%s: %v %q, want %v of the number 1", strategy, out.Verdict, out.Answer, want)
			}
			var audit results.Audit
			ledger.Check(base, do(t, side, ledger.Reads(base)...), &audit)
			audit.Settle()
			if lost := want == strategies.Committed; lost != (audit.Verdict == results.AuditLost) {
				t.Errorf("%s: audit %s", strategy, audit)
			}
		}
	})
}
