package veil

import (
	"bytes"
	"os"
	"os/signal"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const getTermios, setTermios = unix.TIOCGETA, unix.TIOCSETA

// openPTY opens a terminal: what is written to inner is read from outer.
func openPTY() (outer, inner *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	outer = os.NewFile(uintptr(fd), "ptmx")
	var name [128]byte
	for _, request := range []struct {
		number uintptr
		arg    unsafe.Pointer
	}{{unix.TIOCPTYGRANT, nil}, {unix.TIOCPTYUNLK, nil}, {unix.TIOCPTYGNAME, unsafe.Pointer(&name)}} {
		if _, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request.number, uintptr(request.arg)); e != 0 {
			outer.Close()
			return nil, nil, e
		}
	}
	path, _, _ := bytes.Cut(name[:], []byte{0})
	if inner, err = os.OpenFile(string(path), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		outer.Close()
		return nil, nil, err
	}
	return outer, inner, nil
}

// defaultAction has a signal do what it does to a program that says nothing about it.
func defaultAction(sig syscall.Signal) { signal.Reset(sig) }
