//go:build amd64 || arm64

package wall

import (
	"os"

	"golang.org/x/sys/unix"
)

// The filter decides by the numbers of calls and by arguments that are not pointers.
// What it cannot decide it gives to the supervisor.

// filter is a program for the kernel's packet filter, which seccomp uses.
type filter struct{ code []unix.SockFilter }

const (
	retAllow  = 0x7fff0000
	retErrno  = 0x00050000
	retNotify = 0x7fc00000

	loadWord = 0x20 // BPF_LD|BPF_W|BPF_ABS
	jumpEq   = 0x15
	jumpSet  = 0x45
	jumpGe   = 0x35
	ret      = 0x06

	offNr, offArch, offArgs = 0, 4, 16
)

func (f *filter) op(code uint16, k uint32, jt, jf uint8) {
	f.code = append(f.code, unix.SockFilter{Code: code, K: k, Jt: jt, Jf: jf})
}

func errno(e unix.Errno) uint32 { return retErrno | uint32(e) }

// test is one look at an argument; what it yields is the answer if it holds.
type test func(f *filter)

// always ends a call with an answer.
func always(answer uint32) test { return func(f *filter) { f.op(ret, answer, 0, 0) } }

// bits answers if one of the bits is set.
func bits(arg int, mask, answer uint32) test {
	return func(f *filter) {
		f.op(loadWord, uint32(offArgs+8*arg), 0, 0)
		f.op(jumpSet, mask, 0, 1)
		f.op(ret, answer, 0, 0)
	}
}

// equal answers if the lower half of an argument is a value.
func equal(arg int, value, answer uint32) test {
	return func(f *filter) {
		f.op(loadWord, uint32(offArgs+8*arg), 0, 0)
		f.op(jumpEq, value, 0, 1)
		f.op(ret, answer, 0, 0)
	}
}

// both answers if two arguments have these values.
func both(arg int, value uint32, other int, also, answer uint32) test {
	return func(f *filter) {
		f.op(loadWord, uint32(offArgs+8*arg), 0, 0)
		f.op(jumpEq, value, 0, 3)
		f.op(loadWord, uint32(offArgs+8*other), 0, 0)
		f.op(jumpEq, also, 0, 1)
		f.op(ret, answer, 0, 0)
	}
}

// nonzero answers if an argument is not zero.
func nonzero(arg int, answer uint32) test {
	return func(f *filter) {
		for half := range 2 {
			f.op(loadWord, uint32(offArgs+8*arg+4*half), 0, 0)
			f.op(jumpEq, 0, 1, 0)
			f.op(ret, answer, 0, 0)
		}
	}
}

// on says what happens to one call: the first test that holds answers, and if none
// does it is allowed.
func (f *filter) on(nr int, tests ...test) {
	var body filter
	for _, t := range tests {
		t(&body)
	}
	body.op(ret, retAllow, 0, 0)
	f.op(jumpEq, uint32(nr), 0, uint8(len(body.code)))
	f.code = append(f.code, body.code...)
}

// oneOf allows what has one of the values and refuses the rest.
func oneOf(arg int, refusal uint32, values ...uint32) test {
	return func(f *filter) {
		f.op(loadWord, uint32(offArgs+8*arg), 0, 0)
		for i, v := range values {
			f.op(jumpEq, v, uint8(len(values)-i), 0)
		}
		f.op(ret, refusal, 0, 0)
	}
}

// oneOfNot refuses what has one of the values.
func oneOfNot(arg int, refusal uint32, values ...uint32) test {
	return func(f *filter) {
		for _, v := range values {
			equal(arg, v, refusal)(f)
		}
	}
}

// demands is what a filter has to see to.
type demands struct {
	names   bool // the names of files that come to be are looked at
	removes bool // and those that go
	signals bool // nothing else keeps signals inside
	local   bool // the network ends at this machine
}

// detours are the options of a socket by which what is sent to this machine's own address
// goes to another one first: routes that the sender chooses, and interfaces. They are
// told by level and name.
var detours = [][2]int{
	{unix.SOL_SOCKET, unix.SO_BINDTODEVICE},
	{unix.SOL_SOCKET, unix.SO_BINDTOIFINDEX},
	{unix.IPPROTO_IP, unix.IP_OPTIONS},
	{unix.IPPROTO_IP, unix.IP_UNICAST_IF},
	{unix.IPPROTO_IPV6, unix.IPV6_RTHDR},
	{unix.IPPROTO_IPV6, unix.IPV6_2292RTHDR},
	{unix.IPPROTO_IPV6, unix.IPV6_2292PKTOPTIONS},
	{unix.IPPROTO_IPV6, unix.IPV6_UNICAST_IF},
	{unix.IPPROTO_IPV6, unix.IPV6_PKTINFO},
}

const writing = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC

func newFilter(d demands) *filter {
	f := &filter{}
	f.op(loadWord, offArch, 0, 0)
	f.op(jumpEq, auditArch, 1, 0)
	f.op(ret, errno(unix.ENOSYS), 0, 0)
	f.op(loadWord, offNr, 0, 0)
	f.op(jumpGe, 0x40000000, 0, 1) // another way to number calls
	f.op(ret, errno(unix.ENOSYS), 0, 0)

	f.on(unix.SYS_CONNECT, always(retNotify))
	f.on(unix.SYS_BIND, always(retNotify))
	f.on(unix.SYS_SENDTO, nonzero(4, retNotify))
	f.on(unix.SYS_SENDMSG, always(retNotify))
	f.on(unix.SYS_SENDMMSG, always(retNotify))
	// Threads share descriptors, and others do not: what a lone thread sends goes through the
	// socket that was looked at.
	f.on(unix.SYS_CLONE, bits(0, unix.CLONE_THREAD, retAllow), bits(0, unix.CLONE_FILES, errno(unix.EPERM)))
	f.on(unix.SYS_CLONE3, always(errno(unix.ENOSYS))) // its flags are in memory; programs take clone then
	f.on(unix.SYS_SOCKET,
		equal(0, unix.AF_UNIX, retAllow), equal(0, unix.AF_NETLINK, retAllow),
		oneOf(0, errno(unix.EAFNOSUPPORT), unix.AF_INET, unix.AF_INET6),
		// SCTP connects by other calls than connect, and MPTCP takes no filters; programs
		// that would like it take TCP.
		oneOf(2, errno(unix.EPROTONOSUPPORT), 0, unix.IPPROTO_TCP, unix.IPPROTO_UDP, unix.IPPROTO_ICMP, unix.IPPROTO_ICMPV6))

	if d.local {
		f.local()
	}
	if d.names {
		f.names()
	}
	if d.removes {
		f.removes()
	}
	if d.signals {
		f.signals()
	}
	f.on(unix.SYS_SETPRIORITY, nonzero(1, retNotify))
	f.on(unix.SYS_IOPRIO_SET, nonzero(1, retNotify))
	f.all(nonzero(0, retNotify), unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETATTR)
	f.all(always(errno(unix.ENOSYS)), unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY)
	f.all(always(errno(unix.EPERM)), unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_VHANGUP, unix.SYS_SYSLOG, unix.SYS_SWAPON, unix.SYS_REBOOT, unix.SYS_QUOTACTL, unix.SYS_ACCT)
	// Nobody mounts anything, in namespaces of its own either: the supervisor goes by paths.
	f.all(always(errno(unix.EPERM)), unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN, unix.SYS_FSPICK, unix.SYS_FSMOUNT, unix.SYS_MOUNT_SETATTR)
	// What is typed into a terminal is typed by whoever reads it.
	f.on(unix.SYS_IOCTL, equal(1, unix.TIOCSTI, errno(unix.EPERM)), equal(1, 0x541C /* TIOCLINUX */, errno(unix.EPERM)))
	f.op(ret, retAllow, 0, 0)
	return f
}

// all tests several calls in the same way.
func (f *filter) all(t test, calls ...int) {
	for _, nr := range calls {
		f.on(nr, t)
	}
}

// local keeps sockets to this machine.
func (f *filter) local() {
	var tests []test
	for _, o := range detours {
		tests = append(tests, both(1, uint32(o[0]), 2, uint32(o[1]), errno(unix.EPERM)))
	}
	f.on(unix.SYS_SETSOCKOPT, tests...)
	f.on(unix.SYS_LISTEN, always(retNotify))
}

// names has the supervisor asked about calls that make or write files by their names.
func (f *filter) names() {
	f.on(unix.SYS_OPENAT, bits(2, writing, retNotify))
	f.on(unix.SYS_OPENAT2, always(errno(unix.ENOSYS))) // its flags are in memory; programs take openat then
	f.all(always(retNotify), unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_SYMLINKAT, unix.SYS_LINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_TRUNCATE)
	f.all(always(retNotify), oldNaming...)
	f.all(bits(1, writing, retNotify), oldOpen...)
	f.on(unix.SYS_UMASK, always(retNotify))
	if os.Getuid() == 0 {
		f.all(always(retNotify), unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID, unix.SYS_SETFSUID, unix.SYS_SETFSGID)
	}
}

// removes has the supervisor asked about calls that remove files or change what is known of
// them.
func (f *filter) removes() {
	f.all(always(retNotify), unix.SYS_UNLINKAT, unix.SYS_FCHMODAT, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT, unix.SYS_FCHMOD, unix.SYS_FCHOWN, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR)
	f.all(always(retNotify), oldRemoving...)
	// Programs take the older ones then.
	f.all(always(errno(unix.ENOSYS)), unix.SYS_FCHMODAT2, unix.SYS_SETXATTRAT, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR)
}

// signals has the supervisor asked about signals to other processes of the same user. Their
// number is not a pointer, so that a look at it is enough.
func (f *filter) signals() {
	f.all(always(retNotify), unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO)
	f.on(unix.SYS_PIDFD_SEND_SIGNAL, always(errno(unix.EPERM)))
	f.on(unix.SYS_FCNTL, oneOfNot(1, errno(unix.EPERM), unix.F_SETOWN, unix.F_SETOWN_EX, unix.F_SETSIG))
}
