package conformance

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"rmwbench/internal/redisd/redistest"
	"rmwbench/internal/resp"
	"rmwbench/results"
	"rmwbench/strategies"
	"rmwbench/workloads"
)

// eachPair runs a test for every strategy and workload that go together, on
// keys of their own and in the state that Setup makes.
func eachPair(t *testing.T, w world, test func(t *testing.T, kind strategies.Kind, workload workloads.Workload, base string)) {
	side := w.dial(t, 1000)
	for _, name := range strategies.All.Names() {
		kind, _ := strategies.All.Get(name)
		for _, wname := range workloads.Ungrouped() {
			workload, _ := workloads.All.Get(wname)
			if kind.NotApplicable(workload, w.facts) != "" {
				continue
			}
			base := "conformance:" + name + ":" + wname + ":{1}"
			t.Run(name+" "+wname, func(t *testing.T) {
				for _, r := range do(t, side, workload.Setup(base)...) {
					if r.Kind == resp.Error {
						t.Fatalf("setup: %v", r)
					}
				}
				test(t, kind, workload, base)
			})
		}
	}
}

// counting counts exchanges and can do something before the first that fits.
type counting struct {
	strategies.Session
	exchanges int
	before    func(cmds []resp.Cmd)
}

func (c *counting) Exchange(cmds ...resp.Cmd) ([]resp.Reply, error) {
	c.exchanges++
	if c.before != nil {
		c.before(cmds)
	}
	return c.Session.Exchange(cmds...)
}

// reference plays an op on a session of its own and answers what any strategy
// must come to, and how much it reads and writes.
func reference(t *testing.T, s strategies.Session, w workloads.Workload, op workloads.Op) (workloads.Step, strategies.Shape) {
	t.Helper()
	var shape strategies.Shape
	body := w.Begin(op)
	step := body.Next(nil)
	for step.Kind == workloads.Read {
		shape.ReadSteps++
		shape.Reads += len(step.Cmds)
		step = body.Next(do(t, s, step.Cmds...))
	}
	if step.Kind == workloads.Commit {
		shape.Writes = len(step.Cmds)
	}
	return step, shape
}

// Alone, every strategy keeps its promise of exchanges, answers what the
// workload says, and leaves the state that the ledger expects.
func TestAttemptsAlone(t *testing.T) {
	everyProtocol(t, func(t *testing.T, w world) {
		side := w.dial(t, 0)
		eachPair(t, w, func(t *testing.T, kind strategies.Kind, workload workloads.Workload, base string) {
			session := &counting{Session: w.dial(t, 1)}
			ledger := workload.(workloads.Audited).NewLedger()
			rng := rand.New(rand.NewPCG(7, 8))
			seen := map[strategies.Verdict]int{}
			for n := range 60 {
				op := workload.Next(rng, n, base)
				op.ID = workloads.OpID(1, n)
				want, shape := reference(t, side, workload, op)
				session.exchanges = 0
				out := kind.Strategy.Attempt(session, workload, op)
				verdict := map[workloads.StepKind]strategies.Verdict{
					workloads.Commit: strategies.Committed, workloads.Reject: strategies.Rejected,
				}[want.Kind]
				if out.Verdict != verdict || out.Answer != want.Answer {
					t.Fatalf("op %d %v: %v %q %s, want %v %q", n, op.Args, out.Verdict, out.Answer, out.Error, verdict, want.Answer)
				}
				promised := kind.Exchanges(shape, verdict)
				for _, note := range out.Notes {
					if slices.Contains(loads, note) {
						promised++
					}
				}
				if session.exchanges != promised {
					t.Fatalf("op %d (%v): %d exchanges, %d promised", n, verdict, session.exchanges, promised)
				}
				ledger.Note(op, out.Effect, out.Answer)
				seen[verdict]++
			}
			if seen[strategies.Committed] == 0 {
				t.Error("no op was committed: the promise was not tried")
			}
			var audit results.Audit
			ledger.Check(base, do(t, side, ledger.Reads(base)...), &audit)
			if audit.Settle(); audit.Verdict != results.AuditExact {
				t.Errorf("audit: %s (%s)", audit.Verdict, audit)
			}
		})
	})
}

// loads are the notes of what was missing on the server: each costs an exchange.
var loads = []strategies.Note{strategies.NoteNoScript, strategies.NoteNoFunction}

// A foreign write between read and write must be seen by every strategy that
// is no control: a conflict without effect, or no conflict at all because
// nothing lies between. What a lock keeps out is another holder.
func TestAttemptsThatAreOvertaken(t *testing.T) {
	everyProtocol(t, func(t *testing.T, w world) {
		side := w.dial(t, 0)
		eachPair(t, w, func(t *testing.T, kind strategies.Kind, workload workloads.Workload, base string) {
			op := committing(t, side, workload, base)
			step, _ := reference(t, side, workload, op)
			overtaken := false
			session := &counting{Session: w.dial(t, 1)}
			session.before = func(cmds []resp.Cmd) {
				last := cmds[len(cmds)-1][0]
				writes := last == "EXEC" || slices.EqualFunc(cmds, step.Cmds, slices.Equal) || last == "EVALSHA" && !kind.Scripts ||
					last == "SET" && len(cmds) == 1 && slices.Contains(cmds[0], "IFEQ")
				if kind.Locks { // overtaken by another holder
					writes = last == "SET" && slices.Contains(cmds[0], "NX")
				}
				switch {
				case overtaken || !writes:
					return
				case kind.Locks:
					do(t, side, resp.Cmd{"SET", kind.Keys(base)[0], "somebody"})
				default:
					overtake(t, side, workload, op)
				}
				overtaken = true
			}
			out := kind.Strategy.Attempt(session, workload, op)
			if !overtaken {
				if kind.Retries {
					t.Error("claims that it can conflict, but offered no moment for it")
				}
				return
			}
			switch {
			case kind.Control:
				if kind.Retries { // its window lies elsewhere
					return
				}
				if out.Verdict != strategies.Committed {
					t.Errorf("a wrong loop noticed: %v", out.Verdict)
				}
			case out.Verdict != strategies.Conflict || out.Effect != workloads.EffectNone:
				t.Errorf("%v with effect %d after a foreign write, want a conflict without effect", out.Verdict, out.Effect)
			case kind.Locks:
				if holder := do(t, side, resp.Cmd{"GET", kind.Keys(base)[0]})[0].Str; holder != "somebody" {
					t.Errorf("the lock of somebody is now that of %q", holder)
				}
			}
		})
	})
}

// committing draws ops until one would commit on the state as it is.
func committing(t *testing.T, side strategies.Session, workload workloads.Workload, base string) workloads.Op {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, 22))
	for n := range 1000 {
		op := workload.Next(rng, n, base)
		op.ID = workloads.OpID(1, n)
		if step, _ := reference(t, side, workload, op); step.Kind == workloads.Commit {
			return op
		}
	}
	t.Fatal("no op of a thousand commits")
	return workloads.Op{}
}

// overtake commits an op on the side.
func overtake(t *testing.T, side strategies.Session, workload workloads.Workload, op workloads.Op) {
	t.Helper()
	step, _ := reference(t, side, workload, op)
	do(t, side, step.Cmds...)
}

// However an attempt ends, its connection holds no watch and no open MULTI - a
// later transaction meets no phantom conflict - and the server no lock.
func TestNoStateIsLeftOnTheConnection(t *testing.T) {
	everyProtocol(t, func(t *testing.T, w world) {
		side := w.dial(t, 0)
		eachPair(t, w, func(t *testing.T, kind strategies.Kind, workload workloads.Workload, base string) {
			session := w.dial(t, 1)
			endings := map[string]func(){
				"committed or rejected": func() {},
				"failed":                func() { makeLists(t, side, workload.Keys(base)) },
			}
			for what, prepare := range endings {
				prepare()
				out := kind.Strategy.Attempt(session, workload, workload.Next(rand.New(rand.NewPCG(1, 1)), 0, base))
				do(t, side, append(resp.Cmd{"DEL"}, workload.Keys(base)...))
				do(t, side, workload.Setup(base)...)
				if kind.Keys != nil && do(t, side, append(resp.Cmd{"EXISTS"}, kind.Keys(base)...))[0].Int != 0 {
					t.Errorf("%s (%v): a key of the strategy's own is left", what, out.Verdict)
				}
				replies := do(t, session, resp.Cmd{"MULTI"}, resp.Cmd{"SET", "conformance:own", "1"}, resp.Cmd{"EXEC"})
				if replies[0].Str != "OK" || replies[2].Kind != resp.Array {
					t.Errorf("%s (%v): a later transaction answers %v", what, out.Verdict, replies)
				}
			}
		})
	})
}

// makeLists puts lists where a workload has its keys.
func makeLists(t *testing.T, s strategies.Session, keys []string) {
	t.Helper()
	for _, key := range keys {
		do(t, s, resp.Cmd{"DEL", key}, resp.Cmd{"RPUSH", key, "a"})
	}
}

// A key of another type is a failure with its class, never a conflict and
// never a success; but where the op only asks whether the key exists, it is one
// that does.
func TestAnotherTypeInTheKey(t *testing.T) {
	everyProtocol(t, func(t *testing.T, w world) {
		side := w.dial(t, 0)
		eachPair(t, w, func(t *testing.T, kind strategies.Kind, workload workloads.Workload, base string) {
			op := committing(t, side, workload, base)
			makeLists(t, side, op.Keys)
			body := workload.Begin(op)
			step, want, class := body.Next(nil), strategies.Failed, "WRONGTYPE"
			if replies := do(t, side, step.Cmds...); replies[0].Kind != resp.Error {
				step, want, class = body.Next(replies), strategies.Rejected, ""
				if step.Kind != workloads.Reject {
					t.Errorf("the workload would do more than reject: %+v", step)
				}
			}
			out := kind.Strategy.Attempt(w.dial(t, 1), workload, op)
			if out.Verdict != want || out.Effect == workloads.EffectAll {
				t.Errorf("%v with effect %d, want %v", out.Verdict, out.Effect, want)
			}
			// The embedded server gives a script's error its own words.
			if out.Class() != class && !w.embedded {
				t.Errorf("class %q (%s), want %q", out.Class(), out.Error, class)
			}
			for _, key := range op.Keys {
				if got := do(t, side, resp.Cmd{"LRANGE", key, "0", "-1"})[0].String(); got != `[a]` {
					t.Errorf("the list became %s", got)
				}
			}
		})
	})
}

// What is refused while queueing has no effect and is named by its own class.
// The embedded server does not answer EXECABORT and is left out.
func TestRefusedWhileQueueing(t *testing.T) {
	realWorld(t, func(t *testing.T, w world) {
		do(t, w.dial(t, 0), resp.Cmd{"SET", "big", "1234567890"}, resp.Cmd{"CONFIG", "SET", "maxmemory", "1"})
		kind, _ := strategies.All.Get("watch")
		workload, _ := workloads.All.Get("counter")
		out := kind.Strategy.Attempt(w.dial(t, 1), workload, workloads.Op{Keys: []string{"k"}, Args: []string{"1"}})
		if out.Verdict != strategies.Failed || out.Effect != workloads.EffectNone || out.Class() != "OOM" {
			t.Errorf("%v, effect %d, class %q (%s); want failed without effect, OOM", out.Verdict, out.Effect, out.Class(), out.Error)
		}
	})
}

// A connection killed inside an optimistic transaction applies nothing, and the
// next session of its client works; one that was cut never comes back. The
// embedded server has no CLIENT KILL and is left out.
func TestSessionAfterALoss(t *testing.T) {
	realWorld(t, func(t *testing.T, w world) {
		conn, err := w.Dial(1)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		session, _ := conn.Session("k")
		id := do(t, session, resp.Cmd{"CLIENT", "ID"})[0].Int
		do(t, session, resp.Cmd{"WATCH", "k"})
		do(t, w.dial(t, 0), resp.Cmd{"CLIENT", "KILL", "ID", strconv.FormatInt(id, 10)})
		if _, err := session.Exchange(resp.Cmd{"MULTI"}, resp.Cmd{"SET", "k", "1"}, resp.Cmd{"EXEC"}); err == nil {
			t.Fatal("the killed connection answered")
		}
		if session, err = conn.Session("k"); err != nil {
			t.Fatal(err)
		}
		if got := do(t, session, resp.Cmd{"GET", "k"})[0]; got.Kind != resp.Nil {
			t.Errorf("the lost transaction was applied: %v", got)
		}
		conn.Cut()
		if _, err := session.Exchange(resp.Cmd{"PING"}); err == nil {
			t.Error("a cut connection answered")
		}
		if _, err := conn.Session("k"); err == nil {
			t.Error("a cut connection came back")
		}
	})
}

func TestHoldSpendsWhatIsAsked(t *testing.T) {
	w := served(t, redistest.Embedded(t), 0)
	session := w.dial(t, 1)
	for _, d := range []time.Duration{-time.Second, 0, time.Microsecond, 300 * time.Microsecond, 25 * time.Millisecond} {
		start := w.Now()
		session.Hold(d)
		if spent := w.Now() - start; spent < d {
			t.Errorf("Hold(%v) came back after %v", d, spent)
		}
	}
}
