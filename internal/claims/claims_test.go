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

// kinds of server that the answers are known of. The files hold a line
// "name: verdict" for each claim.
var kinds = []struct {
	file  string
	start func(testing.TB) *redisd.Server
}{
	{"redis-7.0.txt", func(t testing.TB) *redisd.Server { return redistest.Start(t) }},
	{"embedded.txt", redistest.Embedded},
}

// Every claim has its expected answer, and its check leaves nothing behind.
func TestExpectedAnswers(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.file, func(t *testing.T) {
			server := kind.start(t)
			results, err := Run(ours(t, server))
			if err != nil {
				t.Error(err)
			}
			golden(t, kind.file, results)
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
