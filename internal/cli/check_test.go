package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"rmwbench/internal/check"
	"rmwbench/internal/redisd/redistest"
)

// checking runs check on a batch of some lines.
func checking(t *testing.T, batch string, args ...string) (code int, out, errOut string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("batch", []byte(batch), 0o644); err != nil {
		t.Fatal(err)
	}
	return invokeHere(append([]string{"check", "batch"}, args...)...)
}

func TestCheckOnTheEmbeddedServer(t *testing.T) {
	for batch, want := range map[string]struct {
		code        int
		out, errOut string
	}{
		"SET a 1\nSET b 1":       {exitOK, "Safe to run twice, with 1 warning.\n", ""},
		"INCR a":                 {exitUnsafe, "NOT safe to run twice, because of batch:1.\n", ""},
		"SET a 1 EX 5":           {exitFailed, "Not judged: the embedded server cannot tell", "rmwbench: the embedded server cannot tell whether a deadline moves"},
		"NOSUCH a":               {exitFailed, "", "rmwbench: batch:1: the server answers NOSUCH a with: ERR unknown command"},
		"GET a\n+":               {exitUsage, "", "rmwbench: batch:2: + joins nothing"},
		"#! script none.lua\n":   {exitUsage, "", "rmwbench: batch:1: #! script none.lua: no such file or directory\n"},
		"SET a 1\nSELECT 1\nx y": {exitUsage, "", "rmwbench: batch:2: SELECT is refused"},
	} {
		code, out, errOut := checking(t, batch, "--server", "embedded")
		if code != want.code || !strings.Contains(out, want.out) || (want.out == "") != (out == "") ||
			!strings.HasPrefix(errOut, want.errOut) || (want.errOut == "") != (errOut == "") || strings.Count(errOut, "\n") > 1 {
			t.Errorf("%q: exit %d\n%s%s\nwant %+v", batch, code, out, errOut, want)
		}
	}
}

// The five questions are asked in these words, whatever the answers.
func TestCheckAsksFiveQuestions(t *testing.T) {
	_, out, _ := checking(t, "MULTI\nINCR a\nEXEC", "--server", "embedded")
	for _, question := range []string{
		"1. Can this batch run twice with the same end state, and if not, which command breaks it?\n",
		"2. Is there an operation id, and where is it claimed relative to the effects?\n",
		"3. If the process dies between two commands, is what remains invisible garbage or a broken reference?\n",
		"4. Does every key that a partial run can create have a TTL or an owner (#! owner: NAME)?\n",
		"5. Is every element of the EXEC reply checked?\n",
	} {
		if !strings.Contains(out, question) {
			t.Errorf("does not ask %q:\n%s", question, out)
		}
	}
}

func TestCheckAsJSON(t *testing.T) {
	code, out, errOut := checking(t, "INCR a\nSET <${op}> 1", "--server", "embedded", "--format", "json")
	var r check.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitUnsafe || errOut != "" {
		t.Fatalf("exit %d %v\n%s%s", code, err, out, errOut)
	}
	if r.Safe == nil || *r.Safe || len(r.Answers) != 5 || len(r.Crashes) != 1 || r.File != "batch" || !strings.Contains(r.Server, "miniredis") ||
		r.Commands != 2 || strings.Contains(out, "null") || !strings.Contains(out, "SET <${op}> 1") {
		t.Errorf("%s", out)
	}
}

// check takes no address, so that no server is touched that is not its own.
func TestCheckNamesNoServer(t *testing.T) {
	for _, args := range [][]string{{"-h", "localhost"}, {"-p", "6379"}, {"-s", "/tmp/s"}, {"-u", "redis://localhost"}, {"--dbnum", "3"}, {"--yes-load-this-server"}} {
		if code, out, errOut := checking(t, "SET a 1", args...); code != exitUsage || out != "" || !strings.Contains(errOut, args[0]) {
			t.Errorf("%v: exit %d, %q %q", args, code, out, errOut)
		}
	}
	for _, file := range []string{"none", "."} {
		t.Chdir(t.TempDir())
		if code, out, errOut := invokeHere("check", file); code != exitUsage || out != "" || !strings.HasPrefix(errOut, "rmwbench: "+file+": ") {
			t.Errorf("%s: exit %d, %q %q", file, code, out, errOut)
		}
	}
}

// The scripts of a batch lie beside it, wherever it is checked from.
func TestCheckOnARealServer(t *testing.T) {
	redistest.Path(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"sub/batch":    "#! start: SET balance 5\n#! script once.lua op:${op} balance -- 4102444800\nSET seen:${op} 1 EXAT 4102444800",
		"sub/once.lua": "if redis.call('SET', KEYS[1], 1, 'NX', 'EXAT', ARGV[1]) then redis.call('DECR', KEYS[2]) return 1 end return 0",
	} {
		if err := os.MkdirAll("sub", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errOut := invokeHere("check", "sub/batch")
	if code != exitOK || errOut != "" || !strings.Contains(out, "claimed by sub/batch:2") || !strings.Contains(out, "(throw-away)") {
		t.Errorf("exit %d\n%s%s", code, out, errOut)
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}
