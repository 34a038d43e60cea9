package veil

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const getTermios, setTermios = unix.TCGETS, unix.TCSETS

// openPTY opens a terminal: what is written to inner is read from outer.
func openPTY() (outer, inner *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	outer = os.NewFile(uintptr(fd), "ptmx")
	if err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err == nil {
		var n uint32
		if n, err = unix.IoctlGetUint32(fd, unix.TIOCGPTN); err == nil {
			inner, err = os.OpenFile("/dev/pts/"+strconv.Itoa(int(n)), os.O_RDWR|unix.O_NOCTTY, 0)
		}
	}
	if err != nil {
		outer.Close()
		return nil, nil, err
	}
	return outer, inner, nil
}

// defaultAction has a signal do what it does to a program that says nothing about it. Go's runtime
// does not give that back for a crash.
func defaultAction(sig syscall.Signal) {
	runtime.LockOSThread()
	var usual [4]uint64
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&usual)), 0, 8, 0, 0)
}
