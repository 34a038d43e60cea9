//go:build amd64 || arm64

package wall

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"longline/internal/paths"
)

// maxParts is how many walls of a project have caches of their own at the same time.
// Behind further ones the caches are read-only.
const maxParts = 256

// claim takes directories that no other wall has in use: the kernel does not say what two
// overlays do that write to the same ones. The first wall takes the project's, one that
// runs beside it the next. They are free again when the lock is closed, which whoever
// supervises the wall holds.
func (o *Overlay) claim() {
	for i := range maxParts {
		dir := o.Private
		if i > 0 {
			dir = filepath.Join(dir, strconv.Itoa(i))
		}
		if !o.directories(dir) {
			return
		}
		f, err := os.Open(dir)
		if err != nil {
			return
		}
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			o.part, o.lock = dir, f
			return
		}
		f.Close()
		if err != unix.EWOULDBLOCK {
			return
		}
	}
}

// directories makes what overlays are made of.
func (o *Overlay) directories(dir string) bool {
	list := o.Paths
	if o.whole != "" {
		list = append([]string{o.whole}, list...)
	}
	for _, path := range list {
		for _, name := range []string{"upper", "work"} {
			path := inPart(dir, path) + "/" + name
			if info, err := os.Lstat(path); err != nil && os.MkdirAll(path, 0o700) != nil || err == nil && !info.IsDir() {
				return false // or a link
			}
		}
	}
	for _, path := range o.Paths {
		if strings.HasSuffix(path, "/.gradle") {
			// Daemons that were started outside are not asked to do anything.
			for _, upper := range []string{o.upper(dir, path), inPart(dir, path) + "/upper"} {
				if os.MkdirAll(upper, 0o700) == nil && os.Mkdir(upper+"/daemon", 0o700) == nil {
					_ = unix.Setxattr(upper+"/daemon", "user.overlay.opaque", []byte("y"), 0)
				}
			}
		}
	}
	return true
}

// upper is where in a private directory lies what is written to one of the paths.
func (o *Overlay) upper(dir, path string) string {
	if o.whole != "" && paths.Within(path, o.whole) {
		return inPart(dir, o.whole) + "/upper" + strings.TrimPrefix(path, o.whole)
	}
	return inPart(dir, path) + "/upper"
}

// inPart is where in a private directory is what belongs to an overlay of a path.
func inPart(dir, path string) string {
	return dir + "/" + strings.ReplaceAll(strings.Trim(path, "/"), "/", "_")
}
