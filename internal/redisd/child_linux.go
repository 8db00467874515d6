package redisd

import "syscall"

// childAttributes puts the child in a process group of its own, out of reach
// of Ctrl-C in the terminal, and has the kernel end it when we end, however
// that happens.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
