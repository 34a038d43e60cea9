//go:build unix

// Package cpu measures processor time, which a busy machine does not lengthen as it
// does the time on the clock.
package cpu

import (
	"syscall"
	"time"
)

// Used is the processor time that this process has used so far.
func Used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it fails only on a bad address
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
