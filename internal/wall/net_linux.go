//go:build amd64 || arm64

package wall

import (
	"encoding/binary"
	"net/netip"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// address is where a call wants to go, as the program's memory had it.
type address struct {
	raw    []byte // as the kernel is told
	family uint16
	ip     netip.Addr
	port   uint16
	unix   string // a path, or a name that begins with a zero byte
	socket int    // a copy of the program's socket
}

const maxAddress = 128

// address copies an address out of the program's memory.
func (q *question) address(socket int, addr, size uint64) (a address, ok bool) {
	a.socket = socket
	if size < 2 || size > maxAddress {
		return a, false
	}
	a.raw = make([]byte, size)
	if !q.read(addr, a.raw) {
		return a, false
	}
	a.family = binary.NativeEndian.Uint16(a.raw)
	if a.family == unix.AF_UNSPEC {
		// To connect to it is to part; to send to it is to send to an address of the internet.
		if q.nr == unix.SYS_CONNECT {
			return a, true
		}
		a.family = unix.AF_INET
	}
	return a, a.parse()
}

// parse reads the address that the kernel is told; it fails if that is too short.
func (a *address) parse() bool {
	switch a.family {
	case unix.AF_INET:
		return a.internet(4, 8)
	case unix.AF_INET6:
		return a.internet(8, 24)
	case unix.AF_UNIX:
		a.unix = string(a.raw[2:])
		if len(a.unix) > 0 && a.unix[0] != 0 {
			a.unix, _, _ = strings.Cut(a.unix, "\x00")
		}
	}
	return true
}

// internet reads a port, and an address that stands between two places.
func (a *address) internet(from, to int) bool {
	if len(a.raw) < to {
		return false
	}
	a.port = binary.BigEndian.Uint16(a.raw[2:])
	a.ip, _ = netip.AddrFromSlice(a.raw[from:to])
	a.ip = a.ip.Unmap()
	return true
}

const portDomain = 53

// local says whether an address is on this machine and leads no further: the port of
// a resolver does.
func (a *address) local(p *Plan) bool {
	return a.port != portDomain && (a.ip.IsLoopback() || a.ip.IsUnspecified() || slices.Contains(p.ownAddresses(), a.ip))
}

// allowed answers if an address is one that the wall closes.
func (q *question) allowed(verb string, a *address) bool {
	switch a.family {
	case unix.AF_UNSPEC, unix.AF_NETLINK:
		return true
	case unix.AF_INET, unix.AF_INET6:
		if q.s.plan.Network || a.local(q.s.plan) || a.port != portDomain && q.s.isFound(a.ip) {
			return true
		}
		q.refuse(unix.ENETUNREACH, verb+" "+netip.AddrPortFrom(a.ip, a.port).String(), true)
		return false
	}
	q.fail(unix.EAFNOSUPPORT)
	return false
}

// through gives the address by which the supervisor itself reaches what the program
// means: of a unix socket the very file that the program would reach.
func (q *question) through(a *address) (raw []byte, ok bool) {
	switch {
	case a.family != unix.AF_UNIX:
		return a.raw, q.allowed("connect to", a)
	case a.unix == "":
		q.fail(unix.EINVAL)
		return nil, false
	case a.unix[0] == 0:
		return a.raw, q.ownName(a)
	}
	dir, last := path.Split(a.unix)
	if dir == "" {
		dir = "."
	}
	at, ok := q.directory(unix.AT_FDCWD, dir)
	if !ok {
		q.fail(unix.ENOENT)
		return nil, false
	}
	file, err := q.keep(unix.Openat2(at, last, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC | unix.O_NOFOLLOW, Resolve: unix.RESOLVE_NO_MAGICLINKS}))
	var st unix.Stat_t
	if err == nil {
		err = unix.Fstat(file, &st)
	}
	if err != nil {
		q.result(-1, err)
		return nil, false
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFLNK:
		return q.throughLink(a, at, last)
	case unix.S_IFSOCK:
		return q.throughFile(file, &st)
	}
	q.fail(unix.ECONNREFUSED)
	return nil, false
}

// ownName answers if a name that is no file was not given behind this wall. Names are taken
// for each type of socket by itself.
func (q *question) ownName(a *address) bool {
	kind, err := unix.GetsockoptInt(a.socket, unix.SOL_SOCKET, unix.SO_TYPE)
	if err != nil || !q.s.plan.Keeps && !q.s.owns(func(s *unixSocket) bool { return s.name == a.unix && int(s.kind) == kind }) {
		q.refuse(unix.ECONNREFUSED, "connect to the socket @"+a.unix[1:], false)
		return false
	}
	return true
}

// throughLink goes on where a link in a directory leads.
func (q *question) throughLink(a *address, dir int, name string) (raw []byte, ok bool) {
	real, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(dir))
	to := make([]byte, unix.PathMax)
	n, err2 := unix.Readlinkat(dir, name, to)
	if err != nil || err2 != nil || n == 0 || strings.Count(a.unix, "/") > maxLinks {
		q.fail(unix.ELOOP)
		return nil, false
	}
	next := string(to[:n])
	if next[0] != '/' {
		next = real + "//" + next
	}
	return q.through(&address{family: unix.AF_UNIX, unix: next, socket: a.socket})
}

// throughFile is the address of a socket that is open as a file, if it is one that the plan
// names or that was made behind this wall.
func (q *question) throughFile(file int, st *unix.Stat_t) (raw []byte, ok bool) {
	name := "/proc/self/fd/" + strconv.Itoa(file)
	where, _ := os.Readlink(name)
	if !q.s.plan.Keeps && !slices.Contains(q.s.plan.Sockets, where) && !q.s.owns(func(s *unixSocket) bool { return s.ino == uint32(st.Ino) && s.dev == kernelDev(st.Dev) }) {
		q.refuse(unix.EACCES, "connect to the socket "+where, false)
		return nil, false
	}
	raw = make([]byte, 2, 2+len(name)+1)
	binary.NativeEndian.PutUint16(raw, unix.AF_UNIX)
	return append(append(raw, name...), 0), true
}

// kernelDev is the number of a device as the kernel has it inside.
func kernelDev(dev uint64) uint32 { return unix.Major(dev)<<20 | unix.Minor(dev) }

// connect connects a copy of the program's socket, which is the same socket.
func (q *question) connect() {
	fd, err := q.descriptor(int(int32(q.args[0])))
	if err != nil {
		q.result(-1, err)
		return
	}
	a, ok := q.address(fd, q.args[1], uint64(uint32(q.args[2])))
	if !ok {
		q.fail(unix.EINVAL)
		return
	}
	if !q.alive() {
		return
	}
	raw := q.toResolver(&a)
	if raw == nil {
		if raw, ok = q.through(&a); !ok {
			return
		}
	}
	do := func() unix.Errno {
		_, _, e := unix.Syscall(unix.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&raw[0])), uintptr(len(raw)))
		return e
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_NONBLOCK != 0 {
		q.ended(0, do())
		return
	}
	q.later(func() {
		q.ended(0, q.patiently(fd, func() unix.Errno {
			_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags|unix.O_NONBLOCK)
			defer unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags)
			return do()
		}))
	})
}

// ended answers with what a call has ended with.
func (q *question) ended(n int, e unix.Errno) {
	if e != 0 {
		q.fail(e)
	} else {
		q.done(n)
	}
}

// restart has the kernel make a call again when the program has taken a signal, or end it with
// EINTR, as the program wants it.
const restart = unix.Errno(512)

// patiently makes a call that does not wait until it is done. A signal for the program ends
// it, as it would without a wall, and so does the end of the program.
func (q *question) patiently(fd int, try func() unix.Errno) unix.Errno {
	begin, limit := time.Now(), time.Duration(1<<62)
	if t, err := unix.GetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO); err == nil && t.Nano() > 0 {
		limit = time.Duration(t.Nano())
	}
	for {
		e := try()
		if e != unix.EAGAIN && e != unix.EINPROGRESS && e != unix.EALREADY || time.Since(begin) >= limit {
			return e
		}
		if n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, 50); n > 0 && e == unix.EAGAIN {
			time.Sleep(5 * time.Millisecond) // it is the other end that has no room
		}
		if !q.alive() || q.interrupted() {
			return restart
		}
	}
}

// interrupted says whether there is a signal for the thread that waits. One for the whole
// process may be for another thread, which takes it at once.
func (q *question) interrupted() bool {
	if own, all := q.signals(); own || !all {
		return own
	}
	time.Sleep(5 * time.Millisecond)
	own, all := q.signals()
	return own || all
}

// signals says whether signals wait for a thread, and for its process, that it takes.
func (q *question) signals() (own, all bool) {
	text, _ := os.ReadFile(q.proc() + "/status")
	set := map[string]uint64{}
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.HasPrefix(name, "S") {
			set[name], _ = strconv.ParseUint(strings.TrimSpace(value), 16, 64)
		}
	}
	taken := ^(set["SigBlk"] | set["SigIgn"])
	return set["SigPnd"]&taken != 0, set["ShdPnd"]&taken != 0
}

// bind remembers the socket, and lets the program do it: the kernel says where it may. By
// a race a socket may still get a guarded name; nobody can read anything from it.
func (q *question) bind() {
	fd, err := q.descriptor(int(int32(q.args[0])))
	if err == nil {
		if q.bindsGuarded(fd) {
			return
		}
		q.remember(fd)
	}
	q.pass()
}

// bindsGuarded answers if a socket would get the name of something that may not be made.
func (q *question) bindsGuarded(fd int) bool {
	a, ok := q.address(fd, q.args[1], uint64(uint32(q.args[2])))
	if !ok || a.family != unix.AF_UNIX || a.unix == "" || a.unix[0] == 0 {
		return false
	}
	at, ok := q.locate(unix.AT_FDCWD, a.unix)
	return ok && q.ours(at.path) && q.unmakable(at)
}

// remember remembers that a unix socket was named behind this wall.
func (q *question) remember(fd int) {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return
	}
	if domain, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN); domain == unix.AF_UNIX {
		q.s.mu.Lock()
		q.s.bound[st.Ino] = true
		q.s.mu.Unlock()
	}
}

// fromHere is a filter of a socket that takes in what comes from this machine and nothing else,
// by the sender's address in the packet.
func fromHere(own []netip.Addr) []unix.SockFilter {
	var f filter
	f.op(0x30, netOff, 0, 0) // the version
	f.op(0x54, 0xf0, 0, 0)
	var four, six filter
	four.op(0x30, netOff+12, 0, 0) // 127.0.0.0/8
	four.op(jumpEq, 127, 0, 1)
	four.op(ret, all, 0, 0)
	for _, ip := range append(own, netip.IPv6Loopback()) {
		to, from, raw := &six, uint32(netOff+8), ip.AsSlice()
		if ip.Is4() {
			to, from = &four, netOff+12
		}
		for left := len(raw) / 4; left > 0; left-- {
			to.op(loadWord, from, 0, 0)
			to.op(jumpEq, binary.BigEndian.Uint32(raw), 0, uint8(2*left-1)) // to the next address
			raw, from = raw[4:], from+4
		}
		to.op(ret, all, 0, 0)
	}
	four.op(ret, 0, 0, 0)
	six.op(ret, 0, 0, 0)
	f.op(jumpEq, 0x40, 0, uint8(len(four.code)))
	return append(append(f.code, four.code...), six.code...)
}

const all = 0xffffffff // of a packet

// ownAddresses are the addresses of this machine, of which there may be too many.
func (p *Plan) ownAddresses() (list []netip.Addr) {
	raw, err := syscall.NetlinkRIB(unix.RTM_GETADDR, unix.AF_UNSPEC)
	if err != nil || p.strange {
		return nil
	}
	messages, _ := syscall.ParseNetlinkMessage(raw)
	for i := range messages {
		attributes, err := syscall.ParseNetlinkRouteAttr(&messages[i])
		if messages[i].Header.Type != unix.RTM_NEWADDR || err != nil {
			continue
		}
		found := map[uint16]netip.Addr{}
		for _, a := range attributes {
			if ip, ok := netip.AddrFromSlice(a.Value); ok {
				found[a.Attr.Type] = ip
			}
		}
		ip, ok := found[unix.IFA_LOCAL] // IFA_ADDRESS is the other end of a tunnel
		if !ok {
			ip, ok = found[unix.IFA_ADDRESS]
		}
		if ok && len(list) < 16 {
			list = append(list, ip)
		}
	}
	return list
}

const netOff = 0xfff00000 // from where the header of the network begins

// listen makes a socket listen, to this machine only: whoever connects from another one
// could be sent anything. The filter stays on it, and on the connections that it takes.
func (q *question) listen() {
	fd, err := q.descriptor(int(int32(q.args[0])))
	if err == nil {
		err = q.filter(fd)
	}
	if err == nil && q.alive() {
		err = unix.Listen(fd, int(int32(q.args[1])))
	}
	if err != nil {
		q.result(-1, err)
		return
	}
	q.done(0)
}

// filter puts the filter on a socket that others can reach, unless it is there already.
func (q *question) filter(fd int) error {
	domain, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil {
		return err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || domain == unix.AF_UNIX {
		return err
	}
	q.s.mu.Lock()
	held := q.s.filtered[st.Ino]
	q.s.mu.Unlock()
	locked, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_LOCK_FILTER)
	switch {
	case locked != 0 && !held:
		return unix.EPERM // by the program, with a filter of its own
	case locked == 0 && attach(fd, q.s.plan.ownAddresses()) == nil: // where users may have no filters, the probe says so
		q.s.mu.Lock()
		q.s.filtered[st.Ino] = true
		q.s.mu.Unlock()
	}
	return nil
}

// attach puts the filter on a socket for good.
func attach(fd int, own []netip.Addr) error {
	code := fromHere(own)
	if err := unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}); err != nil {
		return err
	}
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_LOCK_FILTER, 1)
}

// filters says whether this user may put filters on sockets.
func filters() bool {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	return attach(fd, nil) == nil
}

// maxSend is how much of a message is sent at once; a stream goes on with the rest.
const maxSend = 1 << 20

// message is what is sent, with everything copied out of the program's memory.
type message struct {
	fd      int
	to      []byte
	data    []byte
	control []byte
	flags   int
}

func (q *question) sendto() {
	size := min(q.args[2], maxSend)
	m := message{flags: int(int32(q.args[3])), data: make([]byte, size)}
	var err error
	if m.fd, err = q.descriptor(int(int32(q.args[0]))); err != nil {
		q.result(-1, err)
		return
	}
	a, ok := q.address(m.fd, q.args[4], uint64(uint32(q.args[5])))
	if !ok || !q.read(q.args[1], m.data) {
		q.fail(unix.EFAULT)
		return
	}
	if !q.alive() {
		return
	}
	if m.to, ok = q.through(&a); ok {
		q.send(&m, func(n int, err error) { q.result(n, err) })
	}
}

// send sends, and waits elsewhere if it may have to.
func (q *question) send(m *message, then func(n int, err error)) {
	sent := 0
	try := func(flags int) unix.Errno {
		n, e := m.send(sent, flags)
		sent += n
		if e == 0 && n > 0 && sent < len(m.data) && flags&^m.flags != 0 {
			return unix.EAGAIN // of a stream, which goes on with the rest
		}
		return e
	}
	end := func(e unix.Errno) {
		switch {
		case e == 0 || sent > 0:
			then(sent, nil)
		case e == unix.EPIPE && m.flags&unix.MSG_NOSIGNAL == 0:
			_ = unix.Tgkill(q.who().tgid, int(q.n.pid), unix.SIGPIPE)
			fallthrough
		default:
			then(-1, e)
		}
	}
	flags, err := unix.FcntlInt(uintptr(m.fd), unix.F_GETFL, 0)
	if err == nil && flags&unix.O_NONBLOCK != 0 || m.flags&unix.MSG_DONTWAIT != 0 {
		end(try(m.flags))
		return
	}
	q.later(func() { end(q.patiently(m.fd, func() unix.Errno { return try(m.flags | unix.MSG_DONTWAIT) })) })
}

// send sends a message from a place in it on. What goes beside it goes with its beginning.
func (m *message) send(from, flags int) (int, unix.Errno) {
	var h unix.Msghdr
	var iov unix.Iovec
	if len(m.to) > 0 {
		h.Name, h.Namelen = &m.to[0], uint32(len(m.to))
	}
	if from < len(m.data) {
		iov.Base = &m.data[from]
		iov.SetLen(len(m.data) - from)
	}
	h.Iov, h.Iovlen = &iov, 1
	if len(m.control) > 0 && from == 0 {
		h.Control = &m.control[0]
		h.SetControllen(len(m.control))
	}
	n, _, e := unix.Syscall(unix.SYS_SENDMSG, uintptr(m.fd), uintptr(unsafe.Pointer(&h)), uintptr(flags|unix.MSG_NOSIGNAL))
	return max(int(n), 0), e
}

// gather copies a message header and all that it points to.
func (q *question) gather(addr uint64, sock int, flags int) (m message, ok bool) {
	m.flags = flags
	var h remoteHeader
	if !q.copied(addr, unsafe.Slice((*byte)(unsafe.Pointer(&h)), unsafe.Sizeof(h))) {
		return m, false
	}
	if h.partCount > 1024 || h.controlSize > 1<<16 {
		q.fail(unix.EMSGSIZE)
		return m, false
	}
	if m.data, ok = q.gatherData(&h); !ok {
		return m, false
	}
	var err error
	if m.fd, err = q.descriptor(sock); err != nil {
		q.result(-1, err)
		return m, false
	}
	if m.control, ok = q.gatherControl(&h); !ok || !q.alive() {
		return m, false
	}
	m.to, ok = q.gatherName(&h, m.fd)
	return m, ok
}

// copied copies out of the program's memory, and answers if that fails.
func (q *question) copied(addr uint64, to []byte) bool {
	ok := q.read(addr, to)
	if !ok {
		q.fail(unix.EFAULT)
	}
	return ok
}

// gatherData copies the parts of a message.
func (q *question) gatherData(h *remoteHeader) (data []byte, ok bool) {
	parts := make([]remotePart, h.partCount)
	if len(parts) > 0 && !q.copied(h.parts, unsafe.Slice((*byte)(unsafe.Pointer(&parts[0])), uintptr(len(parts))*unsafe.Sizeof(parts[0]))) {
		return nil, false
	}
	for _, p := range parts {
		n := min(p.size, uint64(maxSend-len(data)))
		at := len(data)
		data = append(data, make([]byte, n)...)
		if !q.copied(p.base, data[at:]) {
			return nil, false
		}
	}
	return data, true
}

// gatherControl copies what is sent beside a message; nil if there is nothing.
func (q *question) gatherControl(h *remoteHeader) (control []byte, ok bool) {
	if h.controlSize == 0 {
		return nil, true
	}
	control = make([]byte, h.controlSize)
	if !q.copied(h.control, control) {
		return nil, false
	}
	return q.translate(control)
}

// gatherName is the address that a message names; nil if it names none.
func (q *question) gatherName(h *remoteHeader, fd int) (to []byte, ok bool) {
	if h.name == 0 || h.nameSize == 0 {
		return nil, true
	}
	a, ok := q.address(fd, h.name, uint64(h.nameSize))
	if !ok {
		q.fail(unix.EINVAL)
		return nil, false
	}
	return q.through(&a)
}

// remoteHeader is a message header in the program's memory, and remotePart what it says
// about one part. Their pointers are numbers here: a pointer of the program may look like
// one into this process's own heap, and the garbage collector ends a process that has one
// which leads nowhere.
type remoteHeader struct {
	name               uint64
	nameSize           uint32
	_                  uint32
	parts, partCount   uint64
	control            uint64
	controlSize, flags uint64
}

type remotePart struct{ base, size uint64 }

// translate makes descriptors of the program that are passed on ones of this process.
// Who sends is said by the kernel, so that what the program says about itself is left out.
func (q *question) translate(control []byte) ([]byte, bool) {
	var out []byte
	list, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		q.fail(unix.EINVAL)
		return nil, false
	}
	for _, c := range list {
		if c.Header.Level != unix.SOL_SOCKET {
			if !q.s.plan.Network && !harmless(&c) {
				q.fail(unix.EPERM)
				return nil, false
			}
			raw := make([]byte, unix.CmsgSpace(len(c.Data)))
			h := (*unix.Cmsghdr)(unsafe.Pointer(&raw[0]))
			*h = c.Header
			h.SetLen(unix.CmsgLen(len(c.Data)))
			copy(raw[unix.CmsgLen(0):], c.Data)
			out = append(out, raw...)
			continue
		}
		if c.Header.Type != unix.SCM_RIGHTS {
			continue
		}
		fds, err := unix.ParseUnixRights(&c)
		if err != nil {
			q.fail(unix.EINVAL)
			return nil, false
		}
		for i, fd := range fds {
			if fds[i], err = q.descriptor(fd); err != nil {
				q.result(-1, err)
				return nil, false
			}
		}
		out = append(out, unix.UnixRights(fds...)...)
	}
	return out, true
}

// harmless says whether what is said about one message has no part in where it goes: the
// supervisor sends it, and may do what the program may not.
func harmless(c *unix.SocketControlMessage) bool {
	switch [2]int32{c.Header.Level, c.Header.Type} {
	case [2]int32{unix.IPPROTO_IP, unix.IP_TOS}, [2]int32{unix.IPPROTO_IP, unix.IP_TTL},
		[2]int32{unix.IPPROTO_IPV6, unix.IPV6_HOPLIMIT}, [2]int32{unix.IPPROTO_IPV6, unix.IPV6_TCLASS}, [2]int32{unix.IPPROTO_IPV6, unix.IPV6_DONTFRAG},
		[2]int32{unix.IPPROTO_UDP, unix.UDP_SEGMENT}, [2]int32{unix.SOL_TLS, 1 /* TLS_SET_RECORD_TYPE */}:
		return true
	case [2]int32{unix.IPPROTO_IP, unix.IP_PKTINFO}: // interface, own address, address
		return len(c.Data) >= 12 && loopback(c.Data[:4])
	case [2]int32{unix.IPPROTO_IPV6, unix.IPV6_PKTINFO}: // address, interface
		return len(c.Data) >= 20 && loopback(c.Data[16:20])
	}
	return false
}

// loopback says whether an interface is this machine's own, or none in particular.
func loopback(index []byte) bool { return binary.NativeEndian.Uint32(index) <= 1 }

// toPeer says whether a message goes to the other end of a unix socket, whatever its memory says, and
// cannot go through another socket: nobody but the thread that waits can put one in its place.
// The program sends it itself, and the kernel says who it was.
func (q *question) toPeer() bool {
	fd, err := q.descriptor(int(int32(q.args[0])))
	if err != nil {
		return false
	}
	domain, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
	kind, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE)
	return domain == unix.AF_UNIX && (kind == unix.SOCK_STREAM || kind == unix.SOCK_SEQPACKET) && q.who().threads == 1
}

func (q *question) sendmsg() {
	if q.toPeer() {
		q.pass()
		return
	}
	m, ok := q.gather(q.args[1], int(int32(q.args[0])), int(int32(q.args[2])))
	if ok {
		q.send(&m, func(n int, err error) { q.result(n, err) })
	}
}

// sendmmsg sends the first of several messages; programs go on with the rest.
func (q *question) sendmmsg() {
	if q.args[2] == 0 {
		q.done(0)
		return
	}
	m, ok := q.gather(q.args[1], int(int32(q.args[0])), int(int32(q.args[3])))
	if !ok {
		return
	}
	q.send(&m, func(n int, err error) {
		if err != nil {
			q.result(-1, err)
			return
		}
		var sent [4]byte
		binary.NativeEndian.PutUint32(sent[:], uint32(n))
		q.write(q.args[1]+uint64(unsafe.Sizeof(remoteHeader{})), sent[:])
		q.done(1)
	})
}

// unixSocket is a unix socket that has a name, as the kernel lists it.
type unixSocket struct {
	socket   uint32 // its own number
	kind     uint8  // stream, datagram, ...
	name     string
	dev, ino uint32 // of the file
}

// owns says whether one of the sockets that match was named behind this wall.
func (s *supervisor) owns(match func(*unixSocket) bool) bool {
	for _, u := range unixSockets() {
		if match(&u) {
			s.mu.Lock()
			own := s.bound[uint64(u.socket)]
			s.mu.Unlock()
			if own {
				return true
			}
		}
	}
	return false
}

// unixSockets asks the kernel which sockets have which names.
func unixSockets() (list []unixSocket) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	const showName, showFile = 1, 2
	req := make([]byte, unix.NLMSG_HDRLEN+24)
	binary.NativeEndian.PutUint32(req[0:], uint32(len(req)))
	binary.NativeEndian.PutUint16(req[4:], 20) // SOCK_DIAG_BY_FAMILY
	binary.NativeEndian.PutUint16(req[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	req[16] = unix.AF_UNIX
	binary.NativeEndian.PutUint32(req[20:], ^uint32(0)) // in all states
	binary.NativeEndian.PutUint32(req[28:], showName|showFile)
	if unix.Sendto(fd, req, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}) != nil {
		return nil
	}
	room := make([]byte, 64<<10)
	for {
		n, _, err := unix.Recvfrom(fd, room, 0)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return nil
		}
		some, more := readUnixSockets(room[:n])
		if list = append(list, some...); !more {
			return list
		}
	}
}

// readUnixSockets reads a part of the kernel's list, and says whether more follows.
func readUnixSockets(b []byte) (list []unixSocket, more bool) {
	for len(b) >= unix.NLMSG_HDRLEN {
		size, kind := int(binary.NativeEndian.Uint32(b)), binary.NativeEndian.Uint16(b[4:])
		if kind == unix.NLMSG_DONE || kind == unix.NLMSG_ERROR || size < unix.NLMSG_HDRLEN || size > len(b) {
			return list, false
		}
		if size >= unix.NLMSG_HDRLEN+16 {
			list = append(list, readUnixSocket(b[unix.NLMSG_HDRLEN:size]))
		}
		b = b[min(len(b), (size+3)&^3):]
	}
	return list, true
}

func readUnixSocket(b []byte) (u unixSocket) {
	u.kind, u.socket = b[1], binary.NativeEndian.Uint32(b[4:])
	for b = b[16:]; len(b) >= 4; {
		size, kind := int(binary.NativeEndian.Uint16(b)), binary.NativeEndian.Uint16(b[2:])
		if size < 4 || size > len(b) {
			return u
		}
		switch body := b[4:size]; kind {
		case 0: // UNIX_DIAG_NAME
			u.name = string(body)
		case 1: // UNIX_DIAG_VFS
			if len(body) >= 8 {
				u.ino, u.dev = binary.NativeEndian.Uint32(body), binary.NativeEndian.Uint32(body[4:])
			}
		}
		b = b[min(len(b), (size+3)&^3):]
	}
	return u
}
