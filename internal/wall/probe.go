//go:build (linux && (amd64 || arm64)) || darwin

package wall

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// attempts are tried behind a wall, in a directory that has a project, a secret and something else in it. Those at the
// beginning must not succeed, the others must.
var attempts = [...]struct {
	what string
	may  bool
	try  func(base string) error
}{
	{"reads a secret", false, func(base string) error {
		_, err := os.ReadFile(base + "/secret/key")
		return err
	}},
	{"makes a file outside", false, func(base string) error { return os.WriteFile(base+"/else/new", nil, 0o600) }},
	{"changes a file outside", false, func(base string) error {
		f, err := os.OpenFile(base+"/else/file", os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString("changed")
			f.Close()
		}
		return err
	}},
	{"makes what configures an agent", false, func(base string) error { return os.WriteFile(base+"/project/.mcp.json", nil, 0o600) }},
	{"connects to another program", false, func(base string) error {
		if launched(base) {
			return nil
		}
		return connect(unix.AF_UNIX, &unix.SockaddrUnix{Name: base + "/socket"})
	}},
	{"connects to another machine", false, func(string) error { // an address that nobody has
		return connect(unix.AF_INET, &unix.SockaddrInet4{Addr: [4]byte{192, 0, 2, 1}, Port: 9})
	}},
	{"cannot write the project", true, func(base string) error { return os.WriteFile(base+"/project/file", nil, 0o600) }},
	{"cannot read what is not secret", true, func(base string) error {
		_, err := os.ReadFile(base + "/else/file")
		return err
	}},
}

func connect(family int, to unix.Sockaddr) error {
	fd, err := unix.Socket(family, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	unix.CloseOnExec(fd)
	if err = unix.SetNonblock(fd, true); err == nil {
		err = unix.Connect(fd, to)
	}
	// It is on its way, or there is nobody, which a wall that nobody supervises does not find out.
	if err == unix.EINPROGRESS || runtime.GOOS == "darwin" && err != unix.EPERM && err != unix.EACCES {
		return nil
	}
	return err
}

// Attempt tries them all, and returns those that went wrong as bits.
func Attempt(base string) (status int) {
	for i, a := range attempts {
		if err := a.try(base); (err == nil) != a.may {
			status |= 1 << i
		}
	}
	return status
}

// probed makes what is tried on.
func probed(base string) error {
	var err error
	for _, dir := range []string{"project", "secret", "else"} {
		err = errors.Join(err, os.Mkdir(base+"/"+dir, 0o700))
	}
	return errors.Join(err, os.WriteFile(base+"/secret/key", []byte("canary"), 0o600), os.WriteFile(base+"/else/file", []byte("text"), 0o600))
}

// wrong says what went wrong with the attempts.
func wrong(status int) string {
	var list []string
	for i, a := range attempts {
		if status&(1<<i) != 0 {
			list = append(list, a.what)
		}
	}
	if len(list) == 0 || status < 0 || status >= 1<<len(attempts) {
		return fmt.Sprintf("ended with %d", status)
	}
	return strings.Join(list, ", ")
}

// probing is a plan of a wall for what is tried.
func probing(base string) *Plan {
	project := base + "/project"
	p := &Plan{Dir: project, Projects: []string{project}, Env: os.Environ(), strange: true}
	p.add(project, Open)
	p.add(base+"/secret", Hidden)
	p.Guarded = func(path string) bool { return path == project+"/.mcp.json" }
	p.Leading = func(string) bool { return false }
	p.Secret = func(path string) bool { return strings.HasPrefix(path, base+"/secret/") }
	return p
}

// openAlways is what no wall holds, the others what only some do.
var openAlways = []string{
	"services on this machine's own loopback, which may lead further",
	"temporary directories, which are shared with everybody",
	"the command lines of other processes",
	"what the project's code does when it runs later without a wall",
}

const (
	openSizes  = "that secrets are there, how large they are and when they changed"
	openShared = "terminals and shared memory of the same user's other programs"
)
