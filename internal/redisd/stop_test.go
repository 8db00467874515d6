//go:build unix

package redisd_test

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
)

func TestStop(t *testing.T) {
	s := redistest.Start(t)
	if !processExists(t, s.PID()) {
		t.Fatal("no process after Start")
	}
	for range 2 {
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		assertStopped(t, s)
	}
}

// Once stopped, nothing under the old name is ours any more.
func TestStopAgainRemovesNothing(t *testing.T) {
	s := redistest.Start(t)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(s.Address)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir); err != nil {
		t.Errorf("the second Stop removed what it did not make: %v", err)
	}
}

func TestStopConcurrently(t *testing.T) {
	s := redistest.Start(t)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
			assertStopped(t, s) // for every caller, not only for the first
		})
		callers.Go(func() {
			if err := s.Kill(); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
}

// A server that hangs, or is stopped by a signal, does not hang us.
func TestStopFrozen(t *testing.T) {
	s := redistest.Start(t)
	if err := syscall.Kill(s.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	assertStopped(t, s)
}

func TestKill(t *testing.T) {
	s := redistest.Start(t)
	for range 2 {
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		if !isClosed(s.Done()) || processExists(t, s.PID()) {
			t.Fatalf("after Kill: done %v, process there %v", isClosed(s.Done()), processExists(t, s.PID()))
		}
	}
	if _, err := os.Stat(filepath.Dir(s.Address)); err != nil {
		t.Errorf("Kill cleaned up: %v", err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	assertStopped(t, s)
}

func TestDoneAfterDeath(t *testing.T) {
	s := redistest.Start(t)
	if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil { // not through s
		t.Fatal(err)
	}
	select {
	case <-s.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("Done is open though the server died")
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	assertStopped(t, s)
}

func assertStopped(t *testing.T, s *redisd.Server) {
	t.Helper()
	if !isClosed(s.Done()) {
		t.Error("Done is open")
	}
	if processExists(t, s.PID()) {
		t.Errorf("process %d is still there", s.PID())
	}
	assertGone(t, filepath.Dir(s.Address))
}

// processExists sends signal 0: nothing arrives, only a missing process is told.
func processExists(t *testing.T, pid int) bool {
	t.Helper()
	switch err := syscall.Kill(pid, 0); err {
	case nil:
		return true
	case syscall.ESRCH:
		return false
	default:
		t.Errorf("signal 0 to %d: %v", pid, err)
		return false
	}
}
