//go:build amd64 || arm64

package wall

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// AttemptArg is the word by which longline is told to try what no program may do behind a wall.
const AttemptArg = "--attempt"

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
	{"connects to another program", false, func(base string) error { return connect(unix.AF_UNIX, &unix.SockaddrUnix{Name: base + "/socket"}) }},
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
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err = unix.Connect(fd, to); err == unix.EINPROGRESS {
		return nil // it is on its way
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

// Probe finds out what a wall is made of on this machine by making one, and whether it holds by trying what it must
// not let through. self are the words by which this program is told to; without them nothing is tried.
func Probe(self []string) Engine {
	base, err := os.MkdirTemp("", "longline-probe-")
	if err == nil {
		defer os.RemoveAll(base)
		base, err = filepath.EvalSymlinks(base)
	}
	if err == nil {
		err = probed(base)
	}
	if err != nil {
		return Engine{Why: err.Error()}
	}
	if fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err == nil {
		defer unix.Close(fd)
		_ = unix.Bind(fd, &unix.SockaddrUnix{Name: base + "/socket"})
		_ = unix.Listen(fd, 1)
	}
	project := base + "/project"
	p := &Plan{Dir: project, Projects: []string{project}, Env: os.Environ(), strange: true}
	p.add(project, Open)
	p.add(base+"/secret", Hidden)
	p.Guarded = func(path string) bool { return path == project+"/.mcp.json" }
	p.Leading = func(string) bool { return false }
	p.Secret = func(path string) bool { return strings.HasPrefix(path, base+"/secret/") }
	asked := false // about another machine: where none can be reached, nothing else tells
	p.Told = func(refused []Refusal, _ bool) {
		asked = slices.ContainsFunc(refused, func(r Refusal) bool { return r.Host })
	}
	argv := []string{"true"}
	if len(self) > 0 {
		argv = append(slices.Clone(self), AttemptArg, base)
	}
	path, status := lookup(argv[0], "/", p.Env)
	if status != 0 {
		return Engine{Why: "there is no program to try it with"}
	}
	c, e, err := build(p, path, argv)
	if err != nil {
		return Engine{Why: err.Error()}
	}
	if status, err = c.wait(nil, io.Discard); err != nil || status != 0 {
		return Engine{Why: "a program behind the wall " + wrong(status)}
	}
	if len(self) > 0 && !asked {
		return Engine{Why: "a program behind the wall connects to another machine"}
	}
	found := Engine{Name: "namespaces", Why: c.why, Open: slices.Clone(openAlways)}
	if !filters() {
		found.Open = append(found.Open, "connections from other machines to a server behind the wall: this kernel keeps socket filters from users")
	}
	switch {
	case !e.namespaces:
		found.Name = "Landlock"
		found.Open = append(found.Open, openLandlock...)
	case e.landlock == 0:
		found.Open = append(found.Open, "protected names that do not exist yet, against a program that changes a name while it is looked at: this kernel has no Landlock")
	}
	return found
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
	if len(list) == 0 || status >= 1<<len(attempts) {
		return fmt.Sprintf("ended with %d", status)
	}
	return strings.Join(list, ", ")
}

// openAlways is what no wall of this kind holds, openLandlock what is open besides
// where there are no namespaces.
var (
	openAlways = []string{
		"services on this machine's own loopback, which may lead further",
		"temporary directories, which are shared with everybody",
		"the command lines of other processes",
		"what the project's code does when it runs later without a wall",
	}
	openLandlock = []string{
		"that secrets are there, how large they are and when they changed",
		"permissions and times of files, against a program that changes a name while it is looked at",
		"terminals and shared memory of the same user's other programs",
	}
)
