package conformance

import (
	"math/rand/v2"
	"testing"

	"rmwbench/contention"
	"rmwbench/internal/engine"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// Ops that are sent again after a fault are done once by ways that keep a token
// with the work, and more than once by the others; a token that is claimed where
// nothing can branch on it helps nothing.
func TestTokensMakeRetriesSafe(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		for _, name := range []string{"watch-token", "lua-token", "claim-in-multi", "watch-pipelined", "lua", "atomic"} {
			kind, err := strategies.All.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			p := plan(name)
			p.Workloads, p.Clients = []string{"counter", "debit", "transfer"}, []int{8}
			p.Faults = []contention.FaultShares{{RequestLost: 0.05, RequestCut: 0.05, ReplyLost: 0.1}}
			p.OnUnknowns, p.OnFaileds = []string{engine.PolicyRetry}, []string{engine.PolicyRetry}
			runs, err := execute(t, w, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			safe := kind.Tokens && !kind.Control
			for i := range runs {
				r := &runs[i]
				if r.Committed+r.Rejected != p.Ops {
					t.Errorf("%s: %d committed, %d rejected of %d", name, r.Committed, r.Rejected, p.Ops)
				}
				if r.Notes["fault_reply-lost"] == 0 || r.Notes["fault_request-lost"] == 0 {
					t.Errorf("%s: no faults were met: %v", name, r.Notes)
				}
				switch r.Audit.Verdict {
				case results.AuditExact:
					if !safe {
						t.Errorf("%s %s: exact although every lost reply was sent again", name, r.Workload)
					}
				case results.AuditExtra:
					if safe {
						t.Errorf("%s %s: %s", name, r.Workload, r.Audit)
					}
				default:
					t.Errorf("%s %s: %s (%s)", name, r.Workload, r.Audit.Verdict, r.Audit)
				}
			}
		}
		leftovers(t, w)
	})
}

// Under load, what is sent again without a token is stored too often, by exactly
// as many as replies were lost; what stops in the midst leaves what its order of
// steps leaves.
func TestFaultsUnderLoadLeaveWhatTheyMust(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		p := plan("atomic", "lua", "lua-token")
		p.Workloads, p.Clients, p.Ops = []string{"counter"}, []int{8}, 2000
		p.Faults = []contention.FaultShares{{ReplyLost: 0.05}}
		p.OnUnknowns = []string{engine.PolicyRetry}
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			want := r.Notes["fault_reply-lost"]
			if r.Strategy == "lua-token" {
				want = 0
			}
			if r.Committed != p.Ops || r.Audit.Extra != want || r.Notes["fault_reply-lost"] == 0 {
				t.Errorf("%s: %d committed, %d stored too often, want %d: %v", name(r), r.Committed, r.Audit.Extra, want, r.Notes)
			}
		}

		p = plan("steps")
		p.Workloads, p.Clients, p.Keys, p.Ops = []string{"payload-first", "pointer-first"}, []int{1}, []int{50}, 200
		p.Faults = []contention.FaultShares{{ReplyLost: 0.2}}
		if runs, err = execute(t, w, p, nil); err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			r := &runs[i]
			want := map[string]string{"payload-first": results.AuditExact, "pointer-first": results.AuditBroken}[r.Workload]
			if r.Audit.Verdict != want || r.Unknown == 0 {
				t.Errorf("%s: audit %s (%s), want %s; %d unknown", name(r), r.Audit.Verdict, r.Audit, want, r.Unknown)
			}
		}
		leftovers(t, w)
	})
}

// Who reads back what is unknown is right while nobody else writes: an op whose
// request was lost is done again, and one whose reply was lost is not.
func TestReadingBackAlone(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		for fault, note := range map[contention.FaultShares]string{
			{ReplyLost: 0.2}: "readback_applied", {RequestLost: 0.2}: "readback_missing",
		} {
			p := plan("atomic")
			p.Workloads, p.Clients, p.Ops = []string{"set"}, []int{1}, 300
			p.Faults, p.OnUnknowns = []contention.FaultShares{fault}, []string{engine.PolicyReadBack}
			runs, err := execute(t, w, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			// An exchange that reads back may break too, and then the op stays unknown.
			r := &runs[0]
			looks := r.Notes["readback_applied"] + r.Notes["readback_missing"]
			if r.Committed+r.Unknown != p.Ops || r.Notes[note] == 0 || looks != r.Notes[note] {
				t.Errorf("%v: %d committed, %d unknown, notes %v", fault, r.Committed, r.Unknown, r.Notes)
			}
			if want := r.Verdicts["committed"] + r.Notes["readback_applied"]; r.Committed != want {
				t.Errorf("%v: %d committed, want %d", fault, r.Committed, want)
			}
		}
		p := plan("atomic")
		p.Workloads, p.OnUnknowns = []string{"counter"}, []string{engine.PolicyReadBack}
		if cells, na := p.Grid(w.facts); len(cells) > 0 || len(na) != 1 {
			t.Errorf("a counter cannot be read back: %v, %v", cells, na)
		}
	})
}

// A transaction rolls nothing back, and so its claim is taken away where a command
// of it fails: a token tells only of work that was done.
func TestATokenTellsOnlyOfWorkThatWasDone(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		for _, name := range []string{"watch-token", "lua-token"} {
			kind, _ := strategies.All.Get(name)
			for _, wname := range []string{"lpush", "counter"} {
				workload, _ := workloads.All.Get(wname)
				if kind.NotApplicable(workload, w.facts) != "" {
					continue
				}
				session, base := w.dial(t, 1), "conformance:"+name+":"+wname+":{1}"
				do(t, session, resp.Cmd{"HSET", base, "another", "type"})
				op := workload.Next(rand.New(rand.NewPCG(1, 2)), 0, base)
				op.ID = workloads.OpID(1, 1)
				if out := kind.Strategy.Attempt(session, workload, op); out.Verdict != strategies.Failed {
					t.Fatalf("%s %s: %v on a key of another type", name, wname, out.Verdict)
				}
				if do(t, session, resp.Cmd{"EXISTS", op.TokenKey()})[0].Int != 0 {
					t.Errorf("%s %s: a failed attempt leaves its token", name, wname)
				}
				do(t, session, append([]resp.Cmd{{"DEL", base}}, workload.Setup(base)...)...)
				if out := kind.Strategy.Attempt(session, workload, op); out.Verdict != strategies.Committed {
					t.Errorf("%s %s: the next attempt ends as %v %s", name, wname, out.Verdict, out.Error)
				}
				if do(t, session, resp.Cmd{"EXISTS", base})[0].Int != 1 {
					t.Errorf("%s %s: told to be done, and nothing is stored", name, wname)
				}
			}
		}
	})
}

// What is sent on a connection that is gone does not travel, and is no exchange.
func TestNothingTravelsOnABrokenConnection(t *testing.T) {
	faithfulWorlds(t, func(t *testing.T, w world) {
		p := plan("watch", "watch-pipelined", "lua")
		p.Workloads, p.Clients, p.Ops = []string{"counter"}, []int{2}, 50
		p.Faults = []contention.FaultShares{{RequestLost: 1}}
		runs, err := execute(t, w, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			if r := &runs[i]; r.Exchanges != r.Attempts || r.Attempts != p.Ops {
				t.Errorf("%s: %d exchanges in %d attempts, all of which broke in their first", name(r), r.Exchanges, r.Attempts)
			}
		}
	})
}
