package redisd

import (
	"fmt"
	"os"
	"path/filepath"
)

// maxSocketPath is the longest path, in bytes, that a Unix socket can have:
// the field in the kernel holds 104 on macOS and the BSDs and 108 on Linux,
// with the closing NUL.
const maxSocketPath = 103

// privateDir makes an absolute directory that only we can enter. It lies in
// /tmp when the usual place is too deep for the path of a socket.
func privateDir() (string, error) {
	usual, err := filepath.Abs(os.TempDir())
	if err != nil {
		return "", err
	}
	for _, base := range []string{usual, "/tmp"} {
		dir, err := os.MkdirTemp(base, "rmwbench-")
		if err != nil {
			return "", err
		}
		if len(socketPath(dir)) <= maxSocketPath {
			return dir, nil
		}
		if err := os.Remove(dir); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("the temporary directory %s is too deep for a Unix socket: set TMPDIR to a shorter one", usual)
}
