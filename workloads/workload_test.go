package workloads

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"rmwbench/internal/resp"
	"rmwbench/results"
)

// run drives a body against one stored value and answers its last step.
func run(w Workload, op Op, stored resp.Reply) (end Step, steps int) {
	body := w.Begin(op)
	step := body.Next(nil)
	for step.Kind == Read {
		steps++
		replies := make([]resp.Reply, len(step.Cmds))
		for i := range replies {
			replies[i] = stored
		}
		step = body.Next(replies)
	}
	return step, steps
}

func mustGet(t *testing.T, name string) Workload {
	t.Helper()
	w, err := All.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestCounterAdds(t *testing.T) {
	w := mustGet(t, "counter")
	for _, c := range []struct {
		stored resp.Reply
		n      string
		want   string // empty: not understood
	}{
		{resp.Reply{}, "1", "1"},
		{resp.Text("0"), "1", "1"},
		{resp.Text("-1"), "1", "0"},
		{resp.Text("41"), "-2", "39"},
		{resp.Text("9007199254740990"), "1", "9007199254740991"},
		{resp.Text("9007199254740991"), "1", ""}, // from 2^53 on a double may round
		{resp.Text("9007199254740992"), "0", ""},
		{resp.Text("-9007199254740991"), "-1", ""},
		{resp.Text("007"), "1", ""},
		{resp.Text("-0"), "1", ""},
		{resp.Text("3.5"), "1", ""},
		{resp.Text(" 1"), "1", ""},
		{resp.Text(""), "1", ""},
		{resp.Text("many"), "1", ""},
	} {
		end, _ := run(w, Op{Keys: []string{"k"}, Args: []string{c.n}}, c.stored)
		if c.want == "" {
			if end.Kind != Fail || end.Error != notInteger {
				t.Errorf("%v + %s: %+v, want a refusal", c.stored, c.n, end)
			}
			continue
		}
		want := resp.Cmd{"SET", "k", c.want, "KEEPTTL"}
		if end.Kind != Commit || end.Answer != c.want || len(end.Cmds) != 1 || end.Cmds[0].String() != want.String() {
			t.Errorf("%v + %s: %+v, want %v", c.stored, c.n, end, want)
		}
	}
}

func TestDebitTakesWhatIsCovered(t *testing.T) {
	w := mustGet(t, "debit")
	for _, c := range []struct {
		stored resp.Reply
		n      string
		kind   StepKind
		answer string
	}{
		{resp.Text("10"), "3", Commit, "7"},
		{resp.Text("10"), "10", Commit, "0"},
		{resp.Text("10"), "11", Reject, "10"},
		{resp.Reply{}, "1", Reject, "0"},
		{resp.Text("-5"), "1", Reject, "-5"},
		{resp.Text("1e3"), "1", Fail, ""},
	} {
		end, _ := run(w, Op{Keys: []string{"k"}, Args: []string{c.n}}, c.stored)
		if end.Kind != c.kind || end.Answer != c.answer {
			t.Errorf("%v - %s: %+v, want kind %d answer %q", c.stored, c.n, end, c.kind, c.answer)
		}
		if (end.Kind == Commit) != (len(end.Cmds) > 0) {
			t.Errorf("%v - %s: writes %v", c.stored, c.n, end.Cmds)
		}
	}
}

func TestOpsAreMadeFromTheBase(t *testing.T) {
	for _, name := range All.Names() {
		w := mustGet(t, name)
		allowed := map[string]bool{}
		for _, k := range w.Keys("base{7}") {
			allowed[k] = true
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for n := range 100 {
			for _, k := range w.Next(rng, n, "base{7}").Keys {
				if !allowed[k] {
					t.Fatalf("%s: op %d touches %s, which Keys does not list", name, n, k)
				}
			}
		}
	}
}

func TestScriptVerdictAcceptsOnlyTheConvention(t *testing.T) {
	for _, c := range []struct {
		reply     resp.Reply
		committed bool
		answer    string
		ok        bool
	}{
		{resp.List(resp.Integer(1), resp.Text("7")), true, "7", true},
		{resp.List(resp.Integer(0), resp.Text("3")), false, "3", true},
		{resp.List(resp.Integer(1)), false, "", false},
		{resp.List(resp.Integer(1), resp.Integer(7)), false, "", false}, // a number: truncated on its way
		{resp.List(resp.Text("1"), resp.Text("7")), false, "", false},
		{resp.Integer(1), false, "", false},
		{resp.Reply{}, false, "", false},
	} {
		committed, answer, ok := ScriptVerdict(c.reply)
		if committed != c.committed || answer != c.answer || ok != c.ok {
			t.Errorf("%v: %v %q %v", c.reply, committed, answer, ok)
		}
	}
}

// A debit that no balance covers moves nothing, so its lost reply must not
// widen the bounds.
func TestUncoveredDebitLeavesTheBoundsNarrow(t *testing.T) {
	ledger := mustGet(t, "debit").(Audited).NewLedger()
	ledger.Note(Op{Keys: []string{"k"}, Args: []string{strconv.Itoa(openingBalance + 1)}}, EffectMaybe, "")
	var audit results.Audit
	ledger.Check("k", []resp.Reply{resp.Text(strconv.Itoa(openingBalance)), resp.Integer(1)}, &audit)
	if audit.Unknown != 0 {
		t.Errorf("unknown = %d", audit.Unknown)
	}
}
