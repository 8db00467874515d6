package strategies

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rmwbench/internal/resp"
	"rmwbench/workloads"
)

var (
	ok   = resp.Text("OK")
	nope = resp.Reply{}
	yes  = resp.List(resp.Integer(1), resp.Text(""))
	no   = resp.List(resp.Integer(0), resp.Text(""))
	oom  = resp.Fault("OOM command not allowed")
)

func one(replies ...resp.Reply) (each [][]resp.Reply) {
	for _, r := range replies {
		each = append(each, []resp.Reply{r})
	}
	return each
}

// Of a compare-and-set, what it sends and what it makes of the replies.
func TestCompareAndSet(t *testing.T) {
	w, op := counterOp()
	for _, c := range []struct {
		strategy string
		replies  []resp.Reply
		sent     string // last
		want     Outcome
	}{
		{"cas", []resp.Reply{resp.Text("41"), ok}, "SET k 42 KEEPTTL IFEQ 41", Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: "42"}},
		{"cas", []resp.Reply{nope, ok}, "SET k 1 KEEPTTL NX", Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: "1"}},
		{"cas", []resp.Reply{resp.Text("41"), nope}, "SET k 42 KEEPTTL IFEQ 41", Outcome{Verdict: Conflict}},
		{"cas", []resp.Reply{resp.Text("41"), oom}, "SET k 42 KEEPTTL IFEQ 41", Outcome{Verdict: Failed, Error: oom.Str}},
		{"cas-lua", []resp.Reply{resp.Text("41"), yes}, "EVALSHA " + casScript.SHA1 + " 1 k 42 41", Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: "42"}},
		{"cas-lua", []resp.Reply{nope, yes}, "EVALSHA " + casScript.SHA1 + " 1 k 1", Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: "1"}},
		{"cas-lua", []resp.Reply{resp.Text("41"), no}, "EVALSHA " + casScript.SHA1 + " 1 k 42 41", Outcome{Verdict: Conflict}},
		{"cas-lua", []resp.Reply{resp.Text("41"), oom}, "EVALSHA " + casScript.SHA1 + " 1 k 42 41", Outcome{Verdict: Failed, Error: oom.Str}},
	} {
		s := &told{replies: one(c.replies...)}
		kind, _ := All.Get(c.strategy)
		out := kind.Strategy.Attempt(s, w, op)
		if fmt.Sprint(out) != fmt.Sprint(c.want) {
			t.Errorf("%s, told %v: %+v, want %+v", c.strategy, c.replies, out, c.want)
		}
		if got := s.log[len(s.log)-1][0].String(); got != c.sent {
			t.Errorf("%s, told %v, sent %s, want %s", c.strategy, c.replies, got, c.sent)
		}
	}
}

// What becomes of an op under a lock, whatever becomes of the lock.
func TestLock(t *testing.T) {
	w, op := counterOp()
	committed := Outcome{Verdict: Committed, Effect: workloads.EffectAll, Answer: "42"}
	noted := func(out Outcome, notes ...Note) Outcome { out.Notes = notes; return out }
	value, noscript, many := resp.Text("41"), resp.Fault("NOSCRIPT No matching script"), resp.Text("many")
	for _, c := range []struct {
		what    string
		replies [][]resp.Reply
		want    Outcome
	}{
		{"released", one(ok, value, ok, yes), committed},
		{"not to be had", one(nope), Outcome{Verdict: Conflict}},
		{"refused", one(oom), Outcome{Verdict: Failed, Error: oom.Str}},
		{"perhaps taken", nil, Outcome{Verdict: Failed, Error: "CONNECTION connection reset", Notes: []Note{NoteLockLeft}}},
		{"expired", one(ok, value, ok, no), noted(committed, NoteLockExpired)},
		{"release lost", one(ok, value, ok), noted(committed, NoteLockLeft)},
		{"release refused", one(ok, value, ok, oom), noted(committed, NoteLockLeft)},
		{"release loaded", append(one(ok, value, ok, noscript), []resp.Reply{resp.Text("sha"), yes}), noted(committed, NoteNoScript)},
		{"write refused", one(ok, value, oom, yes), Outcome{Verdict: Failed, Effect: workloads.EffectPart, Error: oom.Str}},
		{"not understood", one(ok, many, yes), Outcome{Verdict: Failed, Error: "ERR value is not an integer or out of range"}},
	} {
		kind, _ := All.Get("lock")
		s := &told{replies: c.replies}
		if out := kind.Strategy.Attempt(s, w, op); fmt.Sprint(out) != fmt.Sprint(c.want) || len(s.replies) > 0 {
			t.Errorf("%s: %+v, want %+v; %d replies left", c.what, out, c.want, len(s.replies))
		}
	}
}

// All keys of an op and its base have one lock, which carries the hash tag; the
// token of every attempt is another.
func TestLockKeyAndToken(t *testing.T) {
	for key, want := range map[string]string{
		"run:{7}": "run:{7}:lock", "run:{7}:from": "run:{7}:lock", "run:{7}to": "run:{7}:lock", "plain": "plain:lock",
	} {
		if got := lockKey(key); got != want {
			t.Errorf("the lock of %s is %s, want %s", key, got, want)
		}
	}
	seen := map[string]bool{}
	for client := range uint64(20) {
		for n := range uint64(20) {
			for attempt := range 20 {
				seen[lockToken(workloads.Op{ID: client<<40 | n, Attempt: attempt})] = true
			}
		}
	}
	if len(seen) != 20*20*20 {
		t.Errorf("%d tokens for %d attempts", len(seen), 20*20*20)
	}
}

// The lock of one workload is no key of any.
func TestOwnKeysAreNoKeysOfWorkloads(t *testing.T) {
	const base = "run:{7}"
	for _, name := range All.Names() {
		kind, _ := All.Get(name)
		for _, wname := range workloads.Ungrouped() {
			w, _ := workloads.All.Get(wname)
			keys := kind.KeysFor(w, base)
			slices.Sort(keys)
			if len(slices.Compact(keys)) != len(kind.KeysFor(w, base)) {
				t.Errorf("%s on %s: a key comes twice in %v", name, wname, kind.KeysFor(w, base))
			}
			for _, key := range keys {
				if !strings.HasPrefix(key, base) {
					t.Errorf("%s on %s: %s does not begin with its base", name, wname, key)
				}
			}
		}
	}
}

// made is a workload of given steps.
type made struct {
	workloads.Workload
	keys  []string
	steps []workloads.Step
}

func (made) Setup(base string) []resp.Cmd { return []resp.Cmd{{"SET", base, "5"}} }
func (m made) Next(*rand.Rand, int, string) workloads.Op {
	return workloads.Op{Keys: m.keys}
}
func (m made) Begin(workloads.Op) workloads.Body { return &played{m.steps} }

type played struct{ steps []workloads.Step }

func (p *played) Next([]resp.Reply) workloads.Step {
	step := p.steps[0]
	p.steps = p.steps[1:]
	return step
}

func TestWhatCompareAndSetCanDo(t *testing.T) {
	read := func(cmds ...resp.Cmd) workloads.Step { return workloads.Step{Kind: workloads.Read, Cmds: cmds} }
	write := func(cmds ...resp.Cmd) workloads.Step { return workloads.Step{Kind: workloads.Commit, Cmds: cmds} }
	get, set := resp.Cmd{"GET", "k"}, resp.Cmd{"SET", "k", "1", "KEEPTTL"}
	for what, c := range map[string]struct {
		steps []workloads.Step
		can   bool
	}{
		"one GET, one SET":       {[]workloads.Step{read(get), write(set)}, true},
		"nothing to write":       {[]workloads.Step{read(get), {Kind: workloads.Reject}}, true},
		"two reads":              {[]workloads.Step{read(get, get), write(set)}, false},
		"a read and then one":    {[]workloads.Step{read(get), read(get), write(set)}, false},
		"a hash":                 {[]workloads.Step{read(resp.Cmd{"HGET", "k", "f"}), write(resp.Cmd{"HSET", "k", "f", "1"})}, false},
		"two writes":             {[]workloads.Step{read(get), write(set, set)}, false},
		"another key":            {[]workloads.Step{read(get), write(resp.Cmd{"SET", "other", "1", "KEEPTTL"})}, false},
		"a deletion":             {[]workloads.Step{read(get), write(resp.Cmd{"DEL", "k"})}, false},
		"a dropped time to live": {[]workloads.Step{read(get), write(resp.Cmd{"SET", "k", "1"})}, false},
		"nothing to read":        {[]workloads.Step{write(set)}, false},
	} {
		for _, name := range []string{"cas", "cas-lua"} {
			kind, _ := All.Get(name)
			w := made{keys: []string{"k"}, steps: c.steps}
			if reason := kind.NotApplicable(w, Facts{}); (reason == "") != c.can {
				t.Errorf("%s, %s: %q", name, what, reason)
			}
			out := kind.Strategy.Attempt(committing(), w, workloads.Op{})
			if refused := out.Class() == "ERR"; refused == c.can {
				t.Errorf("%s, %s: an attempt ends as %+v", name, what, out)
			}
		}
	}
}

func TestWhatServersCanDo(t *testing.T) {
	w, _ := counterOp()
	for _, c := range []struct {
		strategy string
		facts    Facts
		reason   string
	}{
		{"function", Facts{}, ""},
		{"function", Facts{Product: "redis", Version: "7.0.15"}, ""},
		{"function", Facts{Product: "redis", Version: "10.2"}, ""},
		{"function", Facts{Product: "redis", Version: "6.2.14"}, "functions came with Redis 7.0; this is 6.2.14"},
		{"function", Facts{Product: "valkey", Version: "8.1.0"}, ""},
		{"function", Facts{Product: "miniredis", Version: "v2.40.0", Embedded: true}, "the embedded server has no functions"},
		{"cas", Facts{}, ""},
		{"cas", Facts{Product: "redis", Version: "7.0.15", NoIFEQ: true}, "SET ... IFEQ came with Valkey 8.1 and Redis 8.4; this is redis 7.0.15"},
		{"cas-lua", Facts{Product: "redis", Version: "7.0.15", NoIFEQ: true}, ""},
		{"unlock-by-del", Facts{Embedded: true}, "keys of the embedded server do not expire by themselves"},
		{"unwatched-key", Facts{}, "its ops have one key, which is watched"},
	} {
		kind, _ := All.Get(c.strategy)
		if got := kind.NotApplicable(w, c.facts); got != c.reason {
			t.Errorf("%s on %+v: %q, want %q", c.strategy, c.facts, got, c.reason)
		}
	}
}

// Of all keys the first is watched, and the caller's command is not touched. It
// takes another op that leaves the first key alone for an update to be lost.
func TestUnwatchedKey(t *testing.T) {
	read := workloads.Step{Kind: workloads.Read, Cmds: []resp.Cmd{{"GET", "a"}, {"GET", "b"}}}
	two := func(writes ...resp.Cmd) made {
		return made{keys: []string{"a", "b"}, steps: []workloads.Step{read, {Kind: workloads.Commit, Cmds: writes}}}
	}
	set, both := resp.Cmd{"SET", "b", "1"}, []resp.Cmd{{"SET", "a", "1"}, {"SET", "b", "1"}}
	w := two(set)
	kind, _ := All.Get("unwatched-key")
	if reason := kind.NotApplicable(w, Facts{}); reason != "" {
		t.Error(reason)
	}
	if reason := kind.NotApplicable(two(both...), Facts{}); !strings.Contains(reason, "writes the first one too") {
		t.Errorf("where both keys are written always: %q", reason)
	}
	s := committing()
	if out := kind.Strategy.Attempt(s, w, workloads.Op{Keys: []string{"a", "b"}}); out.Verdict != Committed {
		t.Errorf("%+v", out)
	}
	if got, want := fmt.Sprint(s.log), "[[WATCH a GET a GET b] [MULTI SET b 1 EXEC]]"; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}
