package redisd_test

import (
	"sync"
	"testing"

	"rmwbench/internal/redisd/redistest"
)

func TestEmbedded(t *testing.T) {
	s := redistest.Embedded(t)
	if s.Network != "tcp" || !s.Embedded || s.PID() != 0 || isClosed(s.Done()) {
		t.Errorf("network %q, embedded %v, process %d, done %v", s.Network, s.Embedded, s.PID(), isClosed(s.Done()))
	}
	steps := []struct {
		words []string
		want  string
	}{
		{[]string{"PING"}, "PONG"},
		{[]string{"INCRBY", "k", "41"}, "41"},
		{[]string{"EVAL", "return redis.call('INCR', KEYS[1])", "1", "k"}, "42"},
		{[]string{"GET", "k"}, "42"},
	}
	for _, step := range steps {
		if got := redistest.Command(t, s, step.words...); got != step.want {
			t.Errorf("%q answered %q, want %q", step.words, got, step.want)
		}
	}
}

func TestEmbeddedStop(t *testing.T) {
	s := redistest.Embedded(t)
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
			if !isClosed(s.Done()) {
				t.Error("Done is open after Stop")
			}
			assertRefused(t, s)
		})
	}
	callers.Wait()
}

func TestEmbeddedKill(t *testing.T) {
	s := redistest.Embedded(t)
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if !isClosed(s.Done()) {
		t.Error("Done is open after Kill")
	}
	assertRefused(t, s)
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}
