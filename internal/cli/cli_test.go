package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rmwbench/internal/redisd/redistest"
	"rmwbench/results"
)

// invoke runs a command line in an empty directory.
func invoke(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	t.Chdir(t.TempDir())
	return invokeHere(args...)
}

func invokeHere(args ...string) (code int, out, errOut string) {
	var stdout, stderr bytes.Buffer
	code = run(args, streams{&stdout, &stderr}, make(chan os.Signal))
	return code, stdout.String(), stderr.String()
}

// golden compares text with a file in testdata; UPDATE_GOLDEN=1 writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join(testdata, file)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (UPDATE_GOLDEN=1 writes it):\n%s", file, got)
	}
}

// testdata stays found when a test changes directory.
var testdata = func() string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		panic(err)
	}
	return dir
}()

func TestHelpAndList(t *testing.T) {
	for file, args := range map[string][]string{
		"help.txt": {"--help"}, "run-help.txt": {"run", "--help"}, "list.txt": {"list"},
		"simulate-help.txt": {"simulate", "--help"}, "calibrate-help.txt": {"calibrate", "--help"}, "claims-help.txt": {"claims", "--help"},
		"check-help.txt": {"check", "--help"}, "faults-help.txt": {"faults", "--help"},
	} {
		code, out, errOut := invoke(t, args...)
		if code != exitOK || errOut != "" {
			t.Errorf("%v: exit %d, %q", args, code, errOut)
		}
		golden(t, file, out)
	}
	if _, out, _ := invoke(t); !strings.HasPrefix(out, "Usage: rmwbench") {
		t.Errorf("without arguments: %q", out)
	}
	if code, out, _ := invoke(t, "--version"); code != exitOK || !strings.HasPrefix(out, "rmwbench ") {
		t.Errorf("--version: exit %d, %q", code, out)
	}
}

// Bad input: exit 2, one line that names flag, value and what is allowed,
// nothing on stdout, nothing written.
func TestBadInput(t *testing.T) {
	for line, words := range map[string]string{
		"-c 0":                 "-c 0 | 1 to 10000",
		"-c -1":                "-c -1 | 1 to 10000",
		"-c=-1":                "-c -1 | 1 to 10000",
		"-c 1e3":               `--clients | "1e3" | whole numbers`,
		"-c 1000000000":        "-c 1000000000 | 1 to 10000",
		"-c 1,,4":              `--clients | "1,,4" | whole numbers`,
		"-c 4,4":               "-c 4 | twice",
		"-c":                   "--clients | want a value",
		"--keys 0":             "--keys 0 | 1 to 1000000",
		"-r 2000000":           "--keys 2000000 | 1 to 1000000",
		"--duration 0s":        "--duration 0s | more than 0",
		"--duration -5s":       "--duration -5s | 1ns to 24h0m0s",
		"--duration 10x":       `--duration | "10x" | duration`,
		"--duration 1e300":     `--duration | "1e300" | duration`,
		"-n 0":                 "-n 0 | 1 to 1000000000",
		"-n -3":                "-n -3 | 1 to 1000000000",
		"--seed -1":            `--seed | "-1" | from 0`,
		"--trials 0":           "--trials 0 | 1 to 1000",
		"--skew NaN":           "--skew NaN | finite",
		"--skew -1":            "--skew -1 | at least 0",
		"--hot 120%:1":         `--hot | "120%:1" | 30%:1`,
		"--dist hotspot":       "--dist hotspot --keys 1 | 30%:1",
		"--dist nope":          "--dist nope | uniform",
		"-t nope":              "-t nope | watch-pipelined",
		"--workload nope":      "--workload nope | counter",
		"--backoff nope":       "--backoff nope | decorrelated",
		"--backoff-base 1s":    "--backoff-base 1s | 10ms",
		"--max-tries -1":       "--max-tries -1 | 0 to 1000000",
		"--rtt 2h":             "--rtt 2h0m0s | 1m0s",
		"--conn pooled":        "--conn pooled | dedicated or shared",
		"--conn shared,shared": "--conn shared | twice",
		"-t watch --conn shared --server embedded": "watch cannot do counter | --conn shared | WATCH belongs to the connection",
		"-d 64":                         "-d 64 | document",
		"-d 15 --workload document":     "-d 15 | 16 to 1048576",
		"-d 1k --workload document":     `--data-size | "1k" | whole numbers`,
		"-t atomic --workload debit":    "atomic cannot do debit | DECRBY",
		"-2 -3":                         "-2 and -3",
		"-p 0":                          "-p 0 | 1 to 65535",
		"-p 70000":                      "-p 70000 | 1 to 65535",
		"--dbnum -1":                    "--dbnum -1 | 0 to",
		"-h localhost -s /x":            "once",
		"-h localhost --server redis":   "--server redis",
		"--server nope":                 "--server | nope",
		"-u localhost":                  "-u | redis://",
		"--tls":                         "--tls goes with a named server",
		"-h localhost --sni x":          "--tls",
		"-h localhost --tls --cert /x":  "--cert and --key go together",
		"--dbnum 3":                     "--dbnum goes with a named server",
		"--host=":                       "empty",
		"--goal p99":                    `--goal "p99" | p99<20ms,retries<1`,
		"--goal p98<1ms":                `--goal "p98" | p50, p99`,
		"--goal retries<0":              `--goal "retries<0" | more than 0`,
		"--herd -n 5":                   "-n 5 | --herd",
		"--bystanders -1":               "--bystanders -1 | 0 to 1000",
		"--bystanders 1001":             "--bystanders 1001 | 0 to 1000",
		"--bystanders 0:closed":         "--bystanders 0:closed | 1:closed to 1000:closed",
		"--bystanders 4:open":           `--bystanders | "4:open" | N:closed`,
		"--bystanders 1,4":              `--bystanders | "1,4" | N:closed`,
		"--script-time -1s":             "--script-time -1s | 0s to 1m0s",
		"-p 1 --fault reply-lost=1%":    "--fault reply-lost=1% | --yes-load-this-server",
		"--yes-load-this-server":        "--yes-load-this-server | --fault",
		"--fault reply-lost":            `--fault | "reply-lost" | reply-lost=1%`,
		"--fault reply-lost=101%":       `--fault | "reply-lost=101%" | at most 100%`,
		"--on-unknown maybe":            "--on-unknown maybe | stop, retry, readback",
		"--on-failed readback":          "--on-failed readback | stop, retry",
		"--script-time 2s -c 1":         "--script-time 2s | at most 1s",
		"--script-time 100ms -c 1,64":   "--script-time 100ms | -c 64 | 6.4s | at most 5s",
		"--decision 100ms -c 64":        "--decision 100ms | 6.4s | --script-time 0",
		"-p 1 --decision 5ms,1ms":       "--script-time: with --decision 5ms a script may keep the server busy that long: give --script-time 5ms, or 0 if the decision is free on the server",
		"--unknown":                     "--unknown",
		"extra":                         "extra",
		"--out=":                        "--out",
		"--out taken --server embedded": "--out taken | --force",
		"--out file --server embedded":  "--out file | not a directory",
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.Mkdir("taken", 0o755); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"taken/results.jsonl", "file"} {
				if err := os.WriteFile(name, []byte("precious"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			args := append([]string{"run"}, strings.Fields(line)...)
			if strings.Contains(line, "atomic") {
				args = append(args, "--server", "embedded")
			}
			code, out, errOut := invokeHere(args...)
			if code != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 {
				t.Errorf("exit %d, stdout %q, stderr %q", code, out, errOut)
			}
			for word := range strings.SplitSeq(words, " | ") {
				if !strings.Contains(errOut, word) {
					t.Errorf("%q lacks %q", errOut, word)
				}
			}
			if entries, _ := os.ReadDir("."); len(entries) != 2 {
				t.Errorf("something was written: %v", entries)
			}
			if text, _ := os.ReadFile("taken/results.jsonl"); string(text) != "precious" {
				t.Error("results were overwritten")
			}
		})
	}
}

// quick is a run of about no time.
func quick(args ...string) []string {
	return append([]string{"run", "--no-predict", "-n", "300", "--trials", "2", "--rtt", "0"}, args...)
}

func read(t *testing.T) *results.File {
	t.Helper()
	file, err := results.Open("rmwbench-out/results.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRunOnTheEmbeddedServer(t *testing.T) {
	code, out, errOut := invoke(t, quick("--server", "embedded", "-c", "1,4", "--workload", "counter,debit")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	for _, want := range []string{
		"EMBEDDED SERVER", "miniredis", "counter on 1 key", "debit on 1 key", "watch-pipelined", "exact",
		"atomic x debit: n/a, no single command can express it", "Results: rmwbench-out/results.jsonl",
		"has the highest goodput",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// The server is part of this process, so that no row can be the tool's fault.
	for _, run := range read(t).Runs {
		if !run.Client.Hosts || run.LoadWarning() != "" {
			t.Errorf("%+v", run.Client)
		}
	}
	if strings.Contains(out, "VOID") || strings.Contains(out, "INVALID") || strings.Contains(out, "NaN") || strings.Contains(out, "%!") {
		t.Errorf("%s", out)
	}
	file := read(t)
	// watch and watch-pipelined with 2 back-offs, lua; atomic for one workload.
	if want := 2 * (2*(2*2+1)*2 + 2); len(file.Runs) != want || len(file.Headers[0].Cells) != want/2 {
		t.Errorf("%d runs of %d cells, want %d runs", len(file.Runs), len(file.Headers[0].Cells), want)
	}
	if na := file.Headers[0].NA; len(na) != 1 || na[0].Strategy != "atomic" {
		t.Errorf("n/a: %v", na)
	}
}

func TestRunOnARealServer(t *testing.T) {
	redistest.Path(t)
	t.Setenv("REDISCLI_AUTH", "not-for-throw-away-servers")
	code, out, errOut := invoke(t, quick("-c", "4", "-t", "watch,lua,atomic", "--backoff", "full", "--decision", "100us")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	for _, want := range []string{
		"(throw-away)", "decision 100µs", "a single command decides in no time", "Script time: that of each row's decision", "lua of 100µs",
		"Witness: the server's own counts of commands equal ours in all 6 trials.",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if pings := read(t).Headers[0].Pings; len(pings) != 1 || pings[0].Clients != 4 || pings[0].PerSecond <= 0 {
		t.Errorf("pings %+v", pings)
	}
	if !regexp.MustCompile(`PING ceiling, without injected delay: 4 clients \S+/s\.`).MatchString(out) {
		t.Errorf("no ceiling in\n%s", out)
	}
	if strings.Contains(out, "EMBEDDED") {
		t.Errorf("a real server is called embedded:\n%s", out)
	}
	file := read(t)
	if got := file.Headers[0].ScriptTime; got != results.ScriptTimeDecision {
		t.Errorf("script time comes from %q", got)
	}
	for _, r := range file.Runs {
		want := map[bool]int64{true: r.DecisionNS}[r.Strategy == "lua"]
		if told := r.Achieved.ScriptTimeNS != nil; r.ScriptTimeNS != want || told != (want > 0) {
			t.Errorf("%s: a script time of %d, want %d; achieved %v", r.Strategy, r.ScriptTimeNS, want, told)
		}
	}
}

// Nobody's server is blocked by surprise: a decision is free on one that was
// named only where that is said, or where nothing has a script.
func TestScriptTimeOfANamedServer(t *testing.T) {
	server := redistest.Start(t)
	for _, c := range []struct {
		args   []string
		source string
		script int64
	}{
		{[]string{"-t", "lua", "--script-time", "0"}, "", 0},
		{[]string{"-t", "lua", "--script-time", "200us"}, results.ScriptTimeAsked, 200_000},
		{[]string{"-t", "watch,atomic"}, "", 0},
	} {
		code, _, errOut := invoke(t, append(quick("-s", server.Address, "-c", "2", "--backoff", "none", "--decision", "100us"), c.args...)...)
		if code != exitOK {
			t.Fatalf("%v: exit %d: %s", c.args, code, errOut)
		}
		file := read(t)
		if h := file.Headers[0]; h.ScriptTime != c.source || h.Cells[0].ScriptTimeNS != c.script {
			t.Errorf("%v: script time of %d from %q", c.args, h.Cells[0].ScriptTimeNS, h.ScriptTime)
		}
	}
}

// What makes retries safe is priced: a token is a key with an end.
func TestThePriceOfSafety(t *testing.T) {
	redistest.Path(t)
	code, out, errOut := invoke(t, "run", "--no-predict", "-n", "20000", "--trials", "3", "--rtt", "0", "-c", "4", "-t", "lua,lua-token")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	for _, want := range []string{"kept", "The price of safety, lua-token: an op leaves its token behind, about ", "Witness: the server's own counts of commands equal ours in all 6 trials."} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, r := range read(t).Runs {
		kept := float64(*r.Server.KeptBytes) / 20000
		if token := r.Strategy == "lua-token"; token && (kept < 60 || kept > 400) || !token && kept > 30 {
			t.Errorf("%s leaves %.0f bytes an op", r.Strategy, kept)
		}
	}
}

func TestLostUpdatesExit3(t *testing.T) {
	code, out, errOut := invoke(t, quick("--server", "embedded", "-t", "unsafe,bugs,lua", "-c", "8", "--decision", "1ms", "--backoff", "none")...)
	if code != exitAudit {
		t.Fatalf("exit %d: %s%s", code, out, errOut)
	}
	for _, name := range []string{"unsafe", "nil-as-success", "no-rewatch", "read-before-watch"} {
		said := regexp.MustCompile(`VOID ` + name + `.*, 8 clients: [1-9]\d* of \d+ acknowledged updates lost\.`)
		if !said.MatchString(out) {
			t.Errorf("%s: no word of lost updates in\n%s", name, out)
		}
		if sentence := regexp.MustCompile(`(?m)^(At|One).*` + name); sentence.MatchString(out) {
			t.Errorf("%s takes part in the verdict:\n%s", name, out)
		}
	}
	if row := regexp.MustCompile(`unsafe +- +8 +void +void .* LOST [1-9]`); !row.MatchString(out) {
		t.Errorf("the row of unsafe is not void:\n%s", out)
	}
}

func TestQuietAndCSV(t *testing.T) {
	_, out, errOut := invoke(t, quick("--server", "embedded", "-q", "-t", "lua", "-c", "1")...)
	if errOut != "" || strings.Contains(out, "highest") || strings.Contains(out, "Results") || !strings.Contains(out, "lua") {
		t.Errorf("-q: stdout %q, stderr %q", out, errOut)
	}
	_, out, _ = invoke(t, quick("--server", "embedded", "--csv", "-t", "lua,watch", "-c", "1", "--backoff", "none")...)
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(lines) != 3 {
		t.Fatalf("%d lines, %v: %q", len(lines), err, out)
	}
	if lines[0][0] != "strategy" || lines[1][0] != "lua" || lines[2][0] != "watch" {
		t.Errorf("%v", lines)
	}
}

func TestForceOverwrites(t *testing.T) {
	args := quick("--server", "embedded", "-q", "-t", "lua", "-c", "1")
	if code, _, errOut := invoke(t, args...); code != exitOK {
		t.Fatal(errOut)
	}
	if code, _, errOut := invokeHere(args...); code != exitUsage || !strings.Contains(errOut, "--force") {
		t.Errorf("second run: exit %d, %q", code, errOut)
	}
	if code, _, errOut := invokeHere(append(args, "--force")...); code != exitOK {
		t.Errorf("with --force: exit %d, %q", code, errOut)
	}
	if n := len(read(t).Runs); n != 2 {
		t.Errorf("%d runs in the file, want those of the last run", n)
	}
}

// What cannot be reached or written: exit 1, one line, no figure.
func TestTroubleBeforeTheLoad(t *testing.T) {
	locked := redistest.Start(t, "--requirepass", "sesame")
	for what, c := range map[string]struct {
		args []string
		want string
	}{
		"nobody there":    {[]string{"-h", "127.0.0.1", "-p", "1"}, "cannot connect to 127.0.0.1:1"},
		"no password":     {[]string{"-s", locked.Address}, "wants a password"},
		"wrong password":  {[]string{"-s", locked.Address, "-a", "wrong"}, "refuses the password"},
		"cannot be made":  {[]string{"--server", "embedded", "--out", "/proc/nope"}, "--out /proc/nope"},
		"no such product": {[]string{"--server", "valkey"}, "--server valkey"},
	} {
		t.Run(what, func(t *testing.T) {
			if what == "no such product" {
				t.Setenv("PATH", t.TempDir())
			}
			code, out, errOut := invoke(t, quick(c.args...)...)
			if code != exitFailed || out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
				t.Errorf("exit %d, stdout %q, stderr %q", code, out, errOut)
			}
			if entries, _ := os.ReadDir("."); len(entries) != 0 {
				t.Errorf("something was written: %v", entries)
			}
		})
	}
}

func TestSecretsStayOutOfTheResults(t *testing.T) {
	locked := redistest.Start(t, "--requirepass", "open sesame")
	code, _, errOut := invoke(t, quick("-q", "-t", "lua", "-c", "1", "-s", locked.Address, "-a", "open sesame")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	text, _ := os.ReadFile("rmwbench-out/results.jsonl")
	if bytes.Contains(text, []byte("sesame")) {
		t.Error("the password is in the results file")
	}
	const secret = "open sesame"
	for _, args := range [][]string{
		{"-a", secret}, {"--pass=" + secret}, {"--pass", secret}, {"-a" + secret}, {"-qa", secret}, {"-qa" + secret}, {"-3qa=" + secret},
		{"-u", "redis://u:" + secret + "@h:1/2"}, {"--uri=redis://:p/@x@h"},
	} {
		got := strings.Join(masked(args, secret), " ")
		if strings.Contains(got, "sesame") || strings.Contains(got, "p/@x") || !strings.Contains(got, "***") {
			t.Errorf("%q is masked as %q", args, got)
		}
	}
	if got := strings.Join(masked([]string{"run", "-h", "host"}, ""), " "); got != "rmwbench run -h host" {
		t.Errorf("without a secret: %q", got)
	}
}

// The first interrupt keeps what was measured; a second one ends at once.
func TestInterrupts(t *testing.T) {
	for _, interrupts := range []int{1, 2} {
		t.Chdir(t.TempDir())
		signals := make(chan os.Signal, 2)
		stderr := &trigger{word: "trials done", f: func() {
			for range interrupts {
				signals <- os.Interrupt
			}
		}}
		code := run([]string{"run", "--server", "embedded", "--duration", "1h", "--rtt", "0", "-c", "4", "-t", "lua"},
			streams{io.Discard, stderr}, signals)
		if code != exitInterrupted {
			t.Errorf("%d interrupts: exit %d", interrupts, code)
		}
		if interrupts == 2 {
			continue // the verb was left at its work
		}
		// The signal may come before the load: then there is nothing to keep.
		text := stderr.text.String()
		if strings.Contains(text, "interrupted: nothing was measured") {
			if _, err := os.Stat("rmwbench-out/results.jsonl"); err == nil {
				t.Error("an empty results file is in the way of the next run")
			}
			continue
		}
		if !strings.Contains(text, "interrupted: 0 of 6 trials were finished and kept") {
			t.Errorf("stderr %q", text)
		}
		for _, r := range read(t).Runs {
			if !r.Partial {
				t.Errorf("an unfinished trial is not marked: %+v", r)
			}
		}
	}
}

// trigger is a writer that calls f once, when a word has been written to it.
type trigger struct {
	text bytes.Buffer
	word string
	f    func()
}

func (w *trigger) Write(p []byte) (int, error) {
	w.text.Write(p)
	if w.f != nil && strings.Contains(w.text.String(), w.word) {
		w.f()
		w.f = nil
	}
	return len(p), nil
}

// What a server does not allow is found before the load: a strategy that it
// refuses is n/a with the server's reason, and without the right to clean up
// nothing is begun.
func TestRightsAreTriedBeforeTheLoad(t *testing.T) {
	server := redistest.Start(t)
	redistest.Command(t, server, "ACL", "SETUSER", "noscript", "on", ">pw", "~*", "+@all", "-@scripting")
	redistest.Command(t, server, "ACL", "SETUSER", "nounlink", "on", ">pw", "~*", "+@all", "-unlink")
	code, out, errOut := invoke(t, quick("-s", server.Address, "--user", "noscript", "-a", "pw", "-c", "2")...)
	if code != exitOK || !strings.Contains(out, "lua x counter: n/a, the server refuses it: NOPERM") || strings.Contains(out, "lua  ") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	code, out, errOut = invoke(t, quick("-s", server.Address, "--user", "noscript", "-a", "pw", "-t", "lua")...)
	if code != exitFailed || out != "" || !strings.Contains(errOut, "nothing to run: lua cannot do counter: the server refuses it: NOPERM") {
		t.Errorf("only lua: exit %d: %s%s", code, out, errOut)
	}
	code, out, errOut = invoke(t, quick("-s", server.Address, "--user", "nounlink", "-a", "pw")...)
	if code != exitFailed || out != "" || !strings.Contains(errOut, "the server refuses UNLINK") {
		t.Errorf("no UNLINK: exit %d: %s%s", code, out, errOut)
	}
	if keys := redistest.Command(t, server, "DBSIZE"); keys != "0" {
		t.Errorf("%s keys left behind", keys)
	}
}

// Output that nobody can read is an error.
func TestUnwritableOutput(t *testing.T) {
	for _, args := range [][]string{{"list"}, {"--version"}, quick("--server", "embedded", "-t", "lua", "-c", "1")} {
		t.Chdir(t.TempDir())
		var stderr bytes.Buffer
		code := run(args, streams{broken{}, &stderr}, make(chan os.Signal))
		if code != exitFailed || !strings.Contains(stderr.String(), "the output could not be written: no room") {
			t.Errorf("%v: exit %d, %q", args, code, stderr.String())
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

// Tiny runs and odd grids: valid output, n/a where there are too few samples.
func TestTinyRuns(t *testing.T) {
	for _, args := range [][]string{
		{"-n", "1"}, {"--duration", "1ms", "--warmup", "0"}, {"-n", "5", "--duration", "1ms"},
		{"-n", "50", "--dist", "zipf,hotspot,uniform", "--skew", "0,1.2", "--keys", "4,30"},
	} {
		code, out, errOut := invoke(t, append([]string{"run", "--server", "embedded", "--trials", "1", "--rtt", "0", "-c", "1,3"}, args...)...)
		if code != exitOK {
			t.Errorf("%v: exit %d: %s", args, code, errOut)
		}
		if strings.Contains(out, "NaN") || strings.Contains(out, "Inf") || strings.Contains(out, "%!") || !strings.Contains(out, "n/a") {
			t.Errorf("%v:\n%s", args, out)
		}
		text, err := os.ReadFile("rmwbench-out/results.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if !json.Valid(line) {
				t.Errorf("%v: not JSON: %s", args, line)
			}
		}
		read(t)
	}
}

// A report can be drawn again from its results, and from several; what cannot
// be read ends in one line with file and line, and leaves no file.
func TestPlot(t *testing.T) {
	if code, _, errOut := invoke(t, quick("--server", "embedded", "-q", "-t", "lua,watch", "-c", "1,4", "--backoff", "none")...); code != exitOK {
		t.Fatal(errOut)
	}
	results := "rmwbench-out/results.jsonl"
	if code, out, errOut := invokeHere("plot", results, "--svg", "--out", "again"); code != exitOK || !strings.Contains(out, "Report: again/index.html") {
		t.Fatalf("exit %d: %s%s", code, out, errOut)
	}
	for _, name := range []string{"summary.png", "summary.svg", "goodput.png", "index.html", "report.md"} {
		if _, err := os.Stat(filepath.Join("again", name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat("rmwbench-out/index.html"); err != nil {
		t.Errorf("the run left no report: %v", err)
	}
	text, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for name, content := range map[string][]byte{
		"empty.jsonl":   nil,
		"schema.jsonl":  bytes.Replace(text, []byte(`"schema":1`), []byte(`"schema":99`), 1),
		"damaged.jsonl": bytes.Join([][]byte{lines[0], lines[1][:40], []byte("\n"), lines[2]}, nil),
		"other.jsonl":   []byte("hello\n"),
		"torn.jsonl":    text[:len(text)-100],
	} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"nowhere.jsonl"}, exitFailed, "nowhere.jsonl"},
		{[]string{"empty.jsonl"}, exitFailed, "empty.jsonl: empty"},
		{[]string{"schema.jsonl"}, exitFailed, "schema.jsonl:1: schema 99"},
		{[]string{"damaged.jsonl"}, exitFailed, "damaged.jsonl:2:"},
		{[]string{"other.jsonl"}, exitFailed, "other.jsonl:1:"},
		{[]string{"torn.jsonl"}, exitOK, "torn.jsonl:9: the last line is not whole"},
		{[]string{results, results}, exitFailed, "there twice"},
		{[]string{}, exitUsage, "file"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		code, _, errOut := invokeHere(append(append([]string{"plot"}, c.args...), "--out", out)...)
		if code != c.code || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("plot %v: exit %d, %q; want %d, %q", c.args, code, errOut, c.code, c.want)
		}
		if entries, _ := os.ReadDir(out); c.code != exitOK && len(entries) != 0 {
			t.Errorf("plot %v leaves %v", c.args, entries)
		}
	}
	if code, _, errOut := invokeHere("plot", results, "torn.jsonl"); code != exitUsage || !strings.Contains(errOut, "--out") {
		t.Errorf("two files without --out: exit %d, %q", code, errOut)
	}
}
