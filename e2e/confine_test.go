//go:build linux

package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"
)

// confined makes cmd start in namespaces of its own. What happens inside them
// before the client starts is done by [confine].
func confined(cmd *exec.Cmd) {
	attr := &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC,
		Pdeathsig:  syscall.SIGKILL,
	}
	if uid := os.Getuid(); uid != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	cmd.SysProcAttr = attr
}

// confine makes everything but the directory area read-only, and brings up the
// loopback interface. It runs as the first process of the new namespaces and
// fails rather than leave anything open.
func confine(area string) error {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := syscall.Mount(area, area, "", syscall.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind %s: %w", area, err)
	}
	// The home directory is the one that the user database names.
	users := filepath.Join(area, "passwd")
	if err := os.WriteFile(users, []byte("root:x:0:0::"+filepath.Join(area, "home")+":/bin/bash\n"), 0o644); err != nil {
		return err
	}
	if err := syscall.Mount(users, "/etc/passwd", "", syscall.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind %s: %w", users, err)
	}
	mounts, err := mountPoints()
	if err != nil {
		return err
	}
	for _, m := range mounts {
		if m.at == area || m.at == "/proc" || strings.HasPrefix(m.at, "/proc/") || m.at == "/dev" || strings.HasPrefix(m.at, "/dev/") {
			continue
		}
		err := syscall.Mount("", m.at, "", syscall.MS_REMOUNT|syscall.MS_BIND|syscall.MS_RDONLY|m.flags, "")
		// A mount that another one hides cannot be reached, by nobody.
		if err != nil && (m.at == "/" || writable(m.at)) {
			return fmt.Errorf("make %s read-only: %w", m.at, err)
		}
	}
	if err := syscall.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return loopback()
}

type mountPoint struct {
	at    string
	flags uintptr // those that must be kept, or the kernel refuses
}

func mountPoints() ([]mountPoint, error) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []mountPoint
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 6 {
			continue
		}
		m := mountPoint{at: strings.NewReplacer(`\040`, " ", `\011`, "\t", `\134`, `\`).Replace(words[4])}
		for _, o := range strings.Split(words[5], ",") {
			switch o {
			case "nosuid":
				m.flags |= syscall.MS_NOSUID
			case "nodev":
				m.flags |= syscall.MS_NODEV
			case "noexec":
				m.flags |= syscall.MS_NOEXEC
			case "noatime":
				m.flags |= syscall.MS_NOATIME
			case "relatime":
				m.flags |= syscall.MS_RELATIME
			}
		}
		all = append(all, m)
	}
	return all, nil
}

func writable(dir string) bool {
	const forWriting = 2
	return syscall.Access(dir, forWriting) == nil
}

// loopback brings up lo, as `ip link set lo up` does.
func loopback() error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	var request struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return fmt.Errorf("bring up loopback: %w", errno)
	}
	return nil
}
