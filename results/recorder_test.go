package results

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// event is something that a recorder is told of.
type event struct {
	client  int
	attempt *AttemptRecord
	op      *OpRecord
	note    string
	class   string
	hold    time.Duration
	beside  time.Duration // a bystander's read; negative: one that failed
	in      bool          // the measured window
}

// tell gives the event to a recorder.
func (e event) tell(r *Recorder) {
	switch {
	case e.attempt != nil:
		r.Attempt(*e.attempt, e.in)
	case e.op != nil:
		r.Op(*e.op)
	case e.note != "":
		r.Note(e.note)
	case e.class != "":
		r.Error(e.class, e.class+" was the answer")
	case e.beside > 0:
		r.Bystander(e.beside)
	case e.beside < 0:
		r.BystanderFailed(2)
	default:
		r.Decision(e.hold)
		r.RTT(2 * e.hold)
	}
}

const clientsOfHistory = 7

// history is what clients may have to tell of a trial.
func history(seed uint64, length int) (all []event) {
	rng := seeded(seed)
	classes := []string{"WRONGTYPE", "OOM", "io"}
	for range length {
		e := event{client: rng.IntN(clientsOfHistory), in: rng.IntN(3) > 0}
		latency := randomDuration(rng)
		switch rng.IntN(9) {
		case 0, 1, 2:
			e.attempt = &AttemptRecord{
				Number: 1 + rng.IntN(80), Verdict: Verdict(rng.IntN(int(verdicts))), Latency: latency,
				Exchanges: rng.IntN(4), BytesOut: rng.IntN(200), BytesIn: rng.IntN(100),
			}
		case 3, 4, 5:
			e.op = &OpRecord{
				Client: e.client, Outcome: OpOutcome(rng.IntN(int(opOutcomes))), Attempts: 1 + rng.IntN(80),
				Latency: latency, Backoff: time.Duration(rng.IntN(1000)), Class: classes[rng.IntN(len(classes))],
			}
		case 6:
			e.note = []string{"noscript", "moved"}[rng.IntN(2)]
			if rng.IntN(2) > 0 {
				e.note, e.class = "", classes[rng.IntN(len(classes))]
			}
		case 7:
			e.beside = latency + 1
			if rng.IntN(5) == 0 {
				e.beside = -1
			}
		default:
			e.hold = time.Duration(rng.IntN(1_000_000))
		}
		all = append(all, e)
	}
	return all
}

func newRecorder(clients int) *Recorder {
	r := NewRecorder()
	r.Reset(clients)
	return r
}

func filled(r *Recorder) *Run {
	run := &Run{Source: SourceLive, Cell: plainCell("watch", clientsOfHistory)}
	run.Bystanders = 1
	r.Fill(run)
	return run
}

func sum(m map[string]int64) (total int64) {
	for _, n := range m {
		total += n
	}
	return total
}

// The recorder against counts made here in the plainest way.
func TestRecorderCounts(t *testing.T) {
	r := newRecorder(clientsOfHistory)
	var want Run
	want.Failed, want.Notes = map[string]int64{}, map[string]int64{}
	want.Verdicts, want.Whole.Verdicts = map[string]int64{}, map[string]int64{}
	for v := range verdicts {
		want.Verdicts[v.String()], want.Whole.Verdicts[v.String()] = 0, 0
	}
	for _, e := range history(5, 20_000) {
		e.tell(r)
		switch {
		case e.attempt != nil:
			name := e.attempt.Verdict.String()
			want.Whole.Verdicts[name]++
			want.Whole.Attempts++
			want.Whole.Exchanges += int64(e.attempt.Exchanges)
			if !e.in {
				break
			}
			want.Verdicts[name]++
			want.Attempts++
			want.AttemptsByAttempt.Add(e.attempt.Number)
			if e.attempt.Verdict == Conflict {
				want.Conflicts++
				want.ConflictsByAttempt.Add(e.attempt.Number)
			}
			want.Exchanges += int64(e.attempt.Exchanges)
			want.BytesOut += int64(e.attempt.BytesOut)
			want.BytesIn += int64(e.attempt.BytesIn)
		case e.op != nil:
			want.BackoffNS += int64(e.op.Backoff)
			switch e.op.Outcome {
			case OpCommitted:
				want.Committed++
				want.AttemptsHistogram.Add(e.op.Attempts)
			case OpRejected:
				want.Rejected++
			case OpGaveUp:
				want.GaveUp++
			case OpFailed:
				want.Failed[e.op.Class]++
			case OpUnknown:
				want.Unknown++
			case OpUnfinished:
				want.Unfinished++
			}
		case e.note != "":
			want.Notes[e.note]++
		case e.beside > 0:
			want.BystanderReads++
		case e.beside < 0:
			want.BystanderFailed += 2
		}
	}
	got := *filled(r)

	// The identities of the record (A17).
	for _, id := range []struct {
		what string
		a, b int64
	}{
		{"sum of verdicts and attempts", sum(got.Verdicts), got.Attempts},
		{"sum of the whole's verdicts and attempts", sum(got.Whole.Verdicts), got.Whole.Attempts},
		{"latency and committed ops", got.Latency.Count(), got.Committed},
		{"attempts histogram and committed ops", got.AttemptsHistogram.Total(), got.Committed},
		{"other latency and other ops", got.OtherLatency.Count(), got.Rejected + got.GaveUp + got.FailedOps() + got.Unknown},
		{"attempt latency and attempts", got.AttemptLatency.Count(), got.Attempts},
		{"unfinished ages and ops", got.UnfinishedAge.Count(), got.Unfinished},
		{"attempts by number and attempts", got.AttemptsByAttempt.Total(), got.Attempts},
		{"conflicts by number and conflicts", got.ConflictsByAttempt.Total(), got.Conflicts},
		{"reads of bystanders", got.BystanderReads, want.BystanderReads},
		{"latencies and reads of bystanders", got.BystanderLatency.Count(), got.BystanderReads},
		{"failed reads of bystanders", got.BystanderFailed, want.BystanderFailed},
		{"conflicts and their verdict", got.Conflicts, got.Verdicts["conflict"]},
	} {
		if id.a != id.b || id.a == 0 {
			t.Errorf("%s: %d and %d", id.what, id.a, id.b)
		}
	}
	if got.Whole.Attempts <= got.Attempts {
		t.Errorf("%d attempts in the whole phase, %d in the window", got.Whole.Attempts, got.Attempts)
	}
	if got.Latency.Clamped() == 0 || !reflect.DeepEqual(got.Warnings, []string{
		"OOM was the answer", "WRONGTYPE was the answer", "io was the answer", "latencies beyond 60 s were counted as 60 s",
	}) {
		t.Errorf("%d clamped, warnings %q", got.Latency.Clamped(), got.Warnings)
	}

	want.Source, want.Cell = got.Source, got.Cell
	got.Latency, got.OtherLatency, got.AttemptLatency, got.UnfinishedAge, got.BystanderLatency = nil, nil, nil, nil, nil
	got.Achieved, got.Fairness, got.Warnings = Achieved{}, nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("recorded\n%s\nwant\n%s", mustJSON(t, got), mustJSON(t, want))
	}
}

func TestRecorderOutsideTheWindow(t *testing.T) {
	r := newRecorder(1)
	for v := range verdicts {
		r.Attempt(AttemptRecord{Number: 1, Verdict: v, Latency: 1, Exchanges: 2, BytesOut: 3, BytesIn: 4}, false)
	}
	got := filled(r)
	want := filled(newRecorder(1))
	for name := range want.Whole.Verdicts {
		want.Whole.Verdicts[name] = 1
	}
	want.Whole.Attempts, want.Whole.Exchanges = int64(verdicts), 2*int64(verdicts)
	if g, w := mustJSON(t, got), mustJSON(t, want); g != w {
		t.Errorf("attempts outside the window:\n%s\nwant\n%s", g, w)
	}
}

// Warnings are only of what happened: a quiet trial has none.
func TestRecorderWarnings(t *testing.T) {
	r := newRecorder(1)
	r.Op(OpRecord{Outcome: OpCommitted, Attempts: 1, Latency: histogramMax})
	if w := filled(r).Warnings; w != nil {
		t.Errorf("warnings %q of a quiet trial", w)
	}
	r.Error("OOM", "OOM the first text")
	r.Error("OOM", "OOM the second text")
	if w := filled(r).Warnings; !reflect.DeepEqual(w, []string{"OOM the first text"}) {
		t.Errorf("warnings %q, want the first text of the class", w)
	}
	for name, tell := range map[string]func(*Recorder, time.Duration){
		"committed": func(r *Recorder, d time.Duration) { r.Op(OpRecord{Outcome: OpCommitted, Attempts: 1, Latency: d}) },
		"rejected":  func(r *Recorder, d time.Duration) { r.Op(OpRecord{Outcome: OpRejected, Attempts: 1, Latency: d}) },
		"attempt":   func(r *Recorder, d time.Duration) { r.Attempt(AttemptRecord{Number: 1, Latency: d}, true) },
		"bystander": (*Recorder).Bystander,
	} {
		r := newRecorder(1)
		tell(r, histogramMax+1)
		if w := strings.Join(filled(r).Warnings, "\n"); !strings.Contains(w, "60 s") {
			t.Errorf("%s beyond the range: warnings %q", name, w)
		}
	}
}

func TestRecorderAchieved(t *testing.T) {
	r := newRecorder(1)
	if got := filled(r).Achieved; got != (Achieved{}) {
		t.Errorf("achieved %+v of nothing asked for", got)
	}
	for i := range 100 {
		r.Decision(time.Duration(i+1) * time.Microsecond)
	}
	r.RTT(time.Millisecond)
	got := filled(r).Achieved
	if d := got.DecisionNS; d == nil || !near(float64(d.P50), 50_000, 0.001) || !near(float64(d.P99), 99_000, 0.001) {
		t.Errorf("decisions of 1..100 µs: %+v", d)
	}
	if d := got.RTTNS; d == nil || !near(float64(d.P50), 1e6, 0.001) || d.P50 != d.P99 {
		t.Errorf("one round trip of 1 ms: %+v", d)
	}
	if got.ScriptTimeNS != nil {
		t.Errorf("a script time of %+v from nowhere", got.ScriptTimeNS)
	}
}

func TestRecorderMergeEqualsOne(t *testing.T) {
	for _, k := range []int{1, 2, 5} {
		one := newRecorder(clientsOfHistory)
		parts := make([]*Recorder, k)
		for i := range parts {
			parts[i] = newRecorder(clientsOfHistory)
		}
		for _, e := range history(6, 5000) {
			e.tell(one)
			e.tell(parts[e.client%k])
		}
		for _, p := range parts[1:] {
			before := mustJSON(t, filled(p))
			parts[0].Merge(p)
			if after := mustJSON(t, filled(p)); after != before {
				t.Errorf("%d recorders: merging changed the one that was merged in", k)
			}
		}
		if got, want := mustJSON(t, filled(parts[0])), mustJSON(t, filled(one)); got != want {
			t.Errorf("%d recorders merged:\n%s\none:\n%s", k, got, want)
		}
	}
}

// The first text of a class is kept, and one that only another recorder has
// is taken over.
func TestRecorderMergesErrorTexts(t *testing.T) {
	r, other := newRecorder(1), newRecorder(1)
	r.Error("OOM", "OOM here")
	other.Error("OOM", "OOM there")
	other.Error("BUSY", "BUSY there")
	r.Merge(other)
	if got, want := filled(r).Warnings, []string{"BUSY there", "OOM here"}; !reflect.DeepEqual(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

func TestRecorderReset(t *testing.T) {
	r := newRecorder(clientsOfHistory)
	for _, e := range history(7, 2000) {
		e.tell(r)
	}
	r.Reset(clientsOfHistory)
	if got, want := mustJSON(t, filled(r)), mustJSON(t, filled(newRecorder(clientsOfHistory))); got != want {
		t.Errorf("after Reset\n%s\nwant\n%s", got, want)
	}
	// The number of clients is that of the next trial.
	r.Reset(2)
	r.Op(OpRecord{Client: 1, Outcome: OpCommitted, Attempts: 1})
	if f := filled(r).Fairness; f == nil || *f != 0.5 {
		t.Errorf("fairness %v of one client in two", f)
	}
}

// A filled run stays what it is, whatever becomes of the recorder.
func TestRecorderFillTakesCopies(t *testing.T) {
	r, other := newRecorder(clientsOfHistory), newRecorder(clientsOfHistory)
	for _, e := range history(8, 3000) {
		e.tell(r)
		e.tell(other)
	}
	run := filled(r)
	if len(run.Failed) == 0 || len(run.Notes) == 0 || len(run.Warnings) == 0 {
		t.Fatalf("failed %v, notes %v, warnings %v: the test says nothing of them", run.Failed, run.Notes, run.Warnings)
	}
	want := mustJSON(t, run)
	more := func() {
		for _, e := range history(9, 3000) {
			e.tell(r)
		}
	}
	for _, use := range []struct {
		what string
		do   func()
	}{
		{"recorded into", more},
		{"merged into", func() { r.Merge(other) }},
		{"reset", func() { r.Reset(clientsOfHistory) }},
		{"used again", more},
	} {
		use.do()
		if got := mustJSON(t, run); got != want {
			t.Fatalf("the recorder was %s, and the run changed:\n%s\nwas\n%s", use.what, got, want)
		}
	}
	// And the other way round: what is done to the run is not in the next one.
	r.Reset(clientsOfHistory)
	r.Note("noscript")
	r.Op(OpRecord{Outcome: OpFailed, Class: "OOM"})
	first := filled(r)
	want = mustJSON(t, first)
	first.Failed["OOM"], first.Notes["noscript"] = 77, 77
	first.Verdicts["committed"], first.Whole.Verdicts["committed"] = 77, 77
	first.Latency.Record(1)
	first.OtherLatency.Record(1)
	first.AttemptLatency.Record(1)
	first.BystanderLatency.Record(1)
	first.AttemptsHistogram.Add(1)
	if got := mustJSON(t, filled(r)); got != want {
		t.Errorf("a run was changed, and the next is\n%s\nwant\n%s", got, want)
	}
}

func TestRecorderConcurrently(t *testing.T) {
	const goroutines, each = 8, 500
	r, want := newRecorder(clientsOfHistory), newRecorder(clientsOfHistory)
	var wg sync.WaitGroup
	for g := range goroutines {
		events := history(uint64(10+g), each)
		for _, e := range events {
			e.tell(want)
		}
		wg.Go(func() {
			for _, e := range events {
				e.tell(r)
			}
			r.Fill(&Run{}) // reading in between does no harm
		})
	}
	wg.Wait()
	if got, want := mustJSON(t, filled(r)), mustJSON(t, filled(want)); got != want {
		t.Errorf("recorded by %d goroutines:\n%s\nby one:\n%s", goroutines, got, want)
	}
}

func TestRecorderDoesNotAllocate(t *testing.T) {
	r := newRecorder(4)
	r.Follow(time.Minute, true)
	rng := rand.New(rand.NewPCG(1, 2))
	for name, record := range map[string]func(){
		"attempt, committed": func() { r.Attempt(attemptOf(rng, Committed), true) },
		"attempt, conflict":  func() { r.Attempt(attemptOf(rng, Conflict), true) },
		"attempt, warm-up":   func() { r.Attempt(attemptOf(rng, Conflict), false) },
		"op, committed":      func() { r.Op(opOf(rng, OpCommitted)) },
		"op, rejected":       func() { r.Op(opOf(rng, OpRejected)) },
		"op, gave up":        func() { r.Op(opOf(rng, OpGaveUp)) },
		"op, unfinished":     func() { r.Op(opOf(rng, OpUnfinished)) },
		"delays":             func() { r.Decision(1000); r.RTT(1000) },
		"bystander":          func() { r.Bystander(1000); r.BystanderFailed(1) },
	} {
		if n := testing.AllocsPerRun(1000, record); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func attemptOf(rng *rand.Rand, v Verdict) AttemptRecord {
	return AttemptRecord{
		Number: 1 + rng.IntN(100), Verdict: v, At: time.Duration(rng.Int64N(int64(time.Minute))), Latency: time.Duration(rng.IntN(1_000_000_000)),
		Exchanges: 2, BytesOut: 100, BytesIn: 50,
	}
}

func opOf(rng *rand.Rand, o OpOutcome) OpRecord {
	return OpRecord{
		Client: rng.IntN(4), Outcome: o, Attempts: 1 + rng.IntN(100), At: time.Duration(rng.Int64N(int64(time.Minute))),
		Latency: time.Duration(rng.IntN(1_000_000_000)),
	}
}

func TestJain(t *testing.T) {
	tests := []struct {
		committed []int64
		want      float64 // 0: nil
	}{
		{nil, 0},
		{[]int64{0, 0, 0}, 0},
		{[]int64{7}, 1},
		{[]int64{5, 5, 5, 5}, 1},
		{[]int64{9, 0}, 0.5},
		{[]int64{0, 0, 3, 0}, 0.25},
		{[]int64{3, 1}, 0.8},
		{[]int64{1, 2, 3}, 36.0 / 42},
	}
	for _, test := range tests {
		got := jain(test.committed)
		switch {
		case (got == nil) != (test.want == 0):
			t.Errorf("%v: %v, want %v", test.committed, got, test.want)
		case got != nil && !near(*got, test.want, 1e-12):
			t.Errorf("%v: %v, want %v", test.committed, *got, test.want)
		}
	}
	rng := seeded(11)
	for range 500 {
		x := make([]int64, 1+rng.IntN(50))
		for i := range x {
			x[i] = rng.Int64N(1 << rng.IntN(50))
		}
		x[0]++
		got, n := *jain(x), float64(len(x))
		if got < 1/n*(1-1e-9) || got > 1+1e-9 {
			t.Errorf("%v: %v, want 1/n to 1", x, got)
		}
	}
}

func TestVerdictNames(t *testing.T) {
	var names []string
	for v := range verdicts {
		names = append(names, v.String())
	}
	if got := fmt.Sprint(names); got != "[committed conflict rejected failed unknown]" {
		t.Errorf("verdicts %s", got)
	}
}

func BenchmarkRecorder(b *testing.B) {
	r := newRecorder(4)
	r.Follow(time.Minute, false)
	const step = 10 * time.Microsecond
	attempt := AttemptRecord{Number: 1, Verdict: Committed, Latency: 123_456, Exchanges: 2, BytesOut: 100, BytesIn: 50}
	op := OpRecord{Outcome: OpCommitted, Attempts: 1, Latency: 123_456}
	b.ReportAllocs()
	for b.Loop() {
		r.Attempt(attempt, true)
		r.Op(op)
		attempt.At = (attempt.At + step) % time.Minute
		op.At = attempt.At
	}
}
