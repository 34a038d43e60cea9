//go:build unix

package undo

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of the processor: on a busy machine the clock says little.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
