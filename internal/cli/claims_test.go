package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"rmwbench/internal/claims"
	"rmwbench/internal/redisd/redistest"
)

func TestClaims(t *testing.T) {
	code, out, errOut := invoke(t, "claims", "--server", "embedded")
	if code != exitOK || errOut != "" {
		t.Fatalf("exit %d, %q", code, errOut)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if !strings.HasPrefix(lines[0], "What people say, on miniredis") {
		t.Errorf("first line %q", lines[0])
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, strconv.Itoa(len(claims.All.Names()))+" claims: ") || !strings.HasSuffix(last, " not checked") {
		t.Errorf("last line %q", last)
	}
	const row = "holds        Another client's write to a watched key breaks the  EXEC answered (nil): nothing was applied"
	if !strings.Contains(out, row) {
		t.Errorf("no row %q in\n%s", row, out)
	}
}

// embeddedClaims are the claims that are checked on a named server without
// leave, which is quick.
func embeddedClaims(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	host, port, _ := strings.Cut(redistest.Embedded(t).Address, ":")
	return invoke(t, append([]string{"claims", "-h", host, "-p", port}, args...)...)
}

func TestClaimsWithEvidence(t *testing.T) {
	code, out, errOut := embeddedClaims(t, "-v")
	if code != exitOK || errOut != "" {
		t.Fatalf("exit %d, %q", code, errOut)
	}
	_, after, _ := strings.Cut(out, "watch-same-value: ")
	dialogue, _, _ := strings.Cut(after, "\n\n")
	for _, line := range []string{
		"https://redis.io/docs/latest/develop/using-commands/transactions/",
		"holds: EXEC answered (nil): nothing was applied",
		"    A> WATCH rmwbench:", "    B> SET rmwbench:", "    A> EXEC\n        (nil)",
	} {
		if !strings.Contains(dialogue, line) {
			t.Errorf("no %q in\n%s", line, dialogue)
		}
	}
}

func TestClaimsAsJSON(t *testing.T) {
	code, out, errOut := embeddedClaims(t, "--format", "json")
	if code != exitOK || errOut != "" {
		t.Fatalf("exit %d, %q", code, errOut)
	}
	var o claimsOutput
	decoder := json.NewDecoder(strings.NewReader(out))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&o); err != nil {
		t.Fatal(err)
	}
	if len(o.Claims) != len(claims.All.Names()) || o.Holds+o.Differs+o.NotChecked != len(o.Claims) || o.Holds == 0 || o.NotChecked == 0 {
		t.Errorf("%d claims: %d, %d, %d", len(o.Claims), o.Holds, o.Differs, o.NotChecked)
	}
	if o.Server.Address == "" || o.Started.IsZero() || o.Version == "" {
		t.Errorf("server %+v, started %v, version %q", o.Server, o.Started, o.Version)
	}
	for _, r := range o.Claims {
		if r.Name == "" || r.Claim == "" || r.Source == "" || r.Seen == "" || r.Evidence == nil {
			t.Errorf("%+v", r)
		}
	}
}

// A named server is spared, and says so; leave is its owner's to give.
func TestClaimsOnANamedServer(t *testing.T) {
	for args, want := range map[string]string{
		"":                       "touches what others use; --yes-load-this-server permits",
		"--yes-load-this-server": "only on a server that rmwbench starts",
	} {
		code, out, errOut := embeddedClaims(t, strings.Fields(args)...)
		if code != exitOK || errOut != "" {
			t.Fatalf("%q: exit %d, %q", args, code, errOut)
		}
		if !strings.Contains(out, want) {
			t.Errorf("%q: no %q in\n%s", args, want, out)
		}
		if (args == "") != strings.Contains(out, "permits") {
			t.Errorf("%q: permission is asked for, or is not:\n%s", args, out)
		}
	}
}

func TestClaimsBadInput(t *testing.T) {
	for line, words := range map[string]string{
		"--yes-load-this-server":           "--yes-load-this-server goes with a named server",
		"--format xml":                     `--format | "xml" | "text","json"`,
		"--format json -v":                 "-v and --format json",
		"-2 -3":                            "-2 and -3",
		"-h localhost --server embedded":   "--server embedded",
		"--server embedded --claims watch": "--claims | claims --help",
	} {
		code, out, errOut := invoke(t, append([]string{"claims"}, strings.Fields(line)...)...)
		if code != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, %q", line, code, out, errOut)
		}
		for word := range strings.SplitSeq(words, " | ") {
			if !strings.Contains(errOut, word) {
				t.Errorf("%s: no %q in %q", line, word, errOut)
			}
		}
	}
}

// A lost server fails the checking; what was checked is printed.
func TestClaimsServerGone(t *testing.T) {
	server := redistest.Embedded(t)
	host, port, _ := strings.Cut(server.Address, ":")
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := invoke(t, "claims", "-h", host, "-p", port)
	if code != exitFailed || out != "" || !strings.Contains(errOut, "cannot connect to "+server.Address) {
		t.Errorf("exit %d, %q, %q", code, out, errOut)
	}
}

// An interrupt prints what was checked until then.
func TestClaimsInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	interrupts := make(chan os.Signal, 1)
	interrupts <- os.Interrupt
	code := run([]string{"claims", "--server", "embedded"}, streams{&stdout, &stderr}, interrupts)
	if code != exitInterrupted || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit %d, %q", code, stderr.String())
	}
	if out := stdout.String(); !strings.Contains(out, "not checked  Another client's write") {
		t.Errorf("%q", out)
	}
}
