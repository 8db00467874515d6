package cli

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"rmwbench/internal/redisd/redistest"
	"rmwbench/results"
)

// simulated is a simulation of about no time.
func simulated(args ...string) []string {
	return append([]string{"simulate", "--duration", "50ms", "--warmup", "10ms", "--trials", "2"}, args...)
}

// Bad input is refused as in run.
func TestBadInputToPredictions(t *testing.T) {
	for line, words := range map[string]string{
		"simulate -c 0":                 "-c 0 | 1 to 10000",
		"simulate --profile nope":       "--profile nope | redis-7.0.15-unix",
		"simulate --profile broken":     "--profile broken | broken",
		"simulate --shards 0":           "--shards 0 | 1 to 1000",
		"simulate --server-speed 0":     "--server-speed 0 | 0.001 to 1000",
		"simulate --server-speed NaN":   "--server-speed NaN",
		"simulate --script-time -1s":    "--script-time -1s | 0s to 1m0s",
		"simulate --script-time 2h":     "--script-time 2h0m0s",
		"simulate --bystanders 2000":    "--bystanders 2000 | 0 to 1000",
		"simulate --bystanders closed":  `--bystanders | "closed" | N:closed`,
		"simulate --shards 2,2":         "--shards 2 | twice",
		"simulate -h localhost":         "-h",
		"simulate --goal p99<0ms":       "--goal | more than 0",
		"simulate --rps -1":             "--rps -1 | 0 to 1e+07",
		"simulate --rps NaN":            "--rps NaN",
		"simulate --rps 5 --herd":       "--rps 5 | --herd",
		"simulate --rps 5 --think 1ms":  "--think 1ms | --rps",
		"simulate --herd --duration 1s": "--duration 1s | --herd",

		"simulate --rps 5 --burst 2@1s+1s":                            `--burst | "2@1s+1s" | x2@10s+5s`,
		"simulate --rps 5 --burst x0@1s+1s":                           `--burst | "x0@1s+1s" | 0.001 to 1000`,
		"simulate --rps 5 --burst -x2@1s+1s":                          `--burst | "-x2@1s+1s" | x2@10s+5s`,
		"simulate --rps 5 --burst":                                    "--burst | want a value",
		"simulate --burst x2@1s+1s":                                   "--burst x2@1s+1s | --rps above 0",
		"simulate --rps 0,5 --burst x2@1+1 --duration 3s":             "--burst x2@1s+1s | --rps above 0",
		"simulate --rps 5 --burst x2@1s+1s --duration 2s":             "--burst x2@1s+1s | 2s into the window | --duration 2s to be longer",
		"simulate --rps 5 --burst x2@1s+1s -n 100":                    "--burst x2@1s+1s | -n alone",
		"simulate --rps 5 --burst x2@1s+1s --herd":                    "--burst x2@1s+1s | --herd",
		"simulate --rps 100000 --burst x1000@10ms+10ms --duration 1s": "--burst x1000@10ms+10ms | 1e+07",

		"calibrate --out no/p.json":           "--out no/p.json | no directory",
		"simulate --herd -n 3":                "-n 3 | --herd",
		"simulate --out broken":               "--out broken | not a directory",
		"simulate --conn shared":              "--conn shared | dedicated connections only",
		"simulate --conn nope":                "--conn nope | dedicated or shared",
		"simulate -d 64":                      "-d 64 | document",
		"calibrate --budget 1ms":              "--budget 1ms | 10m0s",
		"calibrate --out broken":              "--out broken | --force",
		"calibrate -h localhost -s /x":        "once",
		"calibrate --server nope":             "--server | nope",
		"simulate -t atomic --workload debit": "atomic cannot do debit",
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("broken", []byte(`{"profile": 1, "nmae": "x"}`), 0o644); err != nil {
				t.Fatal(err)
			}
			code, out, errOut := invokeHere(strings.Fields(line)...)
			if code != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 {
				t.Errorf("exit %d, stdout %q, stderr %q", code, out, errOut)
			}
			for word := range strings.SplitSeq(words, " | ") {
				if !strings.Contains(errOut, word) {
					t.Errorf("%q lacks %q", errOut, word)
				}
			}
			if entries, _ := os.ReadDir("."); len(entries) != 1 {
				t.Errorf("something was written: %v", entries)
			}
		})
	}
}

func TestSimulate(t *testing.T) {
	code, out, errOut := invoke(t, simulated("-c", "1,16", "--keys", "1,10", "--workload", "counter,debit", "--script-time", "0,1ms")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	for _, want := range []string{
		"SIMULATED, no server", "counter on 1 key, network delay 1ms on average, 1 bystander, SIMULATED", "lua of 1ms", "exact",
		"atomic x debit: n/a", "every figure is simulated",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "NaN") || strings.Contains(out, "Inf") || strings.Contains(out, "%!") || strings.Contains(out, "VOID") {
		t.Errorf("%s", out)
	}
	file := read(t)
	h := file.Headers[0]
	if h.Source != results.SourceSimulated || len(h.Profile) == 0 || len(file.Runs) != 2*len(h.Cells) || len(h.Wire) == 0 {
		t.Errorf("source %q, %d runs of %d cells, %d wire logs", h.Source, len(file.Runs), len(h.Cells), len(h.Wire))
	}
	// The report can be drawn again, and beside others of its kind.
	if code, out, errOut := invokeHere("plot", "rmwbench-out/results.jsonl", "--out", "again"); code != exitOK || !strings.Contains(out, "Report:") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
}

func TestSimulatedRunLinesAreReproducible(t *testing.T) {
	lines := func(args ...string) []string {
		t.Helper()
		if code, _, errOut := invoke(t, simulated(args...)...); code != exitOK {
			t.Fatal(errOut)
		}
		text, err := os.ReadFile("rmwbench-out/results.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		_, runs, _ := strings.Cut(string(text), "\n")
		return strings.Split(runs, "\n")
	}
	all := lines("-c", "4,8", "-t", "watch,lua", "--backoff", "full")
	again := lines("-c", "4,8", "-t", "watch,lua", "--backoff", "full")
	one := lines("-c", "8", "-t", "lua")
	if strings.Join(all, "") != strings.Join(again, "") {
		t.Error("the same command gives other lines")
	}
	if one[0] != all[3] {
		t.Error("alone, a cell gives another line")
	}
}

// A stated load that misses its goal ends in exit 5; without one, the largest
// that meets it is searched for.
func TestGoal(t *testing.T) {
	code, out, errOut := invoke(t, simulated("--goal", "retries<1", "-t", "watch-pipelined,lua", "--backoff", "none", "-c", "1,32")...)
	if code != exitGoal {
		t.Errorf("exit %d, %s", code, errOut)
	}
	for _, want := range []string{
		"Goal retries<1: watch-pipelined without back-off meets it up to 1 client (", "; at 32 clients retries is ",
		"Goal retries<1: lua meets it up to 32 clients (", "; no larger load was tried.", "load number of the hottest key",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// Few win and the others wait: what commits is quick, and the goal is missed.
	code, out, _ = invoke(t, "simulate", "--trials", "2", "-c", "64", "-t", "watch-pipelined", "--backoff", "exp",
		"--backoff-base", "1", "--backoff-cap", "60", "--duration", "1", "--goal", "p99<50ms")
	if code != exitGoal || !strings.Contains(out, "were still running after 50ms") {
		t.Errorf("starving: exit %d: %s", code, out)
	}
	if code, _, errOut := invoke(t, simulated("--goal", "retries<100", "-t", "lua", "-c", "1")...); code != exitOK {
		t.Errorf("a goal that is met: exit %d, %s", code, errOut)
	}
	code, out, errOut = invoke(t, simulated("--goal", "retries<1,server<90%", "-t", "watch-pipelined", "--backoff", "none", "--keys", "5")...)
	if code != exitOK || !strings.Contains(out, "meets it up to ") || strings.Contains(out, "no larger load") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	code, out, errOut = invoke(t, simulated("--goal", "p99<1us", "-t", "lua")...)
	if code != exitOK || !strings.Contains(out, "lua does not meet it: at 1 client p99 is") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	// p99.9 of one slow client: the samples will not do.
	code, _, errOut = invoke(t, simulated("--goal", "p99.9<1s", "-t", "lua", "--rtt", "10ms", "-c", "1")...)
	if code != exitFailed || !strings.Contains(errOut, "cannot be judged for lua, 1 client: there are too few samples for p99.9") {
		t.Errorf("exit %d: %s", code, errOut)
	}
	// One client of a herd has too few as well; a search goes on to those that have enough.
	code, out, errOut = invoke(t, "simulate", "--herd", "--trials", "2", "-t", "lua", "--rtt", "5ms", "--goal", "p99<12ms")
	if code != exitOK || !strings.Contains(out, "lua meets it up to ") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
}

func TestGoalOnARealServer(t *testing.T) {
	redistest.Path(t)
	code, out, errOut := invoke(t, quick("--goal", "retries<1", "-t", "watch-pipelined", "--backoff", "none", "--decision", "2ms")...)
	if code != exitOK || !strings.Contains(out, "Goal retries<1: watch-pipelined without back-off meets it up to ") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
}

func TestHerdOnARealServer(t *testing.T) {
	redistest.Path(t)
	code, out, errOut := invoke(t, "run", "--no-predict", "--herd", "-c", "20", "--trials", "2", "-t", "watch,lua")
	if code != exitOK || !strings.Contains(out, "a herd") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	for _, r := range read(t).Runs {
		if r.Committed != 20 || r.Attempts-r.Conflicts != 20 {
			t.Errorf("%s: %d committed of a herd of 20", r.Strategy, r.Committed)
		}
	}
}

func TestOpenLoopOnARealServer(t *testing.T) {
	redistest.Path(t)
	code, out, errOut := invoke(t, "run", "--no-predict", "--rps", "200,1e6", "-c", "8", "-t", "lua", "--trials", "3", "--duration", "300ms")
	if code != exitOK || !strings.Contains(out, "open loop of 200/s") || !strings.Contains(out, "  service  ") ||
		!strings.Contains(out, "lua, 8 clients: the rate was not reached: of ") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	for _, r := range read(t).Runs {
		a := r.Arrivals
		if a == nil || r.ServiceLatency == nil || r.ServiceLatency.Count() != r.Committed {
			t.Fatalf("%+v", r)
		}
		if r.Rate == 200 && (a.Unserved > 0 || r.Committed > a.Offered+8) {
			t.Errorf("%d committed of %+v", r.Committed, a)
		}
		if r.Rate == 1e6 && a.Unserved == 0 {
			t.Errorf("a million a second: %+v", a)
		}
	}
}

// A run predicts itself, but for what is on a shared connection, and leaves a
// profile that simulate takes.
func TestRunPredictsItself(t *testing.T) {
	redistest.Path(t)
	code, out, errOut := invoke(t, "run", "-c", "2,4", "-t", "watch,lua", "--backoff", "none", "--duration", "100ms", "--trials", "2", "--decision", "1ms",
		"--script-time", "0", "--conn", "dedicated,shared")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	for _, want := range []string{"lua, shared", "watch x counter: n/a, --conn shared: WATCH", "  predicted  ", "Predictions: goodput within 10 %"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	simulated, live := 0, 0
	for _, r := range read(t).Runs {
		switch {
		case r.Source == results.SourcePredicted:
			simulated++
			if r.Conn != results.ConnDedicated {
				t.Errorf("%s is predicted on a shared connection", r.Strategy)
			}
		case r.Source == results.SourceLive:
			live++
		}
		if r.Audit.Verdict != results.AuditExact {
			t.Errorf("%s %s: audit %s", r.Source, r.Strategy, r.Audit)
		}
	}
	if live != 12 || simulated != 8 {
		t.Errorf("%d live and %d simulated runs, want 12 and, of the dedicated ones, 8", live, simulated)
	}
	if code, out, errOut := invokeHere("simulate", "--profile", "rmwbench-out/profile.json", "-c", "200", "-t", "lua", "--out", "whatif", "--trials", "1"); code != exitOK ||
		!strings.Contains(out, "SIMULATED") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	if code, out, errOut := invokeHere("plot", "rmwbench-out/results.jsonl", "whatif/results.jsonl", "--out", "both"); code != exitOK {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
}

func TestCalibrate(t *testing.T) {
	redistest.Path(t)
	code, out, errOut := invoke(t, "calibrate", "--budget", "1", "--name", "mine")
	if code != exitOK || !strings.Contains(out, `"name": "mine"`) {
		t.Fatalf("exit %d: %s%s", code, out, errOut)
	}
	if code, out, errOut := invokeHere("calibrate", "--budget", "1", "--out", "p.json"); code != exitOK || out != "Profile: p.json\n" {
		t.Fatalf("exit %d: %s%s", code, out, errOut)
	}
	if code, out, errOut := invokeHere(simulated("--profile", "p.json", "-c", "2")...); code != exitOK || !strings.Contains(out, "costs of the profile redis") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	// The embedded server tells nothing of its own time.
	if code, _, errOut := invoke(t, "calibrate", "--server", "embedded"); code != exitFailed || strings.Count(errOut, "\n") != 1 {
		t.Errorf("exit %d: %s", code, errOut)
	}
}

// Bystanders are there where scripts take their time, or as asked for; they show
// in table, file and CSV, and what they felt is held against the law.
func TestBystanders(t *testing.T) {
	for line, want := range map[string]struct {
		n      int
		closed bool
	}{
		"-t lua":                     {0, false},
		"-t lua --script-time 0,1ms": {1, false},
		"-t lua --script-time 1ms --bystanders 0":           {0, false},
		"-t lua --bystanders 3":                             {3, false},
		"-t atomic --script-time 1ms --bystanders 4:closed": {4, true},
	} {
		if code, _, errOut := invoke(t, simulated(append(strings.Fields(line), "-c", "4")...)...); code != exitOK {
			t.Fatalf("%s: exit %d: %s", line, code, errOut)
		}
		for _, run := range read(t).Runs {
			if run.Bystanders != want.n || run.BystandersClosed != want.closed || (run.BystanderLatency != nil) != (want.n > 0) {
				t.Errorf("%s: %d bystanders, closed %v", line, run.Bystanders, run.BystandersClosed)
			}
		}
	}
	args := simulated("-t", "lua", "-c", "8", "--script-time", "5ms", "--bystanders", "4:closed", "--duration", "2")
	_, out, _ := invoke(t, args...)
	for _, want := range []string{"4 bystanders reading as fast as they can", "    reads/s", "4 readers that never rest got ", "(law: 4/(8 x 5ms) = 100/s)"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	_, out, _ = invoke(t, append(args, "--csv")...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v: %v", rows, err)
	}
	got := map[string]string{}
	for i, name := range rows[0] {
		got[name] = rows[1][i]
	}
	rate, _ := strconv.ParseFloat(got["bystander_reads_per_s"], 64)
	if got["bystanders"] != "4" || got["bystanders_closed"] != "true" || got["bystander_failed"] != "0" || got["bystander_p50_ns"] == "" || rate < 97 || rate > 103 {
		t.Errorf("%v", got)
	}
}
