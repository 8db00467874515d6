package check_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rmwbench/internal/check"
	"rmwbench/internal/engine"
	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
)

// parse reads a batch whose scripts lie in testdata.
func parse(t testing.TB, file, text string) *check.Batch {
	t.Helper()
	b, err := check.Parse(file, text, func(name string) (string, error) {
		body, err := os.ReadFile(filepath.Join("testdata", name))
		return string(body), err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// onServer checks a batch.
func onServer(s *redisd.Server, b *check.Batch, stop <-chan struct{}) (*check.Report, error) {
	world, err := live.Open(live.Target{Network: s.Network, Address: s.Address, Embedded: s.Embedded, Protocol: 2}, stop)
	if err != nil {
		return nil, err
	}
	defer world.Close()
	return check.Check(world, b, check.Config{Embedded: s.Embedded, Stop: stop})
}

// one checks the lines of a batch on a server of its own.
func one(t *testing.T, lines ...string) *check.Report {
	t.Helper()
	b := parse(t, "f", strings.Join(lines, "\n"))
	r, err := onServer(redistest.Start(t, "--databases", strconv.Itoa(b.Databases())), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// remaining matches what of a relative deadline remains, to the second.
var remaining = regexp.MustCompile(`for (\d+h)?(\d+m)?\d+s`)

// text is the whole report.
func text(r *check.Report) string {
	lines := r.Lines()
	lines = append(lines, "")
	for _, row := range r.Table() {
		lines = append(lines, strings.Join(row, " | "))
	}
	lines = append(lines, "", r.Verdict, "")
	return remaining.ReplaceAllString(strings.Join(lines, "\n"), "for TIME")
}

// verdicts are what each batch in testdata comes to; the textbook's is the
// first.
var verdicts = []struct {
	file string
	safe bool
	says []string // by questions from 1: what the answer, its faults or warnings have in them
}{
	{"textbook", true, []string{
		"1 Yes: once, twice, and crashed and then retried (at 3 places) end in one state",
		"2 claimed by textbook.redis:2 (SET op:${op} 1 NX EX 3600), in an exchange of its own before the effects (textbook.redis:3-5)",
		"2 the claim protects nothing",
		"3 Invisible garbage: dead after textbook.redis:3 (HSET item:42 name Widget price 1999), item:42 for ever",
		"3 the pointer outlives its payload, without any crash: feed holds 42, the last part of the name item:42, and it has no deadline",
		"4 No: item:42 has neither",
		"5 There is no EXEC",
	}},
	{"textbook_stop", false, []string{"1 Twice yes, but not when it dies and is retried, at 3 of 3", "1 ends at textbook_stop.redis:3 (#! stop-if nil)", "2 the claim stays and the work is undone"}},
	{"textbook_script", true, []string{"2 inside the script, together with its effects", "3 Neither", "4 no partial run"}},
	{"incr", false, []string{"1 incr.redis:4 (INCRBY balance:7 5) breaks it: balance:7: 105 -> 110", "2 No: ${op} is in no command"}},
	{"incr_once", true, []string{"1 Yes", "2 inside the script, together with its effects"}},
	{"expire", false, []string{"1 expire.redis:2 (EXPIRE session:${op} 1800) breaks it: session:${op}: its deadline moves later"}},
	{"expire_nx", true, []string{"1 Yes", "4 Yes: session:${op} (until its owner janitor takes it away)"}},
	{"expireat", true, []string{"1 Yes", "4 Yes"}},
	{"pointer_first", true, []string{"3 A broken reference.", "3 dead after pointer_first.redis:1 (ZADD feed 1700000000 42), feed holds 42, the last part of the name item:42, while item:42 is not there"}},
	{"payload_first", true, []string{"3 Invisible garbage", "4 Yes: item:42 (until its owner sweeper takes it away)"}},
	{"delete_payload_first", true, []string{"3 A broken reference."}},
	{"token_outside", false, []string{"1 Twice yes, but not when it dies", "2 in an exchange of its own before the effects", "4 Yes: op:${op} (for 1h0m0s)"}},
	{"token_ignored", false, []string{"1 token_ignored.redis:3 (DECRBY balance:7 5) breaks it", "2 the claim protects nothing"}},
	{"token_last", false, []string{"1 token_last.redis:2 (DECRBY balance:7 5) breaks it", "2 after effects (token_last.redis:2)"}},
	{"token_queued", false, []string{"1 token_queued.redis:4 (DECRBY balance:7 5) breaks it", "2 until EXEC the claim answers QUEUED"}},
	{"token_watched", true, []string{"2 looked for by token_watched.redis:5", "3 Neither: nothing remains", "5 Yes, says token_watched.redis:3. With a value of another type at balance:7, element 2"}},
	{"transfer", false, []string{"1 transfer.redis:2", "1 transfer.redis:3", "3 work half done", "3 account:a: 100 -> 70, and the rest is not done"}},
	{"converging", true, []string{"1 It is one step for the server", "5 With a value of another type at feed, element 3, converging.redis:5 (ZADD feed 1700000000 42), answers WRONGTYPE, while the other 3 are applied"}},
	{"queue", false, []string{"1 jobs: 3 -> 4 elements", "1 queue.redis:3 (XADD log * event queued) breaks it: log: 1 -> 2 entries", "1 queue.redis:4 (PUBLISH jobs three) leaves nothing to compare"}},
	{"stream", true, []string{"1 a retry is answered with an error at stream.redis:4"}},
	{"rename", false, []string{"1 the retry ends at rename.redis:3 (RENAME draft:1 page:1) with ERR no such key"}},
}

// Every batch in testdata gets the verdict, the answers and the words that it
// deserves. UPDATE_GOLDEN=1 writes the words.
func TestBatches(t *testing.T) {
	files, err := filepath.Glob("testdata/*.redis")
	if err != nil || len(files) != len(verdicts) {
		t.Fatalf("%d files and %d verdicts, %v", len(files), len(verdicts), err)
	}
	var batches []*check.Batch
	for _, want := range verdicts {
		body, err := os.ReadFile(filepath.Join("testdata", want.file+".redis"))
		if err != nil {
			t.Fatal(err)
		}
		batches = append(batches, parse(t, want.file+".redis", string(body)))
	}
	reports := together(t, batches)
	for i, want := range verdicts {
		t.Run(want.file, func(t *testing.T) {
			r := reports[i]
			if r.Safe == nil || *r.Safe != want.safe {
				t.Errorf("safe: %v, want %v", r.Safe, want.safe)
			}
			expect(t, r, want.says...)
			r.Server = "a server"
			path := filepath.Join("testdata", want.file+".txt")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(path, []byte(text(r)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(r); got != string(golden) {
				t.Errorf("%s differs (UPDATE_GOLDEN=1 writes it):\n%s", path, got)
			}
		})
	}
}

// together checks batches at once, each on a server of its own: most of the
// time of a check is a pause.
func together(t *testing.T, batches []*check.Batch) []*check.Report {
	t.Helper()
	reports, errs := make([]*check.Report, len(batches)), make([]error, len(batches))
	var all sync.WaitGroup
	for i, b := range batches {
		s := redistest.Start(t, "--databases", strconv.Itoa(b.Databases()))
		all.Go(func() { reports[i], errs[i] = onServer(s, b, nil) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return reports
}

// Wherever the id is claimed, and however, it is said what that is worth.
func TestClaims(t *testing.T) {
	t.Parallel()
	const claims = `EVAL "return redis.call('SET', KEYS[1], 1, 'NX') and 1 or 0" 1 op:${op}`
	cases := []struct {
		lines string
		safe  bool
		says  string
	}{
		{"HSET order:${op} a 1", true, "There is one (${op}, first in f:1 (HSET order:${op} a 1)), but it is never claimed"},
		{"SADD done ${op}\n#! stop-if 0\nINCR a", false, "claimed by f:1 (SADD done ${op}), in an exchange of its own before the effects (f:3)"},
		{"SETNX op:${op} 1\n#! stop-if 0", true, "claimed by f:1 (SETNX op:${op} 1); there are no effects beside it"},
		{"SET op:${op} 1 NX\n+ INCR a", false, "in a pipeline with effects (f:2)"},
		{"GET op:${op}\n#! stop-if 1\nINCR a\nSET op:${op} 1", false, "looked for by f:1 (GET op:${op}) and claimed by f:4 (SET op:${op} 1), after effects (f:3)"},
		{"GET op:${op}\n#! stop-if 1\nMULTI\nINCR a\nSET op:${op} 1\nEXEC", true, "nothing holds the id between the look and the claim"},
		{"GET op:${op}\n#! stop-if 1\nSET op:${op} 1\nINCR a", false, "a retry ends at the look for it"},
		{claims + "\n#! stop-if 0\nINCR a", false, "if the batch dies between the claim and f:3, the claim stays"},
		{claims + "\nINCR a", false, "the client stops when it answers (integer) 0 (#! stop-if 0)"},
		{strings.Replace(claims, "and 1 or 0", "and 1 or 1", 1) + "\nINCR a", false, "the script answers (integer) 1 both times"},
		{`EVAL "return redis.call('INCR', KEYS[1])" 1 a ${op}`, false, "stores nothing under it"},
		{"SETNX lock 1\n#! stop-if 0\nSET a 1", false, "what ends the batch at f:2 (#! stop-if 0) is not of this operation"},
	}
	var batches []*check.Batch
	for _, c := range cases {
		batches = append(batches, parse(t, "f", c.lines))
	}
	for i, r := range together(t, batches) {
		if *r.Safe != cases[i].safe {
			t.Errorf("%q: %s", cases[i].lines, r.Verdict)
		}
		expect(t, r, "2 "+cases[i].says)
	}
}

// expect holds answers against words that begin with the question's number.
func expect(t *testing.T, r *check.Report, says ...string) {
	t.Helper()
	for _, want := range says {
		number, words, _ := strings.Cut(want, " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		a := r.Answers[n-1]
		said := strings.Join(append(append([]string{a.Answer}, a.Faults...), a.Warnings...), "\n")
		if !strings.Contains(said, words) {
			t.Errorf("%s\nsays %q\nwant %q", a.Question, said, words)
		}
	}
}

// What the report says of end states is what plain commands on another server
// end in.
func TestEndStatesAgainstPlainCommands(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	do := func(line string) string { return redistest.Command(t, s, strings.Fields(line)...) }

	do("SET balance:7 100")
	for range 2 { // incr.redis
		do("HSET receipt:9 to 7 amount 5")
		do("EXPIREAT receipt:9 4102444800")
		do("INCRBY balance:7 5")
	}
	if got := do("GET balance:7"); got != "110" { // as its report says: 105 -> 110
		t.Errorf("balance:7 is %s", got)
	}

	do("FLUSHALL")
	before := do("TIME")
	do("SET session:x alice")
	do("EXPIRE session:x 1800")
	first := do("PEXPIRETIME session:x")
	time.Sleep(20 * time.Millisecond)
	do("SET session:x alice")
	do("EXPIRE session:x 1800")
	if second := do("PEXPIRETIME session:x"); second <= first {
		t.Errorf("deadlines %s, then %s (began at %s)", first, second, before)
	}

	do("FLUSHALL")
	do("SET balance:7 100")
	if do("SET op:x 1 NX EX 3600") != "OK" { // token_outside.redis dies here
		t.Error("the claim was not free")
	}
	if do("SET op:x 1 NX EX 3600") != "(nil)" { // and is retried: it ends here
		t.Error("the claim was free again")
	}
	if got := do("GET balance:7"); got != "100" { // as its report says: 95 -> 100
		t.Errorf("balance:7 is %s", got)
	}

	do("FLUSHALL")
	body, err := os.ReadFile("testdata/incr_once.lua")
	if err != nil {
		t.Fatal(err)
	}
	do("SET balance:7 100")
	for i, want := range []string{"1", "0"} {
		if got := redistest.Command(t, s, "EVAL", string(body), "2", "op:x", "balance:7", "5", "4102444800"); got != want {
			t.Errorf("call %d of the script answers %s", i+1, got)
		}
	}
	if got := do("GET balance:7"); got != "105" {
		t.Errorf("balance:7 is %s", got)
	}

	do("FLUSHALL")
	do("SET feed x") // converging.redis on a key of another type
	if got := redistest.Command(t, s, "EVAL", "return redis.pcall('ZADD', 'feed', 1, '42')", "0"); !strings.HasPrefix(got, "-WRONGTYPE") {
		t.Errorf("ZADD answers %s", got)
	}
}

// Deadlines that a script reckons in whole seconds are seen to move.
func TestWholeSeconds(t *testing.T) {
	t.Parallel()
	r := one(t, `SET a 1`, `EVAL "return redis.call('EXPIREAT', KEYS[1], redis.call('TIME')[1] + 60)" 1 a`)
	if *r.Safe {
		t.Error(r.Verdict)
	}
	expect(t, r, "1 f:2", "1 a: its deadline moves later")
}

// Times and ids that the server makes up are no fault of a retry that writes
// them once, and a fault of one that writes them twice.
func TestWhatTheServerMakesUp(t *testing.T) {
	t.Parallel()
	once := `EVAL "if redis.call('SET', KEYS[1], 1, 'NX') then redis.call('XADD', KEYS[2], '*', 'at', redis.call('TIME')[1]) return 1 end return 0" 2 op:${op} log`
	r := one(t, "#! owner: ops", "SET a 1", once, "SET b 1")
	if !*r.Safe {
		t.Errorf("%s: %v", r.Verdict, r.Answers[0])
	}
	expect(t, r, "1 two single runs do not agree on log", "2 inside the script; outside it are the effects of f:2-4")
	r = one(t, "SET a 1", "XADD log * a 1", "SET b 1")
	if *r.Safe {
		t.Error(r.Verdict)
	}
	if c := r.Crashes; len(c[0].Retried) != 0 || len(c[1].Retried) != 1 || c[1].Retried[0] != "log: 1 -> 2 entries" {
		t.Errorf("%+v", c)
	}
}

// A reply that is a refusal ends the retry where the client looks at it.
func TestElementsOfExec(t *testing.T) {
	t.Parallel()
	lines := []string{"SET a x", "MULTI", "LPUSHX list 1", "RENAME a b", "EXEC", "SET c 1"}
	r := one(t, append([]string{"#! start: SET d 1", "SET d 2"}, lines...)...)
	if !*r.Safe {
		t.Error(r.Verdict, r.Answers[0])
	}
	// b is there already; a start that has a gone makes RENAME fail in a retry.
	lines[0] = "#! start: SET a x"
	r = one(t, append([]string{"SET d 1"}, lines...)...)
	if !*r.Safe {
		t.Error(r.Verdict, r.Answers[0])
	}
	expect(t, r, "5 in a retry f:5 (RENAME a b) is answered with ERR no such key inside EXEC")
	r = one(t, append([]string{"#! exec: checked", "SET d 1"}, lines...)...)
	if *r.Safe { // dead after EXEC, the retry never comes to SET c
		t.Error(r.Verdict, r.Answers[0])
	}
	expect(t, r, "1 the retry ends at f:6 (RENAME a b) with ERR no such key")
}

func TestReferencesThatAreDeclared(t *testing.T) {
	t.Parallel()
	batch := []string{"SADD queue job", "HSET payload:9 a 1"}
	expect(t, one(t, batch...), "3 Invisible garbage")
	expect(t, one(t, append(batch, "#! ref: queue job -> payload:9")...), "3 queue holds job (f:3), while payload:9 is not there")
	expect(t, one(t, append(batch, "#! ref: queue -> payload:9")...), "3 queue is there (f:3), while payload:9 is not there")
	expect(t, one(t, append([]string{"HSET item:1 a 1", "SADD all 1", "HSET item:1 b 1"}, "#! owner: me")...), "3 all holds 1, the last part of the name item:1, while item:1 is there in part")
}

// All types are read, and told apart.
func TestTypes(t *testing.T) {
	t.Parallel()
	r := one(t, "#! start: XADD s 1-1 a 1", "#! start: XGROUP CREATE s g 0",
		"APPEND string x", "RPUSH list a", "HINCRBY hash f 1", "SADD set a", "ZINCRBY zset 1 a", "XADD s * a 1", "PFADD hll a",
		"XREADGROUP GROUP g c COUNT 1 STREAMS s >", "SETBIT bits 7 1")
	if *r.Safe {
		t.Error(r.Verdict)
	}
	expect(t, r, "1 string: x -> xx", "1 list: 1 -> 2 elements", "1 hash f: 1 -> 2", "1 zset a: 1 -> 2", "1 s: 3 -> 4 entries", `1 s "group g": "delivered to `)
	for _, fault := range r.Answers[0].Faults {
		if strings.Contains(fault, "SADD") || strings.Contains(fault, "PFADD") || strings.Contains(fault, "SETBIT") {
			t.Error(fault)
		}
	}
}

// What does not run once is refused with file, line and the server's words.
func TestBatchesThatDoNotRun(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--databases", "16")
	for lines, want := range map[string]string{
		"SET a 1\nNOSUCH a":                      "f:2: the server answers NOSUCH a with: ERR unknown command",
		"SET a 1\nLPUSH a 1":                     "f:2: the server answers LPUSH a 1 with: WRONGTYPE",
		"SET a 1\nMULTI\nGET a\nLPUSH a 1\nEXEC": "f:4: the server answers LPUSH a 1 with: WRONGTYPE",
		"MULTI\nSET a\nEXEC":                     "f:2: the server answers SET a with: ERR wrong number",
		"#! start: LPUSH a\nGET a":               "f:1: the server answers LPUSH a with: ERR wrong number",
		"WATCH a\nSET a 1\nMULTI\nGET a\nEXEC":   "f:4: the server answers GET a with: EXEC answered nil: a watched key was changed",
		"GET ${op}\n#! stop-if nil\nSET a 1":     "f:2: the first run ends here (#! stop-if nil)",
		`EVAL "return {}.x.y" 0`:                 `f:1: the server answers EVAL "return {}.x.y" 0 with: ERR`,
	} {
		if _, err := onServer(s, parse(t, "f", lines), nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", lines, err, want)
		}
	}
}

// A server before 7.0 has no PEXPIRETIME: deadlines are reckoned from what
// remains.
func TestWithoutExactDeadlines(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--rename-command", "PEXPIRETIME", "")
	for lines, safe := range map[string]bool{
		"SET a 1 EX 100": false, "SET a 1 NX EX 100\nSET b 1": true, "SET a 1 EXAT 4102444800\nSET b 1": true,
	} {
		r, err := onServer(s, parse(t, "f", lines), nil)
		if err != nil || r.Safe == nil || *r.Safe != safe {
			t.Errorf("%q: %+v %v, want safe %v", lines, r, err, safe)
		}
	}
}

// The embedded server has no clock for deadlines. Nothing is called safe there
// that has any.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	s := redistest.Embedded(t)
	unsafe, safe := false, true
	for lines, want := range map[string]*bool{
		"SET a 1\nSET b 2":                           &safe,
		"INCR a":                                     &unsafe,
		"INCR a\nSET b 1 EX 100":                     &unsafe,
		"SET a 1 EX 100":                             nil,
		"#! start: SET a 1 EX 100\nPERSIST a":        nil,
		"SET op:${op} 1 NX\n#! stop-if nil\nSET a 1": &unsafe,
	} {
		r, err := onServer(s, parse(t, "f", lines), nil)
		switch {
		case err != nil:
			t.Errorf("%q: %v", lines, err)
		case (r.Safe == nil) != (want == nil) || want != nil && *r.Safe != *want:
			t.Errorf("%q: %s", lines, r.Verdict)
		}
	}
}

func TestInterruption(t *testing.T) {
	t.Parallel()
	s := redistest.Embedded(t)
	stop := make(chan struct{})
	close(stop)
	if _, err := onServer(s, parse(t, "f", "SET a 1\nSET b 1"), stop); !errors.Is(err, engine.ErrInterrupted) {
		t.Error(err)
	}
	stop = make(chan struct{})
	time.AfterFunc(300*time.Millisecond, func() { close(stop) }) // about in the pause
	if _, err := onServer(s, parse(t, "f", "SET a 1\nSET b 1"), stop); !errors.Is(err, engine.ErrInterrupted) {
		t.Error(err)
	}
}

// A server that goes away is an error with the line at which it was missed.
func TestServerDies(t *testing.T) {
	t.Parallel()
	s := redistest.Embedded(t)
	done := make(chan error)
	go func() {
		_, err := onServer(s, parse(t, "f", "SET a 1\nSET b 1"), nil)
		done <- err
	}()
	time.Sleep(300 * time.Millisecond)
	if err := s.Kill(); err != nil {
		t.Error(err)
	}
	if err := <-done; err == nil {
		t.Error("no error")
	}
}
