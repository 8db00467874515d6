package workloads_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rmwbench/internal/resp"
	"rmwbench/internal/store"
	"rmwbench/results"
	"rmwbench/workloads"
)

const base = "base{1}"

// stage is a workload on a server of its own, with its ledger.
type stage struct {
	t        *testing.T
	workload workloads.Workload
	conn     *store.Conn
	ledger   workloads.Ledger
	rng      *rand.Rand
	played   int
}

func newStage(t *testing.T, name string, seed uint64) *stage {
	t.Helper()
	w, err := workloads.All.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t, w, store.New().Dial(), w.(workloads.Audited).NewLedger(), rand.New(rand.NewPCG(seed, 2)), 0}
	s.do(w.Setup(base)...)
	return s
}

// do executes commands that must not fail.
func (s *stage) do(cmds ...resp.Cmd) (replies []resp.Reply) {
	s.t.Helper()
	for _, cmd := range cmds {
		reply := s.conn.Do(0, cmd)
		if reply.Kind == resp.Error {
			s.t.Fatalf("%v: %v", cmd, reply)
		}
		replies = append(replies, reply)
	}
	return replies
}

// draw is the n-th op of a client.
func (s *stage) draw(client, n int) workloads.Op {
	op := s.workload.Next(s.rng, n, base)
	op.ID = workloads.OpID(client, n)
	return op
}

// decide answers what the op comes to on the state as it is.
func (s *stage) decide(op workloads.Op) workloads.Step {
	s.t.Helper()
	body := s.workload.Begin(op)
	step := body.Next(nil)
	for step.Kind == workloads.Read {
		step = body.Next(s.do(step.Cmds...))
	}
	if step.Kind == workloads.Fail {
		s.t.Fatalf("op %v: %s", op.Args, step.Error)
	}
	return step
}

// apply does what was decided. Its writes are the transaction's.
func (s *stage) apply(step workloads.Step) { s.do(step.Cmds...) }

// tell notes the answer.
func (s *stage) tell(op workloads.Op, step workloads.Step) {
	effect := workloads.EffectNone
	if step.Kind == workloads.Commit {
		effect = workloads.EffectAll
	}
	s.ledger.Note(op, effect, step.Answer)
}

// play does ops one after the other, as clients in turn, and tells of them.
func (s *stage) play(ops int) (committed int) {
	s.t.Helper()
	for range ops {
		op := s.draw(s.played%2, s.played/2)
		s.played++
		step := s.decide(op)
		s.apply(step)
		s.tell(op, step)
		if step.Kind == workloads.Commit {
			committed++
		}
	}
	return committed
}

// committing draws an op that commits on the state as it is.
func (s *stage) committing() (workloads.Op, workloads.Step) {
	s.t.Helper()
	for n := range 1000 {
		op := s.draw(5, n)
		if step := s.decide(op); step.Kind == workloads.Commit {
			return op, step
		}
	}
	s.t.Fatal("no op of a thousand commits")
	return workloads.Op{}, workloads.Step{}
}

func (s *stage) audit() (audit results.Audit) {
	var replies []resp.Reply
	for _, cmd := range s.ledger.Reads(base) {
		replies = append(replies, s.conn.Do(0, cmd))
	}
	s.ledger.Check(base, replies, &audit)
	audit.Settle()
	return audit
}

// state is what the keys hold, in an order of its own.
func (s *stage) state() string {
	var all []string
	for _, cmd := range s.ledger.Reads(base) {
		reply := s.conn.Do(0, cmd)
		elems := []string{reply.String()}
		for i, e := range reply.Elems {
			if cmd[0] == "HGETALL" && i%2 == 1 {
				elems[len(elems)-1] += "=" + e.Str
				continue
			}
			elems = append(elems, e.Str)
		}
		if reply.Kind == resp.Array && cmd[0] != "HMGET" {
			elems = elems[1:]
			slices.Sort(elems)
		}
		all = append(all, cmd[0]+" "+strings.Join(elems, " "))
	}
	return strings.Join(all, "\n")
}

// Every workload must go on contending: after many ops it commits as often as
// at the start, and ops that commit have one shape, as those rejected do.
func TestWorkloadsRenewThemselves(t *testing.T) {
	for _, name := range workloads.Ungrouped() {
		s := newStage(t, name, 1)
		const ops = 20_000
		first := s.play(ops / 10)
		s.play(ops - 2*ops/10)
		last := s.play(ops / 10)
		if first < ops/200 || last < first*8/10 {
			t.Errorf("%s commits %d of the first and %d of the last %d ops", name, first, last, ops/10)
		}
		if audit := s.audit(); audit.Verdict != results.AuditExact || audit.Acknowledged == 0 {
			t.Errorf("%s: %s %+v", name, audit, audit)
		}
	}
}

// partly are the workloads whose ledger cannot find every lost update, and why.
var partly = map[string]string{
	"setrange": "the ledger does not learn which of two clients wrote a field first",
	"zadd-gt":  "two raises of one job to 1 pass for one of a job that went to 2 at once",
}

// Two ops decide on the same state and then write one after the other, as
// nothing kept them from. Wherever no order of the two explains what both were
// told and what is stored, the audit says so (nearly always, for some), and
// nowhere else.
func TestEveryLostUpdateIsFound(t *testing.T) {
	for _, name := range workloads.Ungrouped() {
		wrong, found := 0, 0
		for seed := range uint64(400) {
			history := int(seed % 50)
			pair := func() (s *stage, a, b workloads.Op) {
				s = newStage(t, name, seed)
				s.play(history)
				return s, s.draw(0, history), s.draw(1, history)
			}
			s, a, b := pair()
			stepA, stepB := s.decide(a), s.decide(b)
			s.apply(stepA)
			s.apply(stepB)
			s.tell(a, stepA)
			s.tell(b, stepB)

			explained := false
			for _, swapped := range []bool{false, true} {
				serial, first, second := pair()
				want1, want2 := stepA, stepB
				if swapped {
					first, second, want1, want2 = second, first, want2, want1
				}
				got1 := serial.decide(first)
				serial.apply(got1)
				got2 := serial.decide(second)
				serial.apply(got2)
				same := func(x, y workloads.Step) bool {
					return x.Kind == y.Kind && (x.Kind == workloads.Reject || x.Answer == y.Answer)
				}
				explained = explained || same(got1, want1) && same(got2, want2) && serial.state() == s.state()
			}
			audit := s.audit()
			switch {
			case explained && audit.Verdict != results.AuditExact:
				t.Errorf("%s, seed %d: %v and %v are in order, the audit says %s", name, seed, a.Args, b.Args, audit)
			case explained:
			case audit.Void():
				wrong, found = wrong+1, found+1
			default:
				wrong++
				if partly[name] == "" {
					t.Errorf("%s, seed %d: %v and %v in no order, the audit says %s\n%s", name, seed, a.Args, b.Args, audit, s.state())
				}
			}
		}
		if wrong < 10 || found < wrong*3/4 {
			t.Errorf("%s: %d pairs went wrong, %d found", name, wrong, found)
		}
		t.Logf("%s: %d of %d lost updates found", name, found, wrong)
	}
}

// What was done and not told, told and not done, or done twice is found; an op
// whose reply was lost may have been done or not.
func TestLedgersCompareWhatWasToldWithWhatIsStored(t *testing.T) {
	for _, name := range workloads.Ungrouped() {
		check := func(what string, s *stage, want string) {
			t.Helper()
			if audit := s.audit(); audit.Verdict != want || audit.Keys != 1 {
				t.Errorf("%s, %s: %s (%+v), want %s", name, what, audit, audit, want)
			}
		}
		for seed := range uint64(20) {
			s := newStage(t, name, seed)
			check("nothing", s, results.AuditExact)

			_, step := s.committing()
			s.apply(step)
			check("done, not told", s, results.AuditExtra)

			s = newStage(t, name, seed)
			op, step := s.committing()
			s.tell(op, step)
			check("told, not done", s, results.AuditLost)

			s = newStage(t, name, seed)
			s.play(40)
			for range 3 {
				op, step = s.committing()
				s.ledger.Note(op, workloads.EffectMaybe, "")
				if seed%2 == 0 {
					s.apply(step)
				}
			}
			s.play(40)
			if seed%2 == 0 {
				check("unknown, done", s, results.AuditBounded)
			} else {
				check("unknown, not done", s, results.AuditBounded)
			}
			if audit := s.audit(); audit.Unknown != 3 {
				t.Errorf("%s: %d unknown", name, audit.Unknown)
			}
		}
		s := newStage(t, name, 1)
		s.play(40)
		for _, key := range s.workload.Keys(base) {
			s.do(resp.Cmd{"DEL", key}, resp.Cmd{"RPUSH", key, "x"})
		}
		check("another type", s, results.AuditBroken)
	}
}

// Ledgers of parts add up to the ledger of the whole.
func TestLedgersMerge(t *testing.T) {
	for _, name := range workloads.Ungrouped() {
		s := newStage(t, name, 3)
		one, other := s.ledger, s.workload.(workloads.Audited).NewLedger()
		for n := range 400 {
			s.ledger = one
			if n%2 == 0 {
				s.ledger = other
			}
			op := s.draw(n%2, n/2)
			step := s.decide(op)
			s.apply(step)
			s.tell(op, step)
		}
		op, _ := s.committing()
		other.Note(op, workloads.EffectMaybe, "")
		s.ledger = s.workload.(workloads.Audited).NewLedger()
		s.ledger.Merge(one)
		s.ledger.Merge(other)
		if audit := s.audit(); audit.Verdict != results.AuditBounded || audit.Unknown != 1 || audit.Acknowledged < 20 {
			t.Errorf("%s: %s %+v", name, audit, audit)
		}
	}
}

// tampered are states that clients who keep to a workload cannot leave.
var tampered = []struct {
	workload string
	cmds     []resp.Cmd // after some ops and those in told
	told     [][]string // arguments of ops
	want     string
}{
	{"counter", []resp.Cmd{{"DEL", base}}, nil, results.AuditBroken},
	{"counter", []resp.Cmd{{"SET", base, "many"}}, nil, results.AuditBroken},
	{"counter", []resp.Cmd{{"DECR", base}}, nil, results.AuditLost},
	{"counter", []resp.Cmd{{"INCR", base}}, nil, results.AuditExtra},
	{"debit", []resp.Cmd{{"PERSIST", base}}, nil, results.AuditBroken},
	{"debit", []resp.Cmd{{"INCR", base}}, nil, results.AuditLost},
	{"debit", []resp.Cmd{{"DECR", base}}, nil, results.AuditExtra},
	{"transfer", []resp.Cmd{{"INCR", base}}, nil, results.AuditBroken},
	{"transfer", []resp.Cmd{{"INCR", base}, {"DECR", base + ":to"}}, nil, results.AuditLost},
	{"transfer", []resp.Cmd{{"DECR", base}, {"INCR", base + ":to"}}, nil, results.AuditExtra},
	{"setnx", []resp.Cmd{{"DEL", base}}, [][]string{{"vacate", "1"}, {"claim", "1"}}, results.AuditLost},
	{"setnx", []resp.Cmd{{"SET", base, "another"}}, [][]string{{"vacate", "1"}, {"claim", "1"}}, results.AuditLost},
	{"setnx", []resp.Cmd{{"SET", base, "another"}}, [][]string{{"vacate", "1"}}, results.AuditExtra},
	{"getdel", []resp.Cmd{{"DEL", base}}, [][]string{{"redeem", "1"}, {"issue", "1"}}, results.AuditLost},
	{"getdel", []resp.Cmd{{"SET", base, "another"}}, [][]string{{"redeem", "1"}}, results.AuditExtra},
	{"swap", []resp.Cmd{{"DEL", base}}, nil, results.AuditBroken},
	{"swap", []resp.Cmd{{"SET", base, "another"}}, nil, results.AuditLost},
	{"hsetnx", []resp.Cmd{{"HDEL", base, "seat0"}}, [][]string{{"vacate", "seat0", "1"}, {"claim", "seat0", "1"}}, results.AuditLost},
	{"hsetnx", []resp.Cmd{{"HSET", base, "seat0", "1"}}, [][]string{{"vacate", "seat0", "1"}}, results.AuditExtra},
	{"hsetnx", []resp.Cmd{{"HSET", base, "seat9", "1"}}, nil, results.AuditExtra},
	{"smove", []resp.Cmd{{"SADD", base, "member1"}, {"SADD", base + ":busy", "member1"}}, nil, results.AuditBroken},
	{"smove", []resp.Cmd{{"SREM", base, "member1"}, {"SREM", base + ":busy", "member1"}}, nil, results.AuditBroken},
	{"smove", []resp.Cmd{{"SADD", base, "stranger"}}, nil, results.AuditBroken},
	{"smove", []resp.Cmd{{"SMOVE", base + ":busy", base, "member1"}}, [][]string{{"there", "member1"}}, results.AuditLost},
	{"smove", []resp.Cmd{{"SMOVE", base, base + ":busy", "member1"}}, [][]string{{"back", "member1"}}, results.AuditExtra},
	{"zadd-gt", []resp.Cmd{{"ZADD", base, "1", "job"}}, [][]string{{"raise", "2"}}, results.AuditLost},
	{"zadd-gt", []resp.Cmd{{"ZREM", base, "job"}}, [][]string{{"raise", "2"}}, results.AuditLost},
	{"zadd-gt", []resp.Cmd{{"ZADD", base, "2", "job"}}, [][]string{{"finish", "0"}}, results.AuditExtra},
	{"zadd-gt", []resp.Cmd{{"ZADD", base, "1", "stranger"}}, nil, results.AuditBroken},
	{"zadd-gt", []resp.Cmd{{"ZADD", base, "5", "job"}}, nil, results.AuditBroken},
	{"setrange", []resp.Cmd{{"SETRANGE", base, "16", "another"}}, [][]string{{"16", "0123456789abcdef"}}, results.AuditLost},
	{"setrange", []resp.Cmd{{"APPEND", base, "x"}}, nil, results.AuditBroken},
	{"lock-release", []resp.Cmd{{"DEL", base}}, locked, results.AuditLost},
	{"lock-release", []resp.Cmd{{"SET", base, "holder2"}}, locked, results.AuditLost},
	{"lock-release", []resp.Cmd{{"SET", base, "stranger"}}, locked[:4], results.AuditExtra},
	{"token-bucket", []resp.Cmd{{"HINCRBY", base, "admitted", "-1"}}, nil, results.AuditLost},
	{"token-bucket", []resp.Cmd{{"HINCRBY", base, "admitted", "1"}}, nil, results.AuditExtra},
	{"token-bucket", []resp.Cmd{{"HSET", base, "at", "0"}}, nil, results.AuditBroken},
	{"token-bucket", []resp.Cmd{{"HDEL", base, "admitted"}}, nil, results.AuditLost},
	{"fixed-window", []resp.Cmd{{"HINCRBY", base, "admitted", "-1"}}, nil, results.AuditLost},
	{"fixed-window", []resp.Cmd{{"HINCRBY", base, "admitted", "1"}}, nil, results.AuditExtra},
	{"fixed-window", []resp.Cmd{{"HSET", base, "count", "65"}}, nil, results.AuditBroken},
	{"fixed-window", []resp.Cmd{{"HSET", base, "window", "0"}}, nil, results.AuditBroken},
	{"document", []resp.Cmd{{"SETRANGE", base, "7", "y"}}, nil, results.AuditBroken},
	{"document", []resp.Cmd{{"SETRANGE", base, "2040", "0000000000000001"}}, nil, results.AuditLost},
	{"document", []resp.Cmd{{"SETRANGE", base, "2040", "1000000000000001"}}, nil, results.AuditExtra},
	{"ticket", []resp.Cmd{{"SET", base, "9"}, {"SET", base + ":rear", "8"}}, nil, results.AuditLost},
	{"ticket", []resp.Cmd{{"SET", base + ":rear", "999"}}, nil, results.AuditExtra},
	{"ticket", []resp.Cmd{{"DEL", base}}, nil, results.AuditBroken},
	{"feed", []resp.Cmd{{"DEL", base + ":payloads"}}, nil, results.AuditBroken},
	{"feed", []resp.Cmd{{"INCR", base}}, nil, results.AuditBroken},
	{"feed", []resp.Cmd{{"SET", base, "5"}, {"HSET", base + ":payloads", "5", "5:x"}}, nil, results.AuditLost},
}

// locked frees the lock from whoever holds it, and takes it.
var locked = [][]string{
	{"release", "holder0"}, {"release", "holder1"}, {"release", "holder2"}, {"release", "holder3"}, {"take", "holder1"},
}

func TestLedgersFindWhatWasTamperedWith(t *testing.T) {
	seen := map[string]bool{}
	for _, test := range tampered {
		seen[test.workload] = true
		s := newStage(t, test.workload, 7)
		s.play(400)
		for n, args := range test.told {
			op := workloads.Op{ID: workloads.OpID(0, 200+n), Keys: s.workload.Keys(base), Args: args}
			step := s.decide(op)
			s.apply(step)
			s.tell(op, step)
		}
		s.do(test.cmds...)
		if audit := s.audit(); audit.Verdict != test.want {
			t.Errorf("%s, %v: %s (%+v), want %s", test.workload, test.cmds, audit, audit, test.want)
		}
	}
	for _, name := range workloads.Ungrouped() {
		if !seen[name] {
			t.Errorf("%s: no state that is wrong", name)
		}
	}
}
