//go:build !linux && !darwin

package veil

import (
	"errors"
	"os"
	"os/exec"
)

// Run cannot filter here; who asks for it asks the person instead.
func Run(*exec.Cmd, *Secrets, *os.File, *os.File) (Result, error) {
	return Result{}, errors.ErrUnsupported
}

// Resume does nothing, as nothing is handed over.
func Resume() {}

// Exit ends this process as the program ended.
func (r Result) Exit() { os.Exit(r.Code) }
