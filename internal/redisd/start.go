package redisd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// startTimeout bounds the wait for the first PONG.
const startTimeout = 10 * time.Second

// Start runs the server program at path without persistence, listening only on
// a Unix socket in a private directory, and returns once it answers PING. The
// args follow our own and win over them, but must not move the socket. When
// the server does not come up, nothing is left behind and the error carries
// its last words.
func Start(path string, args ...string) (*Server, error) {
	return start(path, startTimeout, args)
}

func start(path string, timeout time.Duration, args []string) (*Server, error) {
	dir, err := privateDir()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return startIn(dir, path, timeout, args)
}

// startIn starts the program in a directory, which is removed if that fails.
func startIn(dir, path string, timeout time.Duration, args []string) (*Server, error) {
	cmd := exec.Command(path, append(arguments(dir), args...)...)
	s, err := launch(cmd, dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", path, err), os.RemoveAll(dir))
	}
	s.Program, s.args = path, args
	err = s.waitReady(timeout)
	if err == nil {
		return s, nil
	}
	if errors.Is(err, errEnded) {
		err = fmt.Errorf("%w: %v", err, cmd.ProcessState)
	}
	err = fmt.Errorf("start %s: %w\n%s", path, err, lastWords(logPath(dir)))
	return nil, errors.Join(err, s.Stop())
}

// arguments returns the settings of a throw-away server. It lowers maxclients
// by itself to what the limit on open files allows. A Unix socket whose
// backlog is full refuses the next dial at once with EAGAIN, so the backlog is
// as long as Linux grants by default.
func arguments(dir string) []string {
	return []string{
		"--port", "0",
		"--unixsocket", socketPath(dir),
		"--unixsocketperm", "700",
		"--dir", dir,
		"--save", "",
		"--appendonly", "no",
		"--daemonize", "no",
		"--loglevel", "warning",
		"--maxclients", "20000",
		"--tcp-backlog", "4096",
	}
}

// launch runs cmd as the server of dir, with its output in the log there.
func launch(cmd *exec.Cmd, dir string) (*Server, error) {
	log, err := os.OpenFile(logPath(dir), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the child has its own descriptor
	cmd.Stdout, cmd.Stderr = log, log

	done, err := spawn(cmd)
	if err != nil {
		return nil, err
	}
	return &Server{
		Network: "unix",
		Address: socketPath(dir),
		pid:     cmd.Process.Pid,
		dir:     dir,
		done:    done,
		end: func() error {
			if err := cmd.Process.Kill(); !errors.Is(err, os.ErrProcessDone) {
				return err
			}
			return nil
		},
	}, nil
}

func socketPath(dir string) string { return filepath.Join(dir, "s.sock") }

func logPath(dir string) string { return filepath.Join(dir, "log") }
