//go:build unix

package redisd

import (
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The role of the test binary is played in TestMain.
func TestStartMuteProgram(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("REDISD_TEST_ROLE", "mute")
	s, err := start(os.Args[0], 100*time.Millisecond, nil)
	if err == nil {
		t.Fatalf("started at %s", s.Address)
	}
	if want := "no answer to PING within 100ms"; !strings.Contains(err.Error(), want) {
		t.Errorf("error %q does not say %q", err, want)
	}
	if entries, err := os.ReadDir(tmp); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	// The only child is gone and was waited for.
	if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err != syscall.ECHILD {
		t.Errorf("waiting for any child: process %d, %v, want none", pid, err)
	}
}

func TestWaitReadyWhileLoading(t *testing.T) {
	s := answering(t, "-LOADING in progress", "-LOADING in progress", "+PONG")
	if err := s.waitReady(10 * time.Second); err != nil {
		t.Error(err)
	}
}

func TestPing(t *testing.T) {
	tests := map[string]bool{
		"+PONG":                            true,
		"-NOAUTH Authentication required.": true,
		"-LOADING in progress":             false,
		"HTTP/1.1 400 Bad Request":         false,
		"":                                 false,
	}
	for line, up := range tests {
		s := answering(t, line)
		err := ping(s.Network, s.Address, time.Now().Add(10*time.Second))
		if (err == nil) != up {
			t.Errorf("answer %q: error %v, want up %v", line, err, up)
		}
	}
}

// answering returns a server that gives each connection the next of lines.
func answering(t *testing.T, lines ...string) *Server {
	t.Helper()
	dir, err := privateDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := socketPath(dir)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for _, line := range lines {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 64))
			fmt.Fprintf(conn, "%s\r\n", line)
			conn.Close()
		}
	}()
	return &Server{Network: "unix", Address: socket, done: make(chan struct{})}
}
