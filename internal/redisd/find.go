package redisd

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// ErrNotFound says that no server program is on PATH.
var ErrNotFound = errors.New("no server program on PATH")

// products are the servers Find knows, in the order in which it looks for them.
var products = []string{"redis", "valkey"}

// Find returns the path of the first of the named products' server programs
// that is on PATH: redis-server for "redis", valkey-server for "valkey". With
// no product named it looks for redis, then valkey. When none is there, the
// error wraps ErrNotFound and names the programs looked for.
func Find(names ...string) (string, error) {
	if len(names) == 0 {
		names = products
	}
	var programs []string
	for _, name := range names {
		program := name + "-server"
		if path, err := exec.LookPath(program); err == nil {
			return path, nil
		}
		programs = append(programs, program)
	}
	return "", fmt.Errorf("%w: looked for %s", ErrNotFound, strings.Join(programs, ", "))
}
