//go:build unix && !linux

package redisd

import "syscall"

// childAttributes puts the child in a process group of its own, out of reach
// of Ctrl-C in the terminal. It outlives us when we are killed: only Linux can
// be told otherwise.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
