//go:build unix

package review

import (
	"os"
	"os/signal"
	"syscall"
)

// notifySizes tells when the terminal has another size.
func notifySizes(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }
