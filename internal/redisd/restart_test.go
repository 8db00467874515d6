package redisd_test

import (
	"os"
	"path/filepath"
	"testing"

	"rmwbench/internal/redisd/redistest"
)

// What was persisted is there again, and the directory goes with the new
// server.
func TestRestart(t *testing.T) {
	first := redistest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
	redistest.Command(t, first, "SET", "k", "v")
	second, err := first.Restart()
	if err != nil {
		t.Fatal(err)
	}
	if second.Address != first.Address || second.Program != first.Program || second.PID() == first.PID() {
		t.Errorf("%+v was restarted as %+v", first, second)
	}
	if err := first.Stop(); err != nil {
		t.Errorf("stopping the old one: %v", err)
	}
	if got := redistest.Command(t, second, "GET", "k"); got != "v" {
		t.Errorf("after a restart k = %q", got)
	}
	if err := second.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(second.Address)); !os.IsNotExist(err) {
		t.Errorf("the directory is still there (%v)", err)
	}
}

func TestRestartIsRefused(t *testing.T) {
	stopped := redistest.Start(t)
	if err := stopped.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := stopped.Restart(); err == nil {
		t.Error("a stopped server was restarted in a directory that is gone")
	}
	if _, err := redistest.Embedded(t).Restart(); err == nil {
		t.Error("the embedded server was restarted")
	}
}
