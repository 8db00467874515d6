package redisd_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rmwbench/internal/redisd"
	"rmwbench/internal/redisd/redistest"
)

func TestOwnProcessGroup(t *testing.T) {
	s := redistest.Start(t)
	group, err := syscall.Getpgid(s.PID())
	if err != nil {
		t.Fatal(err)
	}
	if group != s.PID() {
		t.Errorf("server %d is in process group %d, we are in %d", s.PID(), group, syscall.Getpgrp())
	}
}

// The server ends with us, even when we are killed.
func TestServerEndsWithParent(t *testing.T) {
	useTemp(t, shortTemp(t)) // the killed parent cannot clean up
	parent := exec.Command(os.Args[0], redistest.Path(t))
	parent.Env = append(os.Environ(), roleEnv+"=parent")
	parent.Stderr = os.Stderr
	if _, err := parent.StdinPipe(); err != nil { // keeps it waiting
		t.Fatal(err)
	}
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = parent.Process.Kill(); _ = parent.Wait() }()

	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("unix", strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()

	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, err = conn.Read(make([]byte, 1))
	if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reading from the server of a dead parent: %v, want the end of the connection", err)
	}
}

// The server does not end with the OS thread that Start was called on.
func TestServerSurvivesCallingThread(t *testing.T) {
	path := redistest.Path(t)
	var s *redisd.Server
	var err error
	thread := onDyingThread(func() { s, err = redisd.Start(path) })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()

	deadline := time.Now().Add(10 * time.Second)
	for threadExists(thread) {
		if time.Now().After(deadline) {
			t.Fatalf("thread %d does not end", thread)
		}
		runtime.Gosched()
	}
	if got := redistest.Command(t, s, "PING"); got != "PONG" {
		t.Errorf("PING answered %q", got)
	}
}

// onDyingThread calls f on an OS thread that ends afterwards, and returns its
// number. The main thread never ends, so from there it moves on to another.
func onDyingThread(f func()) int {
	thread := make(chan int)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if syscall.Gettid() == os.Getpid() {
			thread <- onDyingThread(f)
			return
		}
		f()
		thread <- syscall.Gettid()
	}()
	return <-thread
}

func threadExists(thread int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", thread))
	return err == nil
}

// A server busy with a script accepts no connection; those who dial meanwhile
// wait in the backlog of the socket, and none is refused.
func TestDialWhileServerIsBusy(t *testing.T) {
	const dials = 2000
	if limit := backlogLimit(t); limit < dials {
		t.Skipf("the kernel queues no more than %d connections", limit)
	}
	s := redistest.Start(t)
	if err := syscall.Kill(s.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for n := range dials {
		conn, err := net.Dial(s.Network, s.Address)
		if err != nil {
			t.Fatalf("dial %d: %v", n+1, err)
		}
		defer conn.Close()
	}
	if err := syscall.Kill(s.PID(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if got := redistest.Command(t, s, "PING"); got != "PONG" {
		t.Errorf("PING answered %q", got)
	}
}

func backlogLimit(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/sys/net/core/somaxconn")
	if err != nil {
		t.Skip(err)
	}
	limit, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return limit
}
