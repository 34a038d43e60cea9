package cpu

import (
	"syscall"
	"time"
)

// Used is the processor time that this process has used so far.
func Used() time.Duration {
	var made, ended, kernel, user syscall.Filetime
	process, _ := syscall.GetCurrentProcess()
	if err := syscall.GetProcessTimes(process, &made, &ended, &kernel, &user); err != nil {
		panic(err) // it fails only on a bad handle
	}
	return 100 * time.Duration(int64(kernel.HighDateTime+user.HighDateTime)<<32+int64(kernel.LowDateTime)+int64(user.LowDateTime))
}
