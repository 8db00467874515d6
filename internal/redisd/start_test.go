package redisd_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
)

func TestStart(t *testing.T) {
	tmp := useTemp(t, shortTemp(t))
	s := redistest.Start(t)

	if got := redistest.Command(t, s, "PING"); got != "PONG" {
		t.Errorf("PING answered %q", got)
	}
	if s.Network != "unix" || s.Embedded || s.PID() <= 0 || s.PID() == os.Getpid() {
		t.Errorf("network %q, embedded %v, process %d", s.Network, s.Embedded, s.PID())
	}
	info, err := os.Stat(filepath.Dir(s.Address))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("directory has mode %v, want 0700", info.Mode().Perm())
	}
	if filepath.Dir(filepath.Dir(s.Address)) != tmp {
		t.Errorf("socket %s is not below TMPDIR %s", s.Address, tmp)
	}
	if isClosed(s.Done()) {
		t.Error("Done is closed while the server runs")
	}
}

func TestStartSettings(t *testing.T) {
	s := redistest.Start(t)
	want := map[string]string{
		"port":       "0",
		"save":       "",
		"appendonly": "no",
		"dir":        filepath.Dir(s.Address),
	}
	for name, value := range want {
		if got := redistest.Command(t, s, "CONFIG", "GET", name); got != name+"\n"+value {
			t.Errorf("CONFIG GET %s = %q, want value %q", name, got, value)
		}
	}
}

func TestStartArgs(t *testing.T) {
	s := redistest.Start(t, "--maxmemory-policy", "allkeys-lru", "--appendonly", "yes")
	for name, value := range map[string]string{"maxmemory-policy": "allkeys-lru", "appendonly": "yes"} {
		if got := redistest.Command(t, s, "CONFIG", "GET", name); got != name+"\n"+value {
			t.Errorf("CONFIG GET %s = %q, want value %q", name, got, value)
		}
	}
}

func TestStartWithPassword(t *testing.T) {
	s := redistest.Start(t, "--requirepass", "secret")
	if got := redistest.Command(t, s, "PING"); !strings.HasPrefix(got, "-NOAUTH") {
		t.Errorf("PING answered %q, want NOAUTH", got)
	}
}

func TestStartFails(t *testing.T) {
	tests := []struct {
		name string
		path func() string
		args []string
		want []string
	}{
		{"setting", func() string { return redistest.Path(t) }, []string{"--bogus", "x"},
			[]string{"exit status 1", "Bad directive", "bogus"}},
		{"late", func() string { return redistest.Path(t) }, []string{"--loadmodule", "/absent.so"},
			[]string{"exit status 1", "/absent.so"}},
		{"silent", func() string { return onPath(t, "true") }, nil,
			[]string{"true", "exit status 0", "is it a Redis or Valkey server?"}},
		{"alien", func() string { return onPath(t, "ls") }, nil,
			[]string{"ls", "exit status", "option"}},
		{"absent", func() string { return "/absent/redis-server" }, nil,
			[]string{"/absent/redis-server", "no such file"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tmp := useTemp(t, shortTemp(t))
			s, err := redisd.Start(test.path(), test.args...)
			if err == nil {
				t.Fatalf("started at %s", s.Address)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error does not say %q: %v", want, err)
				}
			}
			assertEmpty(t, tmp)
		})
	}
}

func TestStartDeepTemp(t *testing.T) {
	deep := filepath.Join(t.TempDir(), strings.Repeat("d", 60), strings.Repeat("e", 60))
	useTemp(t, deep)
	s := redistest.Start(t)
	if got := redistest.Command(t, s, "PING"); got != "PONG" {
		t.Errorf("PING answered %q", got)
	}
	assertEmpty(t, deep)
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	assertGone(t, filepath.Dir(s.Address))
}

func TestStartOddTemp(t *testing.T) {
	t.Chdir(shortTemp(t))
	for _, name := range []string{`a "b' c`, "plain"} { // both relative
		useTemp(t, name)
		s := redistest.Start(t)
		if got := redistest.Command(t, s, "PING"); got != "PONG" {
			t.Errorf("PING answered %q", got)
		}
		if !filepath.IsAbs(s.Address) || filepath.Base(filepath.Dir(filepath.Dir(s.Address))) != name {
			t.Errorf("socket %s, want an absolute path below %q", s.Address, name)
		}
	}
}

func TestStartTempMissing(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	if _, err := redisd.Start(onPath(t, "true")); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("error %v, want one that names %s", err, missing)
	}
}

func TestServersDoNotShare(t *testing.T) {
	one, two := redistest.Start(t), redistest.Start(t)
	redistest.Command(t, one, "SET", "k", "v")
	if got := redistest.Command(t, two, "GET", "k"); got != "(nil)" {
		t.Errorf("the other server has %q", got)
	}
}

// shortTemp returns a temporary directory whose path leaves room for a socket,
// which that of t.TempDir may not.
func shortTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func onPath(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip(err)
	}
	return path
}

// useTemp makes dir, and has temporary directories made there.
func useTemp(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	return dir
}

func assertEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) > 0 {
		t.Errorf("left behind in %s: %v", dir, entries)
	}
}

func assertGone(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("%s is still there (error %v)", path, err)
	}
}

func assertRefused(t *testing.T, s *redisd.Server) {
	t.Helper()
	if conn, err := net.Dial(s.Network, s.Address); err == nil {
		conn.Close()
		t.Errorf("%s still accepts connections", s.Address)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
