//go:build amd64 || arm64

package wall

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

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
	p := probing(base)
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

// launched has nobody start a program: on Linux whom to ask has a socket.
func launched(string) bool { return false }

// openLandlock is what is open besides where there are no namespaces.
var openLandlock = []string{
	openSizes,
	"permissions and times of files, against a program that changes a name while it is looked at",
	openShared,
}
