package redisd

import (
	"fmt"
	"sync"

	"github.com/alicebob/miniredis/v2"
)

// Embedded starts the in-process server on a free port of the loopback. It
// shows that the tool works and the shape of its results; what a command or a
// script costs there says nothing about Redis. It has no directory and no
// process of its own, and its keys never expire by themselves.
func Embedded() (*Server, error) {
	mini, err := miniredis.Run()
	if err != nil {
		return nil, fmt.Errorf("start the embedded server: %w", err)
	}
	done := make(chan struct{})
	// Close waits for the command in progress, and a script may never end.
	closeOnce := sync.OnceFunc(func() {
		go func() {
			mini.Close()
			close(done)
		}()
	})
	return &Server{
		Network:  "tcp",
		Address:  mini.Addr(),
		Embedded: true,
		done:     done,
		end:      func() error { closeOnce(); return nil },
	}, nil
}
