//go:build amd64 || arm64

package wall

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// supervisor answers for the calls that the filter leaves to it. Pointers are read
// once, and what they pointed to then is what is done: the call itself is made by the
// supervisor, so that another thread of the program cannot change it meanwhile. Only
// where the kernel holds the wall by itself is the program's own call let through.
type supervisor struct {
	plan   *Plan
	engine engine
	fd     int // the listener
	uid    int // whose this process is
	gid    int

	wake    [2]int // a pipe that ends the loop
	ended   chan struct{}
	pending atomic.Int32 // calls that are made elsewhere because they may take long

	mu      sync.Mutex
	refused []Refusal
	// bound are the sockets that programs behind the wall have given a name, by
	// the numbers that the kernel knows them by.
	bound map[uint64]bool
	// filtered are the sockets that take in nothing from other machines.
	filtered map[uint64]bool
	// made are the directories with the name .git that were made behind this wall.
	made map[string]bool

	// makers are how threads make files, as was found out a moment ago. None is noted before settled.
	makers  map[uint32]maker
	settled time.Time

	found        map[[16]byte]bool // addresses of other machines that can be reached
	resolver     sync.Once
	resolverPort uint16
	asks         string // the program that asked last
}

func newSupervisor(p *Plan, e engine, fd int) *supervisor {
	s := &supervisor{plan: p, engine: e, fd: fd, uid: os.Getuid(), gid: os.Getgid(), ended: make(chan struct{}), bound: map[uint64]bool{}, filtered: map[uint64]bool{}, made: map[string]bool{}, found: map[[16]byte]bool{}, makers: map[uint32]maker{}}
	p.place()
	s.wellKnown()
	_ = unix.Pipe2(s.wake[:], unix.O_CLOEXEC)
	syncWake := uint64(1)
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(fd), notifSetFlags, uintptr(syncWake))
	return s
}

// notif, response and addFd are the kernel's structures.
type notif struct {
	id    uint64
	pid   uint32
	flags uint32
	nr    int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

type response struct {
	id    uint64
	val   int64
	errno int32
	flags uint32
}

type addFd struct {
	id             uint64
	flags          uint32
	src, dst, mode uint32
}

const (
	notifRecv     = 0xc0502100
	notifSend     = 0xc0182101
	notifValid    = 0x40082102
	notifAddFd    = 0x40182103
	notifSetFlags = 0x40082104

	addAndSend = 1 << 1 // SECCOMP_ADDFD_FLAG_SEND

	letThrough = 1 // SECCOMP_USER_NOTIF_FLAG_CONTINUE
)

func (s *supervisor) ioctl(op uintptr, arg unsafe.Pointer) (uintptr, unix.Errno) {
	for {
		r, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(s.fd), op, uintptr(arg))
		if e != unix.EINTR {
			return r, e
		}
	}
}

// start answers on a thread of its own, which has a mask for new files of its own and takes no signals.
func (s *supervisor) start() {
	go func() {
		runtime.LockOSThread()
		var all unix.Sigset_t
		for i := range all.Val {
			all.Val[i] = ^all.Val[i]
		}
		_ = unix.PthreadSigmask(unix.SIG_SETMASK, &all, nil)
		_ = unix.Unshare(unix.CLONE_FS)
		s.loop()
		close(s.ended)
	}()
}

// loop answers until no process is left behind the wall, or until it is told to end.
func (s *supervisor) loop() {
	polled := []unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLIN}, {Fd: int32(s.wake[0]), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(polled, -1); err != nil {
			if err == unix.EINTR {
				continue
			}
			return
		}
		if polled[1].Revents != 0 || polled[0].Revents&unix.POLLIN == 0 && polled[0].Revents&unix.POLLHUP != 0 {
			return
		}
		if polled[0].Revents&unix.POLLIN == 0 {
			continue // POLLERR: a signal came while the kernel waited for its own lock
		}
		var n notif
		if _, e := s.ioctl(notifRecv, unsafe.Pointer(&n)); e != 0 {
			continue // who asked has gone
		}
		s.answer(&n)
	}
}

// answer answers one call. Whatever goes wrong refuses it.
func (s *supervisor) answer(n *notif) {
	q := &question{s: s, n: *n}
	defer func() {
		if recover() != nil {
			q.fail(unix.EPERM)
		}
		q.close()
	}()
	q.nr, q.args = modern(int(n.nr), n.args)
	switch q.nr {
	case unix.SYS_UMASK, unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID, unix.SYS_SETFSUID, unix.SYS_SETFSGID:
		s.unsettle()
		q.pass()
	case unix.SYS_CONNECT:
		q.connect()
	case unix.SYS_BIND:
		q.bind()
	case unix.SYS_LISTEN:
		q.listen()
	case unix.SYS_SENDTO:
		q.sendto()
	case unix.SYS_SENDMSG:
		q.sendmsg()
	case unix.SYS_SENDMMSG:
		q.sendmmsg()
	case unix.SYS_OPENAT:
		q.open()
	case unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_SYMLINKAT:
		q.create()
	case unix.SYS_LINKAT:
		q.link()
	case unix.SYS_RENAMEAT2:
		q.rename()
	case unix.SYS_TRUNCATE:
		q.truncate()
	case unix.SYS_UNLINKAT:
		q.unlink()
	case unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET, unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM,
		unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETATTR, unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO:
		q.process()
	default:
		q.touch()
	}
}

// question is one call that waits for an answer.
type question struct {
	s        *supervisor
	n        notif
	nr       int
	args     [6]uint64
	answered bool
	opened   []int // descriptors to close
	status   *status
	pidfd    int // 0 if it is not open yet
	async    bool
}

func (q *question) close() {
	if q.async {
		return
	}
	for _, fd := range q.opened {
		unix.Close(fd)
	}
	q.opened = nil
}

// keep closes a descriptor when the question is answered.
func (q *question) keep(fd int, err error) (int, error) {
	if err == nil {
		q.opened = append(q.opened, fd)
	}
	return fd, err
}

func (q *question) respond(r response) {
	if q.answered {
		return
	}
	q.answered = true
	r.id = q.n.id
	_, _ = q.s.ioctl(notifSend, unsafe.Pointer(&r))
}

func (q *question) done(val int)        { q.respond(response{val: int64(val)}) }
func (q *question) fail(err unix.Errno) { q.respond(response{errno: -int32(err)}) }
func (q *question) pass()               { q.respond(response{flags: letThrough}) }

// result answers with what a call gave.
func (q *question) result(val int, err error) {
	if err == nil {
		q.done(val)
	} else if e, ok := err.(unix.Errno); ok {
		q.fail(e)
	} else {
		q.fail(unix.EPERM)
	}
}

// give answers with a descriptor that the program gets. The kernel adds it and answers in one step, which saves the program
// to be woken twice. If a signal interrupts that step, the kernel takes the descriptor back and answers 0 all the same, which
// the program takes for its standard input; so only the thread does it that takes no signals.
func (q *question) give(fd int, cloexec bool) {
	a := addFd{id: q.n.id, src: uint32(fd)}
	if cloexec {
		a.mode = unix.O_CLOEXEC
	}
	if !q.async {
		a.flags = addAndSend
		if _, e := q.s.ioctl(notifAddFd, unsafe.Pointer(&a)); e == 0 {
			q.answered = true
			return
		}
		a.flags = 0
	}
	there, e := q.s.ioctl(notifAddFd, unsafe.Pointer(&a))
	if e != 0 {
		q.fail(e)
		return
	}
	q.done(int(there))
}

// alive says whether who asked is still waiting. What was found out about a process
// by its number before this is about that process.
func (q *question) alive() bool {
	id := q.n.id
	_, e := q.s.ioctl(notifValid, unsafe.Pointer(&id))
	return e == 0
}

// later makes a call that may take long on another thread.
func (q *question) later(call func()) {
	q.async = true
	q.s.pending.Add(1)
	go func() {
		runtime.LockOSThread() // whose rights may be others for a moment
		defer runtime.UnlockOSThread()
		defer func() {
			if recover() != nil {
				q.fail(unix.EPERM)
			}
			q.async = false
			q.close()
			q.s.pending.Add(-1)
		}()
		call()
	}()
}

// refuse remembers a refusal, to be told at the end.
func (q *question) refuse(err unix.Errno, what string, host bool) {
	q.note(Refusal{What: what, Host: host})
	q.fail(err)
}

func (q *question) note(r Refusal) {
	r.Program = q.program()
	q.s.mu.Lock()
	if len(q.s.refused) < 64 && !slices.Contains(q.s.refused, r) {
		q.s.refused = append(q.s.refused, r)
	}
	q.s.mu.Unlock()
}

// outside leaves a call to the kernel, which refuses it if it is about a place that cannot be written.
func (q *question) outside(at spot, ok bool) {
	if ok && !q.ours(at.path) && q.s.plan.kindOf(at.path) == Closed {
		q.note(Refusal{What: "write " + q.s.plan.short(at.path)})
	}
	q.pass()
}

// program is the short name of who asks.
func (q *question) program() string {
	name, _ := os.ReadFile(q.proc() + "/comm")
	return strings.TrimSpace(string(name))
}

// status is what the kernel says about a thread.
type status struct {
	tgid, umask, fsuid, fsgid, threads int
}

func (q *question) who() *status {
	if q.status != nil {
		return q.status
	}
	st := &status{umask: 0o22}
	q.status = st
	fd, err := unix.Open(q.proc()+"/status", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return st
	}
	var room [2048]byte // what is needed stands at the beginning, but for the number of threads
	n, _ := unix.Read(fd, room[:])
	unix.Close(fd)
	for line := range bytes.Lines(room[:max(n, 0)]) {
		name, value, _ := bytes.Cut(line, []byte(":\t"))
		switch string(name) {
		case "Umask":
			st.umask = number(value, 8)
		case "Tgid":
			st.tgid = number(value, 10)
		case "Uid":
			st.fsuid = number(value[bytes.LastIndexByte(value, '\t')+1:], 10)
		case "Gid":
			st.fsgid = number(value[bytes.LastIndexByte(value, '\t')+1:], 10)
		case "Threads":
			st.threads = number(value, 10)
			return st // nothing that follows is needed
		}
	}
	return st
}

// maker is with which mask and rights a thread makes files.
type maker struct {
	umask, fsuid, fsgid int
	until               time.Time
}

// The kernel takes long to say all of a thread. What it said holds until a call that changes it, of which
// the supervisor is told before, and in any case not long, for the numbers of threads come again.
const (
	makerHolds = time.Second
	settling   = 100 * time.Millisecond // until a call that was let through is over
)

func (q *question) maker() maker {
	s, now := q.s, time.Now()
	s.mu.Lock()
	m, ok := s.makers[q.n.pid]
	keep := now.After(s.settled)
	s.mu.Unlock()
	if ok && keep && now.Before(m.until) {
		return m
	}
	st := q.who()
	m = maker{st.umask, st.fsuid, st.fsgid, now.Add(makerHolds)}
	if keep && st.threads > 0 {
		s.mu.Lock()
		if len(s.makers) >= 1024 {
			clear(s.makers)
		}
		s.makers[q.n.pid] = m
		s.mu.Unlock()
	}
	return m
}

func (s *supervisor) unsettle() {
	s.mu.Lock()
	clear(s.makers)
	s.settled = time.Now().Add(settling)
	s.mu.Unlock()
}

func number(text []byte, base int) int {
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(text)), base, 64)
	return int(n)
}

// descriptor is a copy of one of the program's descriptors.
func (q *question) descriptor(fd int) (int, error) {
	if q.pidfd == 0 {
		p, err := q.keep(unix.PidfdOpen(q.who().tgid, 0))
		if err != nil {
			return -1, err
		}
		q.pidfd = p
	}
	return q.keep(unix.PidfdGetfd(q.pidfd, fd, 0))
}

// read copies memory of the program.
func (q *question) read(addr uint64, b []byte) bool {
	if len(b) == 0 {
		return true
	}
	local := []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}
	n, err := unix.ProcessVMReadv(int(q.n.pid), local, []unix.RemoteIovec{{Base: uintptr(addr), Len: len(b)}}, 0)
	return err == nil && n == len(b)
}

func (q *question) write(addr uint64, b []byte) bool {
	local := []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}
	n, err := unix.ProcessVMWritev(int(q.n.pid), local, []unix.RemoteIovec{{Base: uintptr(addr), Len: len(b)}}, 0)
	return err == nil && n == len(b)
}

// text copies a string.
func (q *question) text(addr uint64) (string, bool) {
	var all []byte
	for len(all) <= unix.PathMax {
		size := 4096 - int(addr%4096) // to the end of the page, behind which there may be nothing
		if len(all) == 0 {
			size = min(size, 256)
		}
		room := make([]byte, size)
		if !q.read(addr, room) {
			return "", false
		}
		if i := bytes.IndexByte(room, 0); i >= 0 {
			return string(append(all, room[:i]...)), true
		}
		all, addr = append(all, room...), addr+uint64(len(room))
	}
	return "", false
}

// process judges a call on another process by its number: it must be one of those
// behind this wall.
func (q *question) process() {
	at := 0
	switch q.nr {
	case unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET:
		at = 1
		if q.args[0] != 0 && (q.nr != unix.SYS_IOPRIO_SET || q.args[0] != 1) {
			q.fail(unix.EPERM) // all processes of a group or user
			return
		}
	}
	pid := int(int32(q.args[at]))
	if pid > 0 && q.inside(pid) || pid == 0 {
		q.pass()
		return
	}
	q.fail(unix.EPERM)
}

// inside says whether a process is behind this wall: in its user namespace or one below
// it, or a child of one that is.
func (q *question) inside(pid int) bool {
	if q.s.engine.namespaces {
		own := belowOwn(int(q.n.pid))
		return own != 0 && belowOwn(pid) == own
	}
	for range 64 { // up to the program itself, whose parent this process is
		parent := parentOf(pid)
		if parent <= 1 || parent == os.Getpid() {
			return parent > 1
		}
		pid = parent
	}
	return false
}

// belowOwn is the user namespace just below this process's own that a process is in, or
// one below that; 0 if it is in none.
func belowOwn(pid int) uint64 {
	var own, st unix.Stat_t
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/ns/user", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil || unix.Stat("/proc/self/ns/user", &own) != nil {
		return 0
	}
	for range 33 { // which is how deep they go
		if unix.Fstat(fd, &st) != nil || st.Ino == own.Ino {
			break
		}
		above, err := unix.IoctlRetInt(fd, unix.NS_GET_PARENT)
		unix.Close(fd)
		if err != nil {
			return 0
		}
		var parent unix.Stat_t
		if unix.Fstat(above, &parent) == nil && parent.Ino == own.Ino {
			unix.Close(above)
			return st.Ino
		}
		fd = above
	}
	unix.Close(fd)
	return 0
}

func parentOf(pid int) int {
	n, _ := strconv.Atoi(statOf(pid, 1))
	return n
}

// stateOf is how the kernel says what a process does: "T" if it is stopped.
func stateOf(pid int) string { return statOf(pid, 0) }

// statOf is one of the words that the kernel says about a process, counted from behind its name.
func statOf(pid, word int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(f) <= word {
		return ""
	}
	return f[word]
}

// end is called when the program has ended. If it has left others behind the wall,
// they get a supervisor of their own, which ends with the last of them.
func (s *supervisor) end(stderr io.Writer, failed bool) {
	unix.Close(s.wake[1])
	<-s.ended
	for i := 0; i < 100 && s.pending.Load() > 0; i++ {
		time.Sleep(time.Millisecond)
	}
	polled := []unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLIN}}
	_, _ = unix.Poll(polled, 0)
	if polled[0].Revents&unix.POLLHUP == 0 {
		s.handOver(stderr)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.refused) > 0 && s.plan.Told != nil {
		s.plan.Told(s.refused, failed)
	}
	if len(s.refused) > 0 && (failed || slices.ContainsFunc(s.refused, func(r Refusal) bool { return r.Name })) {
		fmt.Fprintln(stderr, Sentence(s.refused))
	}
}

// Sentence says once what was refused.
func Sentence(refused []Refusal) string {
	r, more := Chief(refused), ""
	if n := len(refused) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Sprintf("longline wall: refused to %s: %s%s. This is the wall, not a fault of the program. If it cannot do without, run the same command once more: then your user is asked.", filepath.Base(r.Program), r.What, more)
}
