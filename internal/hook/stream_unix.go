//go:build unix

package hook

import (
	"io"
	"os"
	"syscall"
	"time"
)

// plain is standard output or error, written to without package os, which lets the
// process be ended by a signal when nobody reads there any more: an agent may take
// that for a hook without an objection.
type plain struct{ fd int }

// Write writes all of it, or says why not.
func (p plain) Write(b []byte) (n int, err error) {
	for n < len(b) {
		done, err := syscall.Write(p.fd, b[n:])
		switch err {
		case nil:
			n += done
		case syscall.EINTR:
		case syscall.EAGAIN: // it does not wait; whoever is stuck is ended elsewhere
			time.Sleep(time.Millisecond)
		default:
			return n, err
		}
	}
	return n, nil
}

// plainly is how a stream of the process is written to.
func plainly(w io.Writer) io.Writer {
	switch w {
	case os.Stdout:
		return plain{1}
	case os.Stderr:
		return plain{2}
	}
	return w
}

// isNull says whether what is written is thrown away. The runtime opens the null
// device in place of an output that is closed, so a write to it does not fail.
func isNull(out io.Writer) bool {
	p, ok := out.(plain)
	if !ok {
		return false
	}
	var info, null syscall.Stat_t
	if syscall.Fstat(p.fd, &info) != nil || info.Mode&syscall.S_IFMT != syscall.S_IFCHR {
		return false
	}
	return syscall.Stat(os.DevNull, &null) == nil && info.Rdev == null.Rdev
}
