//go:build (linux && (amd64 || arm64)) || darwin

package wall

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Failure is why a wall could not be set up. Nothing was run then.
type Failure struct {
	Step string // what was being done
	Err  error
}

func (f *Failure) Error() string {
	return "could not set up the wall: " + f.Step + ": " + f.Err.Error()
}
func (f *Failure) Unwrap() error { return f.Err }

// lookup finds a program as a shell does.
func lookup(name, dir string, env []string) (string, int) {
	if name == "" {
		return "", StatusNotFound
	}
	if strings.Contains(name, "/") {
		return name, runnable(filepath.Join(absolute(name, dir)))
	}
	worst := StatusNotFound
	for d := range strings.SplitSeq(searchPath(env), ":") {
		path := cmp.Or(d, ".") + "/" + name
		switch runnable(absolute(path, dir)) {
		case 0:
			return path, 0
		case StatusNoExec:
			worst = StatusNoExec
		}
	}
	return name, worst
}

// runnable is the status with which a shell refuses to run a file, or 0.
func runnable(path string) int {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return StatusNotFound // also where a directory of the search path is closed
	case info.IsDir() || unix.Access(path, unix.X_OK) != nil:
		return StatusNoExec
	}
	return 0
}

// searchPath is the search path in an environment.
func searchPath(env []string) string {
	search := "/usr/local/bin:/usr/bin:/bin"
	for _, line := range env {
		if v, ok := strings.CutPrefix(line, "PATH="); ok {
			search = v
		}
	}
	return search
}

func absolute(path, dir string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return dir + "/" + path
}

// forwarded are the signals that the process which waits for a program passes on to it.
var forwarded = []os.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2, unix.SIGALRM, unix.SIGWINCH, unix.SIGCONT}

// fromTerminal says whether a signal is one that a terminal sends to all of the
// processes in front of it.
func fromTerminal(sig os.Signal) bool {
	switch sig {
	case unix.SIGINT, unix.SIGQUIT, unix.SIGWINCH, unix.SIGHUP:
	default:
		return false
	}
	tty, err := unix.Open("/dev/tty", unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer unix.Close(tty)
	group, err := unix.IoctlGetInt(tty, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// openable reports whether a program behind the wall could have opened a file as it is: not
// for writing outside of what can be written, nor for reading where nothing can be read.
func (p *Plan) openable(fd int) bool {
	path := openPath(fd)
	if k := p.kindOf(path); path == "" || k == Hidden || k == Empty || p.Secret(path) {
		return false
	}
	mode, _ := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	return mode&unix.O_ACCMODE == unix.O_RDONLY || p.writable(path) || strings.HasSuffix(path, " (deleted)")
}

// Detach runs this program again, with these words, in a process of its own that holds
// none of the streams.
func Detach(argv []string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	if p, err := os.StartProcess(self, argv, &os.ProcAttr{
		Dir: "/", Env: os.Environ(), Files: []*os.File{null, null, null}, Sys: &syscall.SysProcAttr{Setsid: true},
	}); err == nil {
		_ = p.Release()
	}
}
