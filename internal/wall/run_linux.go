//go:build amd64 || arm64

package wall

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Run runs a program behind a wall and returns its exit status. It ends this process
// by a signal if the program ended by one.
func Run(p *Plan, argv []string, stderr io.Writer) (status int, err error) {
	path, status := lookup(argv[0], p.Dir, p.Env)
	if status != 0 {
		return status, &os.PathError{Op: "run", Path: argv[0], Err: map[int]error{StatusNotFound: unix.ENOENT, StatusNoExec: unix.EACCES}[status]}
	}
	if isText(absolute(path, p.Dir)) {
		path, argv = "/bin/sh", append([]string{"/bin/sh", path}, argv[1:]...)
	}
	// Before the program is there: a signal that comes early is kept for it.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, forwarded...)
	if p.Overlay.Paths != nil {
		p.Overlay.claim()
	}
	c, _, err := build(p, path, argv)
	if err != nil {
		return StatusNoWall, err
	}
	if p.Cover != nil {
		p.Cover.Begin()
	}
	return c.wait(signals, stderr)
}

// build makes the best wall that there is here.
func build(p *Plan, path string, argv []string) (*child, engine, error) {
	e := engine{namespaces: !p.plain, landlock: landlockVersion()}
	c, err := launch(p, e, path, argv)
	if refused := (*Failure)(nil); errors.As(err, &refused) && refused.Step == stepNamespaces && e.landlock >= minLandlock {
		e.namespaces = false
		if c, err = launch(p, e, path, argv); err == nil {
			c.why = refused.Err.Error()
		}
	}
	return c, e, err
}

// minLandlock is the first version by which a wall holds that has nothing else: files
// could not be moved between directories before.
const minLandlock = 2

// stepNamespaces is what fails where user namespaces are refused.
const stepNamespaces = "make namespaces"

// child is a program behind a wall.
type child struct {
	pid  int
	plan *Plan
	sup  *supervisor
	why  string // why it is not a better wall
}

// launch sets up a wall and runs a program behind it.
func launch(p *Plan, e engine, path string, argv []string) (*child, error) {
	var report, gate [2]int
	if err := errors.Join(unix.Pipe2(report[:], unix.O_CLOEXEC), unix.Pipe2(gate[:], unix.O_CLOEXEC)); err != nil {
		return nil, &Failure{"make pipes", err}
	}
	defer unix.Close(report[0])
	defer unix.Close(gate[1])

	s := &steps{list: make([]step, 0, 512), what: make([]string, 0, 512)}
	s.reg[regReport], s.reg[regGo] = uintptr(report[1]), uintptr(gate[0])
	s.build(p, e)
	if p.unseen != "" {
		unix.Close(report[1])
		unix.Close(gate[0])
		return nil, &Failure{"look through " + p.unseen, errors.New("it has more than " + strconv.Itoa(maxEntries) + " entries")}
	}
	env := p.Env
	if !e.namespaces {
		env = p.environ()
	}
	s.finish(path, argv, env)
	s.reg[regStep] = reportListener
	flags := uintptr(0)
	if e.namespaces {
		flags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWIPC
	}
	pid, err := s.start(flags)
	unix.Close(report[1])
	unix.Close(gate[0])
	if err != nil {
		return nil, &Failure{stepNamespaces, err}
	}
	h := handshake{child: &child{pid: pid, plan: p}, engine: e, steps: s, report: report[0], gate: gate[1]}
	if err := h.run(path, argv[0]); err != nil {
		return nil, err
	}
	return h.child, nil
}

// handshake is what goes on between this process and the copy that becomes the program.
type handshake struct {
	child        *child
	engine       engine
	steps        *steps
	report, gate int
}

// run goes through it until the program runs. name is what the program was called by.
func (h *handshake) run(path, name string) error {
	if h.engine.namespaces {
		if err := mapIDs(h.child.pid, os.Getuid() == 0); err != nil {
			return h.abandon(stepNamespaces, err)
		}
		unix.Write(h.gate, []byte{1})
	}
	// The copy reports its listener, or what went wrong.
	at, eno, listener, err := readReport(h.report)
	switch {
	case err != nil:
		return h.abandon("wait for the wall", err)
	case at != reportListener:
		return h.abandon(h.steps.what[at], unix.Errno(eno))
	}
	if step, err := h.supervise(listener); err != nil {
		return h.abandon(step, err)
	}
	unix.Write(h.gate, []byte{1})
	at, eno, _, err = readReport(h.report)
	switch {
	case err == io.EOF:
		return nil // it runs
	case err != nil:
		return h.abandon("run "+path, err)
	case strings.HasPrefix(h.steps.what[at], "run "):
		_, _ = unix.Wait4(h.child.pid, nil, 0, nil)
		return &os.PathError{Op: "run", Path: name, Err: unix.Errno(eno)}
	}
	return h.abandon(h.steps.what[at], unix.Errno(eno))
}

// abandon ends the copy.
func (h *handshake) abandon(step string, err error) error {
	_ = unix.Kill(h.child.pid, unix.SIGKILL)
	_, _ = unix.Wait4(h.child.pid, nil, 0, nil)
	return &Failure{step, err}
}

// supervise takes the listener of the copy and answers what it asks from now on.
func (h *handshake) supervise(listener int) (step string, err error) {
	pidfd, err := unix.PidfdOpen(h.child.pid, 0)
	if err != nil {
		return "find the program", err
	}
	defer unix.Close(pidfd)
	fd, err := unix.PidfdGetfd(pidfd, listener, 0)
	if err != nil {
		return "take over the supervision", err
	}
	h.child.sup = newSupervisor(h.child.plan, h.engine, fd)
	h.child.sup.start()
	return "", nil
}

// build adds what makes a wall, up to the program that runs behind it.
func (s *steps) build(p *Plan, e engine) {
	if e.namespaces {
		s.say(stepNamespaces)
		s.waitForGo()
		s.mounts(p)
	}
	s.say("go back to " + p.Dir)
	s.add(unix.SYS_CHDIR, p.Dir)
	if p.Cover != nil {
		out, err := p.Cover.Inner()
		s.say("lead what it prints through a filter")
		s.add(unix.SYS_DUP3, int(out.Fd()), 1, 0)
		s.add(unix.SYS_DUP3, int(err.Fd()), 2, 0)
	}
	s.descriptors(p)
	s.privileges(os.Getuid() == 0 && e.namespaces)
	if e.landlock > 0 {
		s.lock(p, e)
	}
	s.say("die with " + strconv.Itoa(os.Getpid()))
	s.add(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, int(unix.SIGKILL), 0, 0, 0)
	s.say("install the filter")
	prog := newFilter(demands{names: true, removes: !e.namespaces, signals: e.landlock < 6, local: !p.Network})
	fprog := &unix.SockFprog{Len: uint16(len(prog.code)), Filter: &prog.code[0]}
	s.keep = append(s.keep, prog, fprog)
	s.add(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|seccompWaitKillable, unsafe.Pointer(fprog)).into(regListener)
	s.add(unix.SYS_WRITE, int(s.reg[regReport]), unsafe.Pointer(&s.reg[regStep]), 24)
	s.waitForGo()
	s.add(unix.SYS_CLOSE, register(regListener))
}

// waitForGo has the copy wait until this process has done its part.
func (s *steps) waitForGo() {
	var b [8]byte
	s.add(unix.SYS_READ, int(s.reg[regGo]), b[:], 1)
}

const seccompWaitKillable = 1 << 5

func readReport(fd int) (at, eno, listener int, err error) {
	var b [24]byte
	for n := 0; n < len(b); {
		k, err := unix.Read(fd, b[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return 0, 0, 0, err
		}
		if k == 0 {
			return 0, 0, 0, io.EOF
		}
		n += k
	}
	word := func(i int) int { return int(binary.NativeEndian.Uint64(b[8*i:])) }
	return word(0), word(1), word(2), nil
}

// mapIDs gives the namespace the ids it knows: root's all, others' their own.
func mapIDs(pid int, root bool) error {
	dir := "/proc/" + strconv.Itoa(pid) + "/"
	write := func(name, text string) error { return os.WriteFile(dir+name, []byte(text), 0) }
	if root {
		whole, err := os.ReadFile("/proc/self/uid_map")
		if err != nil {
			return err
		}
		groups, err := os.ReadFile("/proc/self/gid_map")
		if err != nil {
			return err
		}
		if write("uid_map", identity(string(whole))) == nil {
			return write("gid_map", identity(string(groups)))
		}
	}
	if err := write("setgroups", "deny"); err != nil {
		return err
	}
	if err := write("uid_map", fmt.Sprintf("%d %d 1\n", os.Getuid(), os.Getuid())); err != nil {
		return err
	}
	return write("gid_map", fmt.Sprintf("%d %d 1\n", os.Getgid(), os.Getgid()))
}

// identity maps every id that is known here to itself.
func identity(own string) string {
	var b strings.Builder
	for line := range strings.Lines(own) {
		if f := strings.Fields(line); len(f) == 3 {
			fmt.Fprintf(&b, "%s %s %s\n", f[0], f[0], f[2])
		}
	}
	return b.String()
}

// isText says whether a file is a script that does not say whose.
func isText(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [64]byte
	n, _ := f.Read(head[:])
	text := string(head[:n])
	return !strings.HasPrefix(text, "\x7fELF") && !strings.HasPrefix(text, "#!") && n > 0 && !strings.ContainsRune(text, 0)
}

// ignored says whether a signal was ignored when this process began.
func ignored(sig int) bool { return signal.Ignored(syscall.Signal(sig)) }

// wait lives with the program: it passes signals on, stops and goes on with it, and
// ends as it ends.
func (c *child) wait(signals <-chan os.Signal, stderr io.Writer) (int, error) {
	go func() {
		for sig := range signals {
			if sig == unix.SIGCONT && !c.stopped() || fromTerminal(sig) {
				continue // the program got it too
			}
			_ = unix.Kill(c.pid, sig.(syscall.Signal))
		}
	}()
	var ws unix.WaitStatus
	for {
		_, err := unix.Wait4(c.pid, &ws, unix.WUNTRACED, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return StatusNoWall, err
		}
		if !ws.Stopped() {
			break
		}
		if c.stopped() {
			_ = unix.Kill(os.Getpid(), unix.SIGSTOP)
		}
	}
	if c.plan.Cover != nil {
		c.plan.Hidden = c.plan.Cover.End()
	}
	c.sup.end(stderr, ws.ExitStatus() != 0)
	if ws.Signaled() {
		// As the program ended, so does this process, for whoever waits for it.
		sig := ws.Signal()
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
		runtime.LockOSThread()
		var usual [4]uint64 // which Go's runtime does not give back for a crash
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&usual)), 0, 8, 0, 0)
		_ = unix.Kill(os.Getpid(), sig)
		time.Sleep(50 * time.Millisecond) // until it arrives
		return 128 + int(sig), nil
	}
	return ws.ExitStatus(), nil
}

// stopped says whether the program is stopped and stays so: a terminal stops this process
// together with it, and both go on together.
func (c *child) stopped() bool {
	time.Sleep(10 * time.Millisecond)
	return stateOf(c.pid) == "T"
}
