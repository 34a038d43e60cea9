//go:build linux && (amd64 || arm64)

package wall

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attack is one thing that a program must not be able to do behind a wall. It ends
// without an error when it has what it wanted.
type attack struct {
	name string
	run  func(s *scene) error
	open string // why it is left open, if it is
	// landlock is why it is open where there are no namespaces, in the words of docs/walls.md.
	landlock string
	// outside is a file, below the stage, that is seen to be changed if it has worked:
	// behind a wall a change may be seen by the program alone.
	outside string
}

func secretIn(b []byte, err error) error {
	if err == nil && !bytes.Contains(b, []byte(theSecret)) {
		return fmt.Errorf("not the secret: %q", b[:min(len(b), 60)])
	}
	return err
}

// reads is an attack by the path of a file.
func reads(path func(s *scene) string) func(*scene) error {
	return func(s *scene) error { return secretIn(os.ReadFile(path(s))) }
}

// writes is an attack that changes a file or makes it, seen from outside afterwards.
func writes(path func(s *scene) string) func(*scene) error {
	return func(s *scene) error {
		p := path(s)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		f, err := os.OpenFile(p, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteString("[core]\nfsmonitor = evil\n")
		return err
	}
}

func home(name string) func(s *scene) string {
	return func(s *scene) string { return s.Home + "/" + name }
}

func project(name string) func(s *scene) string {
	return func(s *scene) string { return s.Project + "/" + name }
}

func proc(s *scene, name string) string { return "/proc/" + strconv.Itoa(s.Out) + "/" + name }

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, 2*time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	b := make([]byte, 100)
	n, err := c.Read(b)
	return secretIn(b[:n], err)
}

func errnoOf(e unix.Errno) error {
	if e == 0 {
		return nil
	}
	return e
}

// thisRun tells the packets of this run from those of an earlier one, which may be
// looked at late.
var thisRun = strconv.FormatInt(time.Now().UnixNano(), 36)

func packet(tag string) []byte { return []byte(tag + "-" + thisRun) }

// arrived waits until the program outside has got a packet.
func arrived(s *scene, tag string) error {
	for range 40 {
		if _, err := os.Stat(s.Root + "/udp-" + string(packet(tag))); err == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("nothing arrived")
}

func (s *scene) udp() *unix.SockaddrInet4 {
	a := &unix.SockaddrInet4{Port: s.UDPPort}
	copy(a.Addr[:], net.ParseIP(s.HostIP).To4())
	return a
}

func udpSocket() int {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		panic(err)
	}
	return fd
}

// away moves something by renaming.
func away(from, to func(s *scene) string) func(*scene) error {
	return func(s *scene) error { return os.Rename(from(s), to(s)) }
}

// made makes a harmless directory with a file in it, to be renamed.
func made(s *scene, dir, file string) string {
	path := s.Project + "/" + dir
	_ = os.MkdirAll(filepath.Dir(path+"/"+file), 0o755)
	_ = os.WriteFile(path+"/"+file, []byte("{}"), 0o644)
	return path
}

// raceRename tries to have a name looked at that is not the one which is used.
func raceNames(call func(path *byte) error, harmless, wanted string, s *scene) error {
	if len(harmless) != len(wanted) {
		return errors.New("the names are not of one length")
	}
	buf := append([]byte(harmless), 0)
	var stop atomic.Bool
	defer stop.Store(true)
	go func() {
		runtime.LockOSThread()
		a, b := []byte(harmless), []byte(wanted)
		for !stop.Load() {
			copy(buf, a)
			copy(buf, b)
		}
	}()
	until := time.Now().Add(700 * time.Millisecond)
	for time.Now().Before(until) {
		_ = call(&buf[0])
		if _, err := os.Lstat(wanted); err == nil {
			return nil
		}
		os.Remove(harmless)
	}
	return errors.New("the race was lost")
}

func at(nr uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	_, _, e := unix.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5])
	return errnoOf(e)
}

var here = ^uintptr(99) // AT_FDCWD

var attacks = []attack{
	// Secrets.
	{name: "01-read-secret", run: reads(home(".ssh/id_rsa"))},
	{name: "02-read-by-symlink", run: func(s *scene) error {
		_ = os.Symlink(s.Home+"/.ssh/id_rsa", s.Project+"/l")
		return reads(project("l"))(s)
	}},
	{name: "03-hard-link-secret", run: func(s *scene) error {
		if err := os.Link(s.Home+"/.ssh/id_rsa", s.Project+"/h"); err != nil {
			return err
		}
		return reads(project("h"))(s)
	}},
	{name: "04-proc-self-root", run: reads(func(s *scene) string { return "/proc/self/root" + s.Home + "/.ssh/id_rsa" })},
	{name: "05-proc-out-root", run: reads(func(s *scene) string { return proc(s, "root"+s.Home+"/.ssh/id_rsa") })},
	{name: "06-proc-out-fd", run: reads(func(s *scene) string { return proc(s, "fd/"+strconv.Itoa(s.OutFd)) })},
	{name: "07-proc-out-environ", run: reads(func(s *scene) string { return proc(s, "environ") })},
	{name: "08-proc-out-mem", run: func(s *scene) error {
		f, err := os.Open(proc(s, "mem"))
		if err != nil {
			return err
		}
		b := make([]byte, 64)
		n, err := f.ReadAt(b, int64(s.OutAddr))
		return secretIn(b[:n], err)
	}},
	{name: "09-inherited-directory", run: func(*scene) error {
		fd, err := unix.Openat(9, ".ssh/id_rsa", unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		b := make([]byte, 64)
		n, err := unix.Read(fd, b)
		return secretIn(b[:max(n, 0)], err)
	}},
	{name: "10-inherited-file", run: func(*scene) error {
		b := make([]byte, 64)
		n, err := unix.Pread(8, b, 0)
		return secretIn(b[:max(n, 0)], err)
	}},
	{name: "11-ptrace", run: func(s *scene) error {
		runtime.LockOSThread()
		if err := unix.PtraceSeize(s.Out); err != nil {
			return err
		}
		return nil
	}},
	{name: "12-kill", run: func(s *scene) error { return unix.Kill(s.Out, unix.SIGUSR1) }},
	{name: "13-pidfd-getfd", run: func(s *scene) error {
		p, err := unix.PidfdOpen(s.Out, 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(p, s.OutFd, 0)
		return err
	}},
	{name: "14-process-vm-readv", run: func(s *scene) error {
		b := make([]byte, 40)
		n, err := unix.ProcessVMReadv(s.Out, []unix.Iovec{{Base: &b[0], Len: 40}}, []unix.RemoteIovec{{Base: uintptr(s.OutAddr), Len: 40}}, 0)
		return secretIn(b[:max(n, 0)], err)
	}},
	// Sockets.
	{name: "15-unix-in-tmp", run: func(s *scene) error { return dial("unix", s.Socket) }},
	{name: "16-unix-docker", run: func(s *scene) error { return dial("unix", s.Docker) }},
	{name: "17-unix-late", run: func(s *scene) error {
		_ = os.WriteFile(s.Root+"/make-late", nil, 0o666)
		for range 100 {
			if _, err := os.Stat(s.Root + "/late-made"); err == nil {
				return dial("unix", s.Late)
			}
			time.Sleep(20 * time.Millisecond)
		}
		return errors.New("it was not made")
	}},
	{name: "18-unix-abstract", run: func(s *scene) error { return dial("unix", s.Abstract) }},
	{name: "19-host-loopback", run: func(s *scene) error { return dial("tcp", fmt.Sprint("127.0.0.1:", s.Port)) }, open: "a development server and a test database are on the loopback: it is shared by design"},
	{name: "20-tcp", run: func(s *scene) error { return dial("tcp", fmt.Sprint(s.HostIP, ":", s.HostPort)) }},
	{name: "21-udp-sendto", run: func(s *scene) error {
		if err := unix.Sendto(udpSocket(), packet("21"), 0, s.udp()); err != nil {
			return err
		}
		return arrived(s, "21")
	}},
	{name: "22-udp-sendmsg", run: func(s *scene) error {
		if err := unix.Sendmsg(udpSocket(), packet("22"), nil, s.udp(), 0); err != nil {
			return err
		}
		return arrived(s, "22")
	}},
	{name: "23-udp-connect", run: func(s *scene) error {
		fd := udpSocket()
		if err := unix.Connect(fd, s.udp()); err != nil {
			return err
		}
		_, _ = unix.Write(fd, packet("23"))
		return arrived(s, "23")
	}},
	{name: "24-tcp-fast-open", run: func(s *scene) error {
		fd, _ := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		a := s.udp()
		a.Port = s.HostPort
		if err := unix.Sendto(fd, []byte("x"), unix.MSG_FASTOPEN, a); err != nil {
			return err
		}
		b := make([]byte, 64)
		n, err := unix.Read(fd, b)
		return secretIn(b[:max(n, 0)], err)
	}},
	{name: "25-udp-sendmmsg", run: func(s *scene) error {
		fd := udpSocket()
		var sa unix.RawSockaddrInet4
		sa.Family = unix.AF_INET
		sa.Port = uint16(s.UDPPort>>8 | s.UDPPort<<8)
		copy(sa.Addr[:], net.ParseIP(s.HostIP).To4())
		data := packet("25")
		iov := unix.Iovec{Base: &data[0], Len: uint64(len(data))}
		h := struct {
			h unix.Msghdr
			n uint32
			_ uint32
		}{h: unix.Msghdr{Name: (*byte)(unsafe.Pointer(&sa)), Namelen: unix.SizeofSockaddrInet4, Iov: &iov, Iovlen: 1}}
		if err := at(unix.SYS_SENDMMSG, uintptr(fd), uintptr(unsafe.Pointer(&h)), 1, 0); err != nil {
			return err
		}
		return arrived(s, "25")
	}},
	{name: "26-raw-socket", run: func(*scene) error {
		_, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)
		return err
	}},
	{name: "60-packet-socket", run: func(*scene) error { _, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0); return err }},
	{name: "61-vsock", run: func(*scene) error { _, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0); return err }},
	{name: "62-udp-pktinfo", run: func(s *scene) error {
		oob := unix.PktInfo4(&unix.Inet4Pktinfo{Ifindex: 1})
		if err := unix.Sendmsg(udpSocket(), packet("62"), oob, s.udp(), 0); err != nil {
			return err
		}
		return arrived(s, "62")
	}},
	{name: "63-udp6-mapped", run: func(s *scene) error {
		fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		a := &unix.SockaddrInet6{Port: s.UDPPort}
		copy(a.Addr[:], net.ParseIP(s.HostIP).To16())
		if err := unix.Sendto(fd, packet("63"), 0, a); err != nil {
			return err
		}
		return arrived(s, "63")
	}},
	{name: "64-udp-race", run: func(s *scene) error {
		// The address changes between loopback and another while it is looked at.
		fd := udpSocket()
		var sa, near, far unix.RawSockaddrInet4
		far.Family = unix.AF_INET
		far.Port = uint16(s.UDPPort>>8 | s.UDPPort<<8)
		copy(far.Addr[:], net.ParseIP(s.HostIP).To4())
		near = far
		near.Addr = [4]byte{127, 0, 0, 1}
		sa = near
		var stop atomic.Bool
		defer stop.Store(true)
		go func() {
			for !stop.Load() {
				sa = far
				sa = near
			}
		}()
		data := packet("64")
		until := time.Now().Add(time.Second)
		for time.Now().Before(until) {
			_ = at(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)), 0, uintptr(unsafe.Pointer(&sa)), unix.SizeofSockaddrInet4)
			if _, err := os.Stat(s.Root + "/udp-" + string(data)); err == nil {
				return nil
			}
		}
		return arrived(s, "64")
	}},
	{name: "65-unix-by-symlink", run: func(s *scene) error {
		_ = os.Symlink(s.Docker, s.Project+"/s")
		return dial("unix", s.Project+"/s")
	}},
	{name: "66-unix-hard-link", run: func(s *scene) error {
		if err := os.Link(s.Docker, s.Project+"/s"); err != nil {
			return err
		}
		return dial("unix", s.Project+"/s")
	}},
	{name: "67-unix-proc-root", run: func(s *scene) error { return dial("unix", "/proc/self/root"+s.Docker) }},
	{name: "68-unix-claimed", run: func(s *scene) error {
		// A name of one's own first, then somebody else's under the same path.
		own := s.Project + "/own.sock"
		l, err := net.Listen("unix", own)
		if err != nil {
			return err
		}
		defer l.Close()
		os.Remove(own)
		_ = os.Symlink(s.Docker, own)
		return dial("unix", own)
	}},
	{name: "69-sctp", run: func(*scene) error { _, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 132); return err }},
	// Places outside.
	{name: "27-bashrc", run: writes(home(".bashrc"))},
	{name: "28-authorized-keys", run: writes(home(".ssh/authorized_keys"))},
	{name: "37-other-project", run: writes(func(s *scene) string { return s.Other + "/main.c" })},
	{name: "39-symlink-bashrc", run: func(s *scene) error {
		_ = os.Symlink(s.Home+"/.bashrc", s.Project+"/rc")
		return writes(project("rc"))(s)
	}},
	{name: "52-local-bin", run: writes(home(".local/bin/git"))},
	{name: "53-cache", run: writes(home(".cache/build/entry")), outside: "home/.cache/build/entry"},
	{name: "70-other-env", run: reads(func(s *scene) string { return s.Other + "/.env" })},
	{name: "71-netrc", run: reads(home(".netrc"))},
	{name: "72-aws", run: reads(home(".aws/credentials"))},
	{name: "73-dotdot", run: reads(func(s *scene) string { return s.Project + "/../../.ssh/id_rsa" })},
	{name: "74-fd-then-name", run: func(s *scene) error {
		fd, err := unix.Open(s.Home, unix.O_PATH|unix.O_DIRECTORY, 0)
		if err != nil {
			return err
		}
		f, err := unix.Openat(fd, ".ssh/id_rsa", unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		b := make([]byte, 64)
		n, err := unix.Read(f, b)
		return secretIn(b[:max(n, 0)], err)
	}},
	{name: "75-rename-secret-dir", run: away(home(".ssh"), home("x"))},
	{name: "76-hard-link-bashrc", run: func(s *scene) error {
		if err := os.Link(s.Home+"/.bashrc", s.Project+"/b"); err != nil {
			return err
		}
		return writes(project("b"))(s)
	}},
	{name: "77-rename-into-home", run: func(s *scene) error {
		_ = os.WriteFile(s.Project+"/rc", []byte("evil"), 0o644)
		return os.Rename(s.Project+"/rc", s.Home+"/.bashrc")
	}},
	{name: "78-truncate-outside", run: func(s *scene) error { return unix.Truncate(s.Home+"/.bashrc", 1) }},
	{name: "79-chmod-outside", run: func(s *scene) error { return os.Chmod(s.Home+"/.bashrc", 0o600) }},
	{name: "80-utimes-outside", run: func(s *scene) error { return os.Chtimes(s.Home+"/.bashrc", time.Now(), time.Unix(0, 0)) }},
	{name: "81-xattr-outside", run: func(s *scene) error { return unix.Setxattr(s.Home+"/.bashrc", "user.x", []byte("1"), 0) }},
	{name: "82-longline-itself", run: func(s *scene) error { return os.Rename(s.Root+"/bin/longline", s.Root+"/bin/gone") }},
	// Protected places inside the project.
	{name: "29-git-hook", run: writes(project(".git/hooks/pre-commit"))},
	{name: "30-git-config", run: writes(project(".git/config"))},
	{name: "31-git-aside", run: func(s *scene) error {
		if err := os.Rename(s.Project+"/.git", s.Project+"/g"); err != nil {
			return err
		}
		return writes(project(".git/hooks/pre-commit"))(s)
	}},
	{name: "32-git-commondir", run: writes(project(".git/commondir"))},
	{name: "33-claude-settings", run: writes(project(".claude/settings.json"))},
	{name: "34-mcp-json", run: writes(project(".mcp.json"))},
	{name: "35-rename-to-claude", run: func(s *scene) error { return os.Rename(made(s, "x", "settings.json"), s.Project+"/.claude") }},
	{name: "36-move-project", run: func(s *scene) error { return os.Rename(s.Project, s.Project+"2") }},
	{name: "38-hard-link-config", run: func(s *scene) error {
		if err := os.Link(s.Project+"/.git/config", s.Project+"/c"); err != nil {
			return err
		}
		return writes(project("c"))(s)
	}},
	{name: "83-instructions", run: writes(project("CLAUDE.md"))},
	{name: "84-new-instructions", run: writes(project("AGENTS.md"))},
	{name: "85-workflow", run: writes(project(".github/workflows/b.yml"))},
	{name: "86-editor-tasks", run: writes(project(".vscode/tasks.json"))},
	{name: "87-nested-mcp", run: writes(project("deep/er/.mcp.json"))},
	{name: "88-nested-git", run: writes(project("deep/er/.git/config"))},
	{name: "89-symlink-then-create", run: func(s *scene) error {
		_ = os.Symlink(".mcp.json", s.Project+"/innocent")
		return writes(project("innocent"))(s)
	}},
	{name: "90-tmpfile-linkat", run: func(s *scene) error {
		fd, err := unix.Open(s.Project, unix.O_TMPFILE|unix.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), unix.AT_FDCWD, s.Project+"/.mcp.json", unix.AT_SYMLINK_FOLLOW)
	}},
	{name: "91-openat2", run: func(s *scene) error {
		_, err := unix.Openat2(unix.AT_FDCWD, s.Project+"/.mcp.json", &unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY, Mode: 0o644})
		return err
	}},
	{name: "92-race-open", run: func(s *scene) error {
		return raceNames(func(p *byte) error {
			r, _, e := unix.Syscall6(unix.SYS_OPENAT, here, uintptr(unsafe.Pointer(p)), unix.O_CREAT|unix.O_WRONLY, 0o644, 0, 0)
			if e == 0 {
				unix.Close(int(r))
			}
			return errnoOf(e)
		}, s.Project+"/xmcp.json", s.Project+"/.mcp.json", s)
	}},
	{name: "93-race-rename", run: func(s *scene) error {
		return raceNames(func(p *byte) error {
			_ = os.WriteFile(s.Project+"/src", []byte("{}"), 0o644)
			from := append([]byte(s.Project+"/src"), 0)
			return at(unix.SYS_RENAMEAT2, here, uintptr(unsafe.Pointer(&from[0])), here, uintptr(unsafe.Pointer(p)), 0)
		}, s.Project+"/xmcp.json", s.Project+"/.mcp.json", s)
	}},
	{name: "94-race-mkdir", run: func(s *scene) error {
		return raceNames(func(p *byte) error { return at(unix.SYS_MKDIRAT, here, uintptr(unsafe.Pointer(p)), 0o755) }, s.Project+"/xhusky", s.Project+"/.husky", s)
	}},
	{name: "95-race-elsewhere", run: func(s *scene) error {
		// Looked at where the kernel decides, used where the supervisor does.
		tmp := filepath.Dir(s.Root)
		wanted := s.Project + "/.mcp.json"
		harmless := tmp + "/" + strings.Repeat("x", max(1, len(wanted)-len(tmp)-1))
		return raceNames(func(p *byte) error {
			r, _, e := unix.Syscall6(unix.SYS_OPENAT, here, uintptr(unsafe.Pointer(p)), unix.O_CREAT|unix.O_WRONLY, 0o644, 0, 0)
			if e == 0 {
				unix.Close(int(r))
			}
			return errnoOf(e)
		}, harmless, wanted, s)
	}},
	{name: "96-rename-exchange", run: func(s *scene) error {
		_ = os.WriteFile(s.Project+"/mine", []byte("evil"), 0o644)
		return unix.Renameat2(unix.AT_FDCWD, s.Project+"/mine", unix.AT_FDCWD, s.Project+"/CLAUDE.md", unix.RENAME_EXCHANGE)
	}},
	{name: "97-symlink-git", run: func(s *scene) error {
		made(s, "g/hooks", "pre-commit")
		made(s, "sub", "x")
		return os.Symlink(s.Project+"/g", s.Project+"/sub/.git")
	}},
	{name: "98-gitfile", run: func(s *scene) error {
		made(s, "sub", "x")
		return os.WriteFile(s.Project+"/sub/.git", []byte("gitdir: ../g\n"), 0o644)
	}},
	{name: "99-remove-config", run: func(s *scene) error { return os.Remove(s.Project + "/.git/config") }},
	{name: "100-chmod-hook-dir", run: func(s *scene) error { return os.Chmod(s.Project+"/.git/hooks", 0) }},
	{name: "101-cwd-link", run: func(s *scene) error { return writes(func(*scene) string { return "/proc/self/cwd/.mcp.json" })(s) }},
	{name: "102-dirfd", run: func(s *scene) error {
		fd, err := unix.Open(s.Project+"/deep", unix.O_PATH|unix.O_DIRECTORY, 0)
		if err != nil {
			return err
		}
		f, err := unix.Openat(fd, "../.mcp.json", unix.O_CREAT|unix.O_WRONLY, 0o644)
		_ = f
		return err
	}},
	{name: "103-case", run: func(s *scene) error { return writes(project(".MCP.json"))(s) }},
	{name: "104-bind-name", run: func(s *scene) error {
		_, err := net.Listen("unix", s.Project+"/.mcp.json")
		return err
	}},
	{name: "105-open-old", run: func(s *scene) error {
		f, err := os.OpenFile(s.Project+"/deep/er/.mcp.json", os.O_WRONLY|os.O_TRUNC, 0)
		if err == nil {
			f.Close()
		}
		return err
	}},
	{name: "106-truncate-nested", run: func(s *scene) error { return unix.Truncate(s.Project+"/deep/er/.mcp.json", 0) }},
	// The kernel, other processes, devices.
	{name: "40-umount-mask", run: func(s *scene) error {
		out, err := exec.Command("unshare", "-Urm", "sh", "-c", `umount "$1" 2>/dev/null; umount -l "$1" 2>/dev/null; cat "$1/id_rsa"`, "sh", s.Home+"/.ssh").CombinedOutput()
		return secretIn(out, err)
	}},
	{name: "107-mount-in-new-namespace", run: func(s *scene) error {
		return exec.Command("unshare", "-Urm", "sh", "-c", `mount --bind "$1" "$2" && cat "$2/id_rsa"`, "sh", s.Home+"/.ssh", s.Project+"/deep").Run()
	}},
	{name: "42-keyring", run: func(*scene) error {
		_, err := unix.AddKey("user", "longline", []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
		return err
	}},
	{name: "44-other-terminal", run: func(s *scene) error {
		f, err := os.OpenFile(s.Pts, os.O_WRONLY|unix.O_NOCTTY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("x")
		return err
	}, landlock: "other terminals"},
	{name: "45-core-pattern", run: func(*scene) error {
		f, err := os.OpenFile("/proc/sys/kernel/core_pattern", os.O_WRONLY, 0)
		_ = f
		return err
	}},
	{name: "46-cgroup", run: func(*scene) error {
		dir, _ := filepath.Glob("/sys/fs/cgroup/*")
		for _, d := range append(dir, "/sys/fs/cgroup") {
			if os.Mkdir(d+"/longline-wall-test", 0o755) == nil {
				return os.Remove(d + "/longline-wall-test")
			}
		}
		return errors.New("nowhere")
	}},
	{name: "47-sudo", run: func(*scene) error { return exec.Command("sudo", "-n", "true").Run() }},
	{name: "48-block-device", run: func(*scene) error {
		list, _ := filepath.Glob("/dev/[svx][dv][a-z]")
		for _, d := range list {
			if f, err := os.Open(d); err == nil {
				f.Close()
				return nil
			}
		}
		return errors.New("none")
	}},
	{name: "49-io-uring", run: func(*scene) error {
		var params [120]byte
		return at(unix.SYS_IO_URING_SETUP, 2, uintptr(unsafe.Pointer(&params[0])))
	}},
	{name: "50-sysv-shm", run: func(s *scene) error {
		b, err := unix.SysvShmAttach(s.Shm, 0, 0)
		return secretIn(b, err)
	}, landlock: "shared memory of the same user"},
	{name: "51-dev-shm", run: reads(func(s *scene) string { return s.ShmFile }), landlock: "shared memory of the same user"},
	{name: "54-setpriority", run: func(s *scene) error { return unix.Setpriority(unix.PRIO_PROCESS, s.Out, 5) }},
	{name: "55-prlimit", run: func(s *scene) error {
		return unix.Prlimit(s.Out, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 100, Max: 4096}, nil)
	}},
	{name: "56-cmdline", run: func(s *scene) error {
		b, err := os.ReadFile(proc(s, "cmdline"))
		if err == nil && len(b) == 0 {
			err = errors.New("empty")
		}
		return err
	}, open: "processes are seen as ps shows them; a program that starts others needs their numbers"},
	{name: "57-chmod-secret-dir", run: func(s *scene) error { return os.Chmod(s.Home+"/.ssh", 0o777) }},
	{name: "58-list-secret-dir", run: func(s *scene) error {
		list, err := os.ReadDir(s.Home + "/.ssh")
		if err == nil && len(list) == 0 {
			err = errors.New("nothing is there")
		}
		return err
	}},
	{name: "59-stat-secret", run: func(s *scene) error { _, err := os.Stat(s.Home + "/.ssh/id_rsa"); return err }, landlock: "that a secret exists and its size"},
	{name: "108-affinity", run: func(s *scene) error {
		var set unix.CPUSet
		set.Set(0)
		return unix.SchedSetaffinity(s.Out, &set)
	}},
	{name: "109-tgkill", run: func(s *scene) error { return unix.Tgkill(s.Out, s.Out, unix.SIGUSR1) }},
	{name: "110-pidfd-signal", run: func(s *scene) error {
		p, err := unix.PidfdOpen(s.Out, 0)
		if err != nil {
			return err
		}
		return unix.PidfdSendSignal(p, unix.SIGUSR1, nil, 0)
	}},
	{name: "111-open-by-handle", run: func(s *scene) error {
		h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, s.Home+"/.ssh", 0)
		if err != nil {
			return err
		}
		d, err := unix.Open(s.Root, unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		_, err = unix.OpenByHandleAt(d, h, unix.O_RDONLY)
		return err
	}},
	{name: "112-setns", run: func(s *scene) error {
		f, err := os.Open(proc(s, "ns/mnt"))
		if err != nil {
			return err
		}
		defer f.Close()
		runtime.LockOSThread()
		_ = unix.Unshare(unix.CLONE_FS)
		return unix.Setns(int(f.Fd()), unix.CLONE_NEWNS)
	}},
	{name: "113-proc-out-cwd", run: func(s *scene) error { return writes(func(s *scene) string { return proc(s, "cwd/.mcp.json") })(s) }},
	{name: "114-source-route", run: func(*scene) error {
		fd := udpSocket()
		if err := unix.SetsockoptString(fd, unix.IPPROTO_IP, unix.IP_OPTIONS, sourceRoute); err != nil {
			return err
		}
		return unix.Sendto(fd, []byte("114"), 0, toLoopback)
	}},
	{name: "115-source-route-of-a-message", run: func(*scene) error {
		return unix.Sendmsg(udpSocket(), []byte("115"), control(unix.IPPROTO_IP, unix.IP_RETOPTS, []byte(sourceRoute)), toLoopback, 0)
	}},
	{name: "116-bind-to-device", run: func(*scene) error {
		return unix.SetsockoptString(udpSocket(), unix.SOL_SOCKET, unix.SO_BINDTODEVICE, otherInterface().Name)
	}},
	{name: "117-bind-to-interface", run: func(*scene) error {
		return unix.SetsockoptInt(udpSocket(), unix.SOL_SOCKET, unix.SO_BINDTOIFINDEX, otherInterface().Index)
	}},
	{name: "118-interface-of-a-message", run: func(*scene) error {
		info := binary.NativeEndian.AppendUint32(nil, uint32(otherInterface().Index))
		return unix.Sendmsg(udpSocket(), []byte("118"), control(unix.IPPROTO_IP, unix.IP_PKTINFO, append(info, make([]byte, 8)...)), toLoopback, 0)
	}},
	{name: "119-unicast-interface", run: func(*scene) error {
		return unix.SetsockoptInt(udpSocket(), unix.IPPROTO_IP, unix.IP_UNICAST_IF, otherInterface().Index<<24)
	}},
	{name: "120-message-options-6", run: func(*scene) error {
		fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		info := binary.NativeEndian.AppendUint32(make([]byte, 16), uint32(otherInterface().Index))
		return unix.SetsockoptString(fd, unix.IPPROTO_IPV6, unix.IPV6_PKTINFO, string(info))
	}},
	{name: "121-udp-without-a-family", run: func(s *scene) error {
		// The kernel takes an address without a family for one of the internet.
		to := binary.BigEndian.AppendUint16([]byte{0, 0}, uint16(s.UDPPort))
		to = append(append(to, net.ParseIP(s.HostIP).To4()...), make([]byte, 8)...)
		data := packet("121")
		if err := at(unix.SYS_SENDTO, uintptr(udpSocket()), uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)), 0, uintptr(unsafe.Pointer(&to[0])), 16); err != nil {
			return err
		}
		return arrived(s, "121")
	}},
	{name: "122-abstract-of-another-type", run: func(s *scene) error {
		// Names are taken for each type of socket by itself.
		own, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		if err := unix.Bind(own, &unix.SockaddrUnix{Name: s.Abstract}); err != nil {
			return err
		}
		return dial("unix", s.Abstract)
	}},
	{name: "123-race-fifo", run: func(s *scene) error {
		wanted := s.Project + "/.mcp.json"
		return raceNames(func(p *byte) error {
			return at(unix.SYS_MKNODAT, here, uintptr(unsafe.Pointer(p)), unix.S_IFIFO|0o644, 0)
		},
			"/dev/"+strings.Repeat("x", len(wanted)-len("/dev/")), wanted, s)
	}},
	{name: "124-link-of-a-descriptor", run: func(s *scene) error {
		f, err := os.Open(s.Project + "/deep/er/.mcp.json")
		if err != nil {
			return err
		}
		if err := unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(int(f.Fd())), unix.AT_FDCWD, s.Project+"/c", unix.AT_SYMLINK_FOLLOW); err != nil {
			return err
		}
		return writes(project("c"))(s)
	}, outside: "home/code/project/deep/er/.mcp.json"},
	{name: "125-link-of-a-descriptor-outside", run: func(s *scene) error {
		f, err := os.Open(s.Home + "/.bashrc")
		if err != nil {
			return err
		}
		if err := unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(int(f.Fd())), unix.AT_FDCWD, s.Project+"/c", unix.AT_SYMLINK_FOLLOW); err != nil {
			return err
		}
		return writes(project("c"))(s)
	}, outside: "home/.bashrc"},
	{name: "126-out-of-a-build", run: func(s *scene) error {
		// What a build makes may have any name; moved, it would lead agents.
		return os.Rename(made(s, "node_modules/x", "CLAUDE.md"), s.Project+"/x")
	}},
	{name: "127-private-cache", run: func(s *scene) error {
		// What the next wall puts an overlay over.
		if err := os.Rename(upperOf(s.Root+"/private", s.Root), s.Root+"/private/aside"); err != nil {
			return err
		}
		return os.Symlink(s.Project+"/deep", upperOf(s.Root+"/private", s.Root))
	}},
	{name: "128-fchmod-outside", run: func(s *scene) error {
		f, err := os.Open(s.Home + "/.bashrc")
		if err != nil {
			return err
		}
		return f.Chmod(0o600)
	}},
	{name: "129-fsetxattr-outside", run: func(s *scene) error {
		f, err := os.Open(s.Home + "/.bashrc")
		if err != nil {
			return err
		}
		return unix.Fsetxattr(int(f.Fd()), "user.x", []byte("1"), 0)
	}},
	{name: "130-futimes-outside", run: func(s *scene) error {
		f, err := os.Open(s.Home + "/.bashrc")
		if err != nil {
			return err
		}
		return at(unix.SYS_UTIMENSAT, f.Fd(), 0, 0, 0)
	}},
	{name: "131-mount-in-namespaces", run: func(s *scene) error {
		out, err := exec.Command("unshare", "-Urm", "sh", "-c", `mount --bind "$1" "$2" && echo evil > "$2/.mcp.json"`, "sh", s.Project, s.Root+"/bin").CombinedOutput()
		if err == nil {
			_, err = os.Stat(s.Project + "/.mcp.json")
		}
		return errors.Join(err, errorIf(err != nil, string(out)))
	}},
	{name: "132-oom-score", run: func(s *scene) error { return os.WriteFile(proc(s, "oom_score_adj"), []byte("500"), 0) }},
	{name: "133-coredump-filter", run: func(s *scene) error { return os.WriteFile(proc(s, "coredump_filter"), []byte("0x33"), 0) }},
	{name: "134-timer-slack", run: func(s *scene) error { return os.WriteFile(proc(s, "timerslack_ns"), []byte("50001"), 0) }},
	{name: "135-signal-of-a-descriptor", run: func(s *scene) error {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		fd := r.Fd()
		for _, c := range [][2]int{{unix.F_SETSIG, int(unix.SIGUSR1)}, {unix.F_SETOWN, s.Out}, {unix.F_SETFL, unix.O_ASYNC | unix.O_NONBLOCK}} {
			if _, err := unix.FcntlInt(fd, c[0], c[1]); err != nil {
				return err
			}
		}
		// Else the end of this process would be a signal too, in the next attempt's time.
		defer unix.FcntlInt(fd, unix.F_SETFL, 0)
		_, _ = w.Write([]byte("x"))
		for range 50 {
			if _, err := os.Stat(s.Root + "/signalled"); err == nil {
				return nil
			}
			time.Sleep(10 * time.Millisecond)
		}
		return errors.New("no signal came")
	}},
	{name: "136-supervisor-limits", run: func(*scene) error {
		return unix.Prlimit(os.Getppid(), unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	}},
	{name: "137-supervisor-memory", run: func(*scene) error {
		f, err := os.OpenFile("/proc/"+strconv.Itoa(os.Getppid())+"/mem", os.O_RDWR, 0)
		if err == nil {
			f.Close()
		}
		return err
	}},
	{name: "138-supervisor-descriptor", run: func(*scene) error {
		p, err := unix.PidfdOpen(os.Getppid(), 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(p, 0, 0)
		return err
	}},
	{name: "139-supervisor-killed", run: func(*scene) error { return unix.Kill(os.Getppid(), unix.SIGCONT) }},
	{name: "140-vsock", run: func(*scene) error { _, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0); return err }},
	{name: "141-crypto-socket", run: func(*scene) error { _, err := unix.Socket(unix.AF_ALG, unix.SOCK_SEQPACKET, 0); return err }},
	{name: "142-userfault", run: func(*scene) error { return at(unix.SYS_USERFAULTFD, unix.O_CLOEXEC|1) }},
	{name: "143-bpf", run: func(*scene) error {
		attr := [4]uint32{2, 4, 4, 1} // an array
		return at(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attr[0])), 16)
	}},
	{name: "144-other-numbers", run: func(*scene) error { return at(0x40000000 | unix.SYS_GETPID) }},
	{name: "145-cgroup-in-namespaces", run: func(s *scene) error {
		return exec.Command("unshare", "-UrmC", "sh", "-c", `mount -t cgroup2 none "$1" && mkdir "$1/longline-wall-test" && rmdir "$1/longline-wall-test"`, "sh", s.Root+"/bin").Run()
	}},
	{name: "146-inherited-device", run: func(*scene) error {
		var st unix.Stat_t
		if err := unix.Fstat(10, &st); err != nil {
			return err
		}
		_, err := unix.Write(10, []byte("x"))
		return err
	}},
	{name: "147-chroot", run: func(s *scene) error {
		out, err := exec.Command("unshare", "-Ur", "sh", "-c", `chroot "$1" /sh -c 'echo x > /.mcp.json'`, "sh", s.Project).CombinedOutput()
		if _, e := os.Stat(s.Project + "/.mcp.json"); e != nil {
			return errors.Join(err, e, errors.New(string(out)))
		}
		return nil
	}},
}

func errorIf(is bool, text string) error {
	if is {
		return errors.New(text)
	}
	return nil
}

// sourceRoute is an option that sends a packet by way of another machine.
const sourceRoute = "\x83\x07\x04\xc0\x00\x02\x4d\x00"

var toLoopback = &unix.SockaddrInet4{Port: 9, Addr: [4]byte{127, 0, 0, 1}}

// control is what is said about one message.
func control(level, kind int32, data []byte) []byte {
	raw := make([]byte, unix.CmsgSpace(len(data)))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&raw[0]))
	h.Level, h.Type = level, kind
	h.SetLen(unix.CmsgLen(len(data)))
	copy(raw[unix.CmsgLen(0):], data)
	return raw
}

// otherInterface is one that leads away from this machine.
func otherInterface() net.Interface {
	list, _ := net.Interfaces()
	for _, i := range list {
		if i.Flags&net.FlagUp != 0 && i.Flags&net.FlagLoopback == 0 {
			return i
		}
	}
	return net.Interface{Name: "none", Index: 1 << 20}
}
