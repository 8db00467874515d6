package claims

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
)

// prefix of the keys in tests.
const prefix = "rmwbench:test:"

// connected is a server that we started, over the protocol.
func connected(t testing.TB, server *redisd.Server, protocol int) Server {
	t.Helper()
	world, err := (&Local{Protocol: protocol}).Connect(server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(world.Close)
	return Live(world)
}

// ours is the config of a server that we started.
func ours(t testing.TB, server *redisd.Server) Config {
	return Config{Server: connected(t, server, 0), Lab: &Local{Program: server.Program}, Prefix: prefix}
}

// kinds of server to check claims on.
var kinds = map[string]func(testing.TB) *redisd.Server{
	"real":     func(t testing.TB) *redisd.Server { return redistest.Start(t) },
	"embedded": redistest.Embedded,
}

// answersFile is the file in testdata that holds the expected answers of a
// server, a line "name: verdict" for each claim: redis-7.0.txt. A test is
// skipped on a server of which none are known.
func answersFile(t *testing.T, server *redisd.Server) string {
	t.Helper()
	if server.Embedded {
		return "embedded.txt"
	}
	product, version := "redis", ""
	for line := range strings.Lines(redistest.Command(t, server, "INFO", "server")) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), ":"); name {
		case "redis_version":
			if version == "" {
				version = value
			}
		case "valkey_version":
			product, version = "valkey", value
		}
	}
	numbers := strings.SplitN(version, ".", 3)
	file := product + "-" + strings.Join(numbers[:min(2, len(numbers))], ".") + ".txt"
	if _, err := os.Stat(filepath.Join("testdata", file)); err != nil && os.Getenv("UPDATE_GOLDEN") == "" {
		t.Skipf("no answers of %s %s are known (UPDATE_GOLDEN=1 writes %s)", product, version, file)
	}
	return file
}

// Every claim has its expected answer, and its check leaves nothing behind.
func TestExpectedAnswers(t *testing.T) {
	for kind, start := range kinds {
		t.Run(kind, func(t *testing.T) {
			server := start(t)
			file := answersFile(t, server)
			results, err := Run(ours(t, server))
			if err != nil {
				t.Error(err)
			}
			golden(t, file, results)
			if left := redistest.Command(t, server, "DBSIZE"); left != "0" {
				t.Errorf("%s keys are left", left)
			}
			if server.Embedded {
				return
			}
			if left := redistest.Command(t, server, "FUNCTION", "LIST"); left != "" {
				t.Errorf("functions are left: %s", left)
			}
		})
	}
}

// golden compares verdicts with a file; UPDATE_GOLDEN=1 writes it.
func golden(t *testing.T, file string, results []Result) {
	t.Helper()
	var got strings.Builder
	for _, r := range results {
		got.WriteString(r.Name + ": " + string(r.Verdict) + "\n")
	}
	path := filepath.Join("testdata", file)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := expected(t, file)
	for _, r := range results {
		if want[r.Name] != r.Verdict {
			t.Errorf("%s: %s (%s), want %q", r.Name, r.Verdict, r.Seen, want[r.Name])
		}
		if r.Seen == "" || r.Verdict != NotChecked && len(r.Evidence) == 0 {
			t.Errorf("%s: %s without saying why: %+v", r.Name, r.Verdict, r)
		}
		delete(want, r.Name)
	}
	for name := range want {
		t.Errorf("no result for %s", name)
	}
}

// expected reads a file of answers.
func expected(t *testing.T, file string) map[string]Verdict {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := map[string]Verdict{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, verdict, _ := strings.Cut(lines.Text(), ": ")
		want[name] = Verdict(verdict)
	}
	return want
}

// A claim says something, tells where to read on, and is a sentence.
func TestClaimsAreSaid(t *testing.T) {
	for _, name := range All.Names() {
		claim, _ := All.Get(name)
		if !strings.HasSuffix(claim.Says, ".") || !strings.HasPrefix(claim.Source, "https://") || claim.Check == nil {
			t.Errorf("%s: %+v", name, claim)
		}
	}
}
