package redisd_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rmwbench/internal/redisd"
)

func TestFindNothing(t *testing.T) {
	for _, path := range []string{"", t.TempDir()} {
		t.Setenv("PATH", path)
		_, err := redisd.Find()
		if !errors.Is(err, redisd.ErrNotFound) {
			t.Fatalf("PATH=%q: error %v, want ErrNotFound", path, err)
		}
		for _, program := range []string{"redis-server", "valkey-server"} {
			if !strings.Contains(err.Error(), program) {
				t.Errorf("PATH=%q: error %q does not name %s", path, err, program)
			}
		}
	}
}

func TestFindNamesOnlyWhatItLookedFor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := redisd.Find("valkey")
	if err == nil || strings.Contains(err.Error(), "redis-server") {
		t.Errorf("error %v, want one that names valkey-server alone", err)
	}
}

func TestFindOrder(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	valkey := program(t, first, "valkey-server")
	redis := program(t, second, "redis-server")
	program(t, second, "valkey-server")
	t.Setenv("PATH", first+string(os.PathListSeparator)+second)

	tests := []struct {
		products []string
		want     string
	}{
		{nil, redis}, // redis before valkey, though valkey comes first on PATH
		{[]string{"redis"}, redis},
		{[]string{"valkey"}, valkey}, // the first on PATH, not the shadowed one
		{[]string{"valkey", "redis"}, valkey},
		{[]string{"absent", "redis"}, redis},
	}
	for _, test := range tests {
		got, err := redisd.Find(test.products...)
		if err != nil || got != test.want {
			t.Errorf("Find(%q) = %q, %v, want %q", test.products, got, err, test.want)
		}
	}
}

func TestFindFallsBackToValkey(t *testing.T) {
	dir := t.TempDir()
	valkey := program(t, dir, "valkey-server")
	t.Setenv("PATH", dir)
	if got, err := redisd.Find(); err != nil || got != valkey {
		t.Errorf("Find() = %q, %v, want %q", got, err, valkey)
	}
}

// program puts an executable file into dir and returns its path. It is never run.
func program(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
