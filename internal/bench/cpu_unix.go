//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that this process has used. Other than the
// clock it does not count what a busy machine does beside.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
