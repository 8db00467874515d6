//go:build !unix

package live

import "time"

// ownCPU is not known here.
func ownCPU() time.Duration { return 0 }
