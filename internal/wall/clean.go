package wall

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// What is written into a cache behind walls is kept for each project by itself. It is
// removed when nobody has used it for keepFor, and before that, the oldest first, when
// all together are larger than keepBytes. What was used within recent stays.
const (
	keepFor   = 30 * 24 * time.Hour
	keepBytes = 5 << 30
	recent    = 24 * time.Hour
)

// Clean removes the private caches in a directory that are too old, or too many.
func Clean(dir string, now time.Time) (removed, kept int, err error) {
	return clean(dir, now, keepBytes)
}

// cache is a private cache and when it was last used.
type cache struct {
	path string
	used time.Time
}

// caches lists the private caches in a directory, the last used first.
func caches(dir string) (list []cache, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.IsDir() {
			list = append(list, cache{filepath.Join(dir, e.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b cache) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.path, b.path)) })
	if os.IsNotExist(err) {
		err = nil
	}
	return list, err
}

func clean(dir string, now time.Time, most int64) (removed, kept int, err error) {
	list, err := caches(dir)
	if err != nil {
		return 0, 0, err
	}
	total := int64(0)
	for _, c := range list {
		total += sizeOf(c.path)
		if age := now.Sub(c.used); age < recent || age < keepFor && total <= most {
			kept++
			continue
		}
		if problem := remove(c.path); problem != nil {
			err = cmp.Or(err, problem)
			kept++
			continue
		}
		removed++
	}
	return removed, kept, err
}

// sizeOf is how much room the files below a directory take.
func sizeOf(dir string) (total int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}

// remove removes a directory in which some, as overlays leave them, cannot be opened.
func remove(dir string) error {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && err == nil {
			if info, err := d.Info(); err == nil && info.Mode().Perm()&0o700 != 0o700 {
				_ = os.Chmod(path, 0o700)
			}
		}
		return nil
	})
	return os.RemoveAll(dir)
}
