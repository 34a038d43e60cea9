//go:build amd64 || arm64

package wall

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A wall is set up between fork and exec by a process that is a copy of a single
// thread of this one: it may make system calls and nothing else, no memory, no
// locks. So all that it does is written down beforehand, as a list of calls with
// every string and structure in place, and the copy goes through the list.

// step is one system call of the list.
type step struct {
	nr   uintptr
	arg  [6]uintptr
	from [6]uint8 // 1+register that an argument is taken from
	to   uint8    // 1+register that the result is kept in
	fail uint8    // what a failure means
	jump uint8    // with skipOnFail: how many of the next steps are left out
}

const (
	giveUp     = iota // nothing is run
	goOn              // it was worth a try
	skipOnFail        // the next steps make no sense without it
)

// registers of the list.
const (
	regReport = iota // where the copy writes to
	regGo            // where it reads from
	regStep          // the step that failed, or one of the words below
	regErrno
	regListener
	regTmp // and above, for whoever needs one
	regCount
)

// reportListener is what a copy reports instead of the number of a step that failed.
const reportListener = 1 << 32

// steps is the list as it is put together.
type steps struct {
	list []step
	what []string // for messages: what each step is for
	reg  [regCount + 64]uintptr
	keep []any
	now  string
}

// say names what the steps that follow are for.
func (s *steps) say(what string) { s.now = what }

// reg is an argument that a register holds.
type register uint8

func (s *steps) add(nr uintptr, args ...any) *step {
	st := step{nr: nr}
	for i, a := range args {
		switch v := a.(type) {
		case int:
			st.arg[i] = uintptr(v)
		case uint64:
			st.arg[i] = uintptr(v)
		case uintptr:
			st.arg[i] = v
		case register:
			st.from[i] = uint8(v) + 1
		case string:
			b, _ := syscall.BytePtrFromString(v) // no path here has a zero byte
			st.arg[i] = s.pointer(unsafe.Pointer(b), b)
		case []byte:
			st.arg[i] = s.pointer(unsafe.Pointer(unsafe.SliceData(v)), v)
		case unsafe.Pointer:
			st.arg[i] = s.pointer(v, v)
		default:
			panic("wall: an argument of a step is of no known type")
		}
	}
	s.list, s.what = append(s.list, st), append(s.what, s.now)
	return &s.list[len(s.list)-1]
}

// pointer gives the address of what is kept for the copy.
func (s *steps) pointer(p unsafe.Pointer, keep any) uintptr {
	s.keep = append(s.keep, keep)
	return uintptr(p)
}

func (st *step) into(r register) *step { st.to = uint8(r) + 1; return st }
func (st *step) orElse(fail uint8) *step {
	st.fail = fail
	return st
}

func (st *step) orSkip(n int) *step {
	st.fail, st.jump = skipOnFail, uint8(n)
	return st
}

// fork makes the copy, which goes through the list and does not come back.
//
//go:noinline
//go:norace
//go:nocheckptr
func fork(flags uintptr, list *step, n uintptr, reg *[regCount + 64]uintptr) (pid uintptr, errno syscall.Errno) {
	pid, _, errno = syscall.RawSyscall6(unix.SYS_CLONE, flags, 0, 0, 0, 0, 0)
	if errno != 0 || pid != 0 {
		return pid, errno
	}
	for i := uintptr(0); i < n; i++ {
		st := (*step)(unsafe.Add(unsafe.Pointer(list), i*unsafe.Sizeof(step{})))
		for k := range st.arg {
			if st.from[k] != 0 {
				st.arg[k] = reg[st.from[k]-1]
			}
		}
		r, _, e := syscall.RawSyscall6(st.nr, st.arg[0], st.arg[1], st.arg[2], st.arg[3], st.arg[4], st.arg[5])
		switch {
		case e == 0:
			if st.to != 0 {
				reg[st.to-1] = r
			}
		case st.fail == giveUp:
			reg[regStep], reg[regErrno] = i, uintptr(e)
			syscall.RawSyscall(unix.SYS_WRITE, reg[regReport], uintptr(unsafe.Pointer(&reg[regStep])), 3*unsafe.Sizeof(reg[0]))
			for {
				syscall.RawSyscall(unix.SYS_EXIT_GROUP, StatusNoWall, 0, 0)
			}
		case st.fail == skipOnFail:
			i += uintptr(st.jump)
		}
	}
	for {
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, StatusNoWall, 0, 0)
	}
}

// start forks with all signals blocked: a handler of this process must not run in
// the copy. The list restores them.
func (s *steps) start(flags uintptr) (pid int, err error) {
	runtime.LockOSThread()
	all, old := ^uint64(0), uint64(0)
	s.keep = append(s.keep, &all, &old)
	if _, _, e := syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&all)), uintptr(unsafe.Pointer(&old)), 8, 0, 0); e != 0 {
		return 0, e
	}
	p, e := fork(flags|uintptr(unix.SIGCHLD), &s.list[0], uintptr(len(s.list)), &s.reg)
	syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&old)), 0, 8, 0, 0)
	runtime.KeepAlive(s)
	if e != 0 {
		return 0, e
	}
	return int(p), nil
}
