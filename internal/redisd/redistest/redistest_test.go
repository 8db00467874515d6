package redistest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rmwbench/internal/redisd"
)

func TestNoServerProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for required, want := range map[string]string{"": "skip", "0": "skip", "1": "fatal"} {
		t.Setenv("RMWBENCH_REQUIRE_REDIS", required)
		got := ending(t, func(t testing.TB) { Start(t) })
		if !strings.HasPrefix(got, want+": ") || !strings.Contains(got, "redis-server") {
			t.Errorf("RMWBENCH_REQUIRE_REDIS=%q: %q, want %s with a reason", required, got, want)
		}
	}
}

func TestCommandWithoutAnswer(t *testing.T) {
	s := &redisd.Server{Network: "unix", Address: filepath.Join(t.TempDir(), "absent")}
	got := ending(t, func(t testing.TB) { Command(t, s, "PING") })
	if !strings.HasPrefix(got, "fatal: ") || !strings.Contains(got, s.Address) {
		t.Errorf("%q, want fatal with the address", got)
	}
}

func TestServersStopWithTheTest(t *testing.T) {
	var servers []*redisd.Server
	t.Run("inner", func(t *testing.T) {
		servers = append(servers, Embedded(t), Start(t))
	})
	for _, s := range servers {
		select {
		case <-s.Done():
		default:
			t.Errorf("the server at %s outlives its test", s.Address)
		}
	}
}

// ending runs f as a test would be run and tells how it ended.
func ending(t *testing.T, f func(testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.ending
}

// recorder is a testing.TB that notes how a test ends, and ends it.
type recorder struct {
	testing.TB
	ending string
}

func (r *recorder) Skipf(format string, args ...any) { r.end("skip: "+format, args) }

func (r *recorder) Fatalf(format string, args ...any) { r.end("fatal: "+format, args) }

func (r *recorder) end(format string, args []any) {
	r.ending = fmt.Sprintf(format, args...)
	runtime.Goexit()
}
