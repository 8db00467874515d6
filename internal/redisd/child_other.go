//go:build !unix

package redisd

import "syscall"

// childAttributes asks for nothing: there are no process groups here.
func childAttributes() *syscall.SysProcAttr { return nil }
