// Package redistest gives tests a running server and a way to talk to it on
// the side. It owns the rule for a machine without a server program: the test
// is skipped, or fails when RMWBENCH_REQUIRE_REDIS=1 says that one has to be
// there.
package redistest

import (
	"os"
	"testing"

	"rmwbench/internal/redisd"
)

// Path returns the server program on PATH, or skips or fails the test.
func Path(t testing.TB) string {
	t.Helper()
	path, err := redisd.Find()
	if err != nil {
		if os.Getenv("RMWBENCH_REQUIRE_REDIS") == "1" {
			t.Fatalf("RMWBENCH_REQUIRE_REDIS=1: %v", err)
		}
		t.Skipf("needs a real server: %v", err)
	}
	return path
}

// Start runs a real server with args until the test ends.
func Start(t testing.TB, args ...string) *redisd.Server {
	t.Helper()
	s, err := redisd.Start(Path(t), args...)
	return stopAfter(t, s, err)
}

// Embedded runs an embedded server until the test ends.
func Embedded(t testing.TB) *redisd.Server {
	t.Helper()
	s, err := redisd.Embedded()
	return stopAfter(t, s, err)
}

func stopAfter(t testing.TB, s *redisd.Server, err error) *redisd.Server {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}
