package wall

import (
	"cmp"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"longline/internal/policy"
	"longline/internal/tool"
)

// sandboxExec is the system's own launcher.
const sandboxExec = "/usr/bin/sandbox-exec"

// Supervise does nothing: the kernel needs nobody here.
func Supervise(func(string, Settings) *Plan) error { return ErrUnsupported }

// Run runs a program behind a wall. It becomes that program, unless what the program prints goes through a filter: then it
// returns the exit status, and ends this process by a signal if the program ended by one.
func Run(p *Plan, argv []string, _ io.Writer) (int, error) {
	signals := make(chan os.Signal, 16)
	if p.Cover != nil { // before the program is there: a signal that comes early is kept for it
		signal.Notify(signals, forwarded...)
	}
	words, env, status, err := p.walled(argv)
	if err != nil {
		return status, err
	}
	files := p.inherited()
	if p.Cover == nil {
		err = syscall.Exec(sandboxExec, words, env)
		runtime.KeepAlive(files) // which would be closed with nobody holding them
		return StatusNoWall, &Failure{"run " + sandboxExec, err}
	}
	files[1], files[2] = p.Cover.Inner()
	child, err := os.StartProcess(sandboxExec, words, &os.ProcAttr{Dir: p.Dir, Env: env, Files: files})
	if err != nil {
		return StatusNoWall, &Failure{"run " + sandboxExec, err}
	}
	p.Cover.Begin()
	return p.wait(child.Pid, signals)
}

// walled is how a program is run behind the wall.
func (p *Plan) walled(argv []string) (words, env []string, status int, err error) {
	path, status := lookup(argv[0], p.Dir, p.Env)
	if status != 0 {
		return nil, nil, status, &os.PathError{Op: "run", Path: argv[0], Err: map[int]error{StatusNotFound: unix.ENOENT, StatusNoExec: unix.EACCES}[status]}
	}
	if p.unseen != "" {
		return nil, nil, StatusNoWall, &Failure{"look through " + p.unseen, errors.New("it has more than " + strconv.Itoa(maxEntries) + " entries")}
	}
	// Nothing can lie over the user's caches.
	p.Overlay.part = p.Overlay.Private
	env = p.environ()
	set := func(name, value string) {
		env = append(slices.DeleteFunc(slices.Clone(env), func(line string) bool { return strings.HasPrefix(line, name+"=") }), name+"="+value)
	}
	if own := p.Overlay.plain(); own != "" && os.MkdirAll(own+"/tmp", 0o700) == nil {
		set("TMPDIR", own+"/tmp")
	}
	if k := p.kindOf(p.Home + "/.npmrc"); k == Hidden || k == Empty {
		set("npm_config_userconfig", os.DevNull) // npm does not run if it cannot read it
	}
	return p.profile(onDisk).argv(append([]string{absolute(path, p.Dir)}, argv[1:]...)), env, 0, nil
}

// onDisk is a path as the kernel knows it: in the letters, the case and the form that are on the disk.
func onDisk(path string) string {
	fd, err := unix.Open(path, unix.O_EVTONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		if dir := filepath.Dir(path); dir != path && dir != "." {
			return strings.TrimSuffix(onDisk(dir), "/") + "/" + filepath.Base(path)
		}
		return path
	}
	defer unix.Close(fd)
	return cmp.Or(openPath(fd), path)
}

// inherited lists the descriptors that the program gets, by their numbers. Those that lead around the wall are closed.
func (p *Plan) inherited() []*os.File {
	files := []*os.File{os.Stdin, os.Stdout, os.Stderr}
	for _, name := range readNames("/dev/fd") {
		fd, err := strconv.Atoi(name)
		if err != nil || fd <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC != 0 {
			continue // this process's own
		}
		if p.leadsAround(fd) {
			unix.Close(fd)
			continue
		}
		for len(files) <= fd {
			files = append(files, nil)
		}
		files[fd] = os.NewFile(uintptr(fd), name)
	}
	return files
}

// leadsAround reports whether by an open descriptor a program could do what the wall keeps it from.
func (p *Plan) leadsAround(fd int) bool {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return st.Mode&unix.S_IFMT != unix.S_IFIFO
	}
	return !p.openable(fd)
}

// openPath is where an open file is, "" if that is not known.
func openPath(fd int) string {
	name := new([unix.PathMax]byte)
	if unix.FcntlFlock(uintptr(fd), unix.F_GETPATH, (*unix.Flock_t)(unsafe.Pointer(name))) != nil {
		return ""
	}
	return unix.ByteSliceToString(name[:])
}

// wait lives with the program: it passes signals on, stops and goes on with it, and ends as it ends.
func (p *Plan) wait(pid int, signals <-chan os.Signal) (int, error) {
	go func() {
		for sig := range signals {
			if !fromTerminal(sig) { // else the program got it too
				_ = unix.Kill(pid, sig.(syscall.Signal))
			}
		}
	}()
	var ws unix.WaitStatus
	for {
		if _, err := unix.Wait4(pid, &ws, unix.WUNTRACED, nil); err == unix.EINTR {
			continue
		} else if err != nil {
			return StatusNoWall, err
		}
		if !ws.Stopped() {
			break
		}
		if ws.StopSignal() == unix.SIGSTOP { // a terminal stops this process together with it
			_ = unix.Kill(os.Getpid(), unix.SIGSTOP)
		}
	}
	p.Hidden = p.Cover.End()
	if ws.Signaled() {
		// As the program ended, so does this process, for whoever waits for it.
		sig := ws.Signal()
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
		signal.Reset(sig)
		// Of others Go's runtime would print its stacks; a shell says the same status then.
		if slices.Contains([]syscall.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGKILL, unix.SIGPIPE, unix.SIGALRM, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2}, sig) {
			_ = unix.Kill(os.Getpid(), sig)
			time.Sleep(50 * time.Millisecond) // until it arrives
		}
		return 128 + int(sig), nil
	}
	return ws.ExitStatus(), nil
}

// openSeatbelt is what a profile does not hold.
var openSeatbelt = []string{
	openSizes,
	openShared,
	"the environment that the user's other programs were started with",
	"sockets that others have made in the project, and connections from other machines to a server behind the wall",
	"names deep in a directory that is filled elsewhere and then moved into the project",
	"files outside that a hard link in the project leads to already",
}

// Probe finds out whether there is a wall on this machine that holds, as on Linux.
func Probe(self []string) Engine {
	none := func(err error) Engine { return Engine{Why: err.Error()} }
	cache, err := os.UserCacheDir()
	if err != nil {
		return none(err)
	}
	base, err := os.MkdirTemp(onDisk(cache), "longline-probe-") // what is temporary can be written
	if err != nil {
		return none(err)
	}
	defer os.RemoveAll(base)
	app := base + "/else/Probe.app/Contents/MacOS"
	if err = errors.Join(probed(base), os.MkdirAll(app, 0o700), os.WriteFile(app+"/Probe", []byte("#!/bin/sh\n"), 0o700)); err != nil {
		return none(err)
	}
	argv := []string{"true"}
	if len(self) > 0 {
		argv = append(slices.Clone(self), AttemptArg, base)
	}
	// With all names of the built-in zones: the kernel has to take them.
	packs, err := policy.BuiltinFile()
	if err != nil {
		return none(err)
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	if err != nil {
		return none(err)
	}
	p := probing(base)
	p.members = set.Ground(&tool.World{Project: p.Dir}).Members
	words, env, _, err := p.walled(argv)
	if err != nil {
		return none(err)
	}
	said, err := os.Create(base + "/said")
	if err != nil {
		return none(err)
	}
	defer said.Close()
	child, err := os.StartProcess(sandboxExec, words, &os.ProcAttr{Dir: p.Dir, Env: env, Files: []*os.File{said, said, said}})
	if err != nil {
		return none(err)
	}
	state, err := child.Wait()
	text, _ := os.ReadFile(base + "/said")
	switch line, _, _ := strings.Cut(string(text), "\n"); {
	case err != nil:
		return none(err)
	case strings.HasPrefix(line, "sandbox-exec: "):
		return Engine{Why: line}
	case state.ExitCode() != 0:
		return Engine{Why: "a program behind the wall " + wrong(state.ExitCode())}
	}
	return Engine{Name: "Seatbelt", Open: slices.Concat(openAlways, openSeatbelt)}
}

// launched has the system start a program, which would not be behind the wall.
func launched(base string) bool {
	p, err := os.StartProcess("/usr/bin/open", []string{"open", "-g", "-n", base + "/else/Probe.app"}, &os.ProcAttr{Env: os.Environ(), Files: make([]*os.File, 3)})
	if err != nil {
		return false
	}
	state, err := p.Wait()
	return err == nil && state.Success()
}

func readNames(dir string) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
