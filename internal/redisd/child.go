package redisd

import (
	"os/exec"
	"runtime"
)

// spawn starts cmd and returns a channel that is closed when the child has
// ended and been waited for; cmd.ProcessState is set then.
//
// One goroutine starts the child and waits for it, locked to its OS thread:
// on Linux the child is killed when the thread that started it ends, so that
// thread has to last as long as the child.
func spawn(cmd *exec.Cmd) (<-chan struct{}, error) {
	cmd.SysProcAttr = childAttributes()
	started := make(chan error)
	done := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		_ = cmd.Wait() // how it ended is in cmd.ProcessState
		close(done)
	}()
	return done, <-started
}
