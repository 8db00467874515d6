package claims

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/live"
	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
)

// prefix of the keys in tests.
const prefix = "rmwbench:test:"

// connected is the live server under an address.
func connected(t testing.TB, server *redisd.Server) Server {
	t.Helper()
	world, err := live.Open(live.Target{
		Network: server.Network, Address: server.Address, Embedded: server.Embedded, Started: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(world.Close)
	return Live(world)
}

// ours is the config of a server that we started.
func ours(t testing.TB, server *redisd.Server) Config {
	return Config{Server: connected(t, server), Lab: &Local{Program: server.Program}, Prefix: prefix}
}

// Every claim has its expected answer in a file for the server that the tests
// are written against.
func TestExpectedAnswers(t *testing.T) {
	for _, server := range []struct {
		file  string
		start func(testing.TB) *redisd.Server
	}{
		{"redis-7.0.txt", func(t testing.TB) *redisd.Server { return redistest.Start(t) }},
		{"embedded.txt", redistest.Embedded},
	} {
		t.Run(server.file, func(t *testing.T) {
			results, err := Run(ours(t, server.start(t)))
			if err != nil {
				t.Error(err)
			}
			expected(t, server.file, results)
		})
	}
}

// expected compares verdicts with a file of lines "name: verdict";
// UPDATE_GOLDEN=1 writes it.
func expected(t *testing.T, file string, results []Result) {
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
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() == string(want) {
		return
	}
	t.Errorf("the answers differ from %s:\n%s", path, got.String())
	for _, r := range results {
		t.Logf("%s: %s: %s", r.Name, r.Verdict, r.Seen)
	}
}
var _ = time.Now
