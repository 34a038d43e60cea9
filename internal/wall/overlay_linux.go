//go:build amd64 || arm64

package wall

import (
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxCaches is how many walls of a project have a cache of their own at the same time.
// Behind further ones the cache is read-only.
const maxCaches = 256

// claim takes directories that no other wall has in use: the kernel does not say what two
// overlays do that write to the same ones. The first wall takes the project's, one that
// runs beside it the next. They are free again when the lock is closed, which whoever
// supervises the wall holds.
func (o *Overlay) claim() {
	for i := range maxCaches {
		dir := o.Private
		if i > 0 {
			dir = filepath.Join(dir, strconv.Itoa(i))
		}
		if !directories(dir) {
			return
		}
		f, err := os.Open(dir)
		if err != nil {
			return
		}
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			o.own, o.lock = dir, f
			return
		}
		f.Close()
		if err != unix.EWOULDBLOCK {
			return
		}
	}
}

// directories makes what an overlay is made of.
func directories(dir string) bool {
	for _, name := range []string{"upper", "work"} {
		path := filepath.Join(dir, name)
		if os.MkdirAll(path, 0o700) != nil {
			return false
		}
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			return false // a link
		}
	}
	return true
}
