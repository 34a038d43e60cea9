package config

import "longline/internal/tool"

// snapshot is what was seen of the disk for calls that arrive together, as the lines of a file do: they are
// judged by one look at it. What it has no room for is looked at again.
type snapshot struct {
	texts map[string]seen[[]byte, error]
	links map[string]seen[string, error]
	lists map[string]seen[[]tool.Entry, bool]
	there map[string]bool
	room  int // bytes that are held
}

// seen is an answer.
type seen[A, B any] struct {
	a A
	b B
}

// maxSnapshot bounds the bytes that are held, maxSnapshotFile those of one file.
const (
	maxSnapshot     = 8 << 20
	maxSnapshotFile = 256 << 10
)

// AtOnce has the calls from now on judged by one look at the disk, until forget is called: then it is looked
// at again.
func (c *Config) AtOnce() (forget func()) {
	s, w := new(snapshot), c.World
	s.clear()
	read, link, exists, list := w.ReadFile, w.Readlink, w.Exists, w.Entries
	w.ReadFile = func(path string) ([]byte, error) {
		return once(s, s.texts, path, read, func(text []byte) int { return len(text) })
	}
	w.Readlink = func(path string) (string, error) {
		return once(s, s.links, path, link, func(to string) int { return len(to) })
	}
	w.Entries = func(dir string) ([]tool.Entry, bool) {
		return once(s, s.lists, dir, list, func(list []tool.Entry) int { return 64 * len(list) })
	}
	w.Exists = func(path string) bool {
		is, known := s.there[path]
		if !known {
			if is = exists(path); s.holds(len(path)) {
				s.there[path] = is
			}
		}
		return is
	}
	return s.clear
}

func (s *snapshot) clear() {
	if s.texts == nil || s.room > 0 {
		*s = snapshot{texts: map[string]seen[[]byte, error]{}, links: map[string]seen[string, error]{}, lists: map[string]seen[[]tool.Entry, bool]{}, there: map[string]bool{}}
	}
}

// holds says whether there is room for so many bytes more, and takes it.
func (s *snapshot) holds(n int) bool {
	if n += 64; n > maxSnapshotFile || s.room+n > maxSnapshot {
		return false
	}
	s.room += n
	return true
}

// once is the answer to a question about a path, which is asked if it was not before.
func once[A, B any](s *snapshot, known map[string]seen[A, B], path string, ask func(string) (A, B), size func(A) int) (A, B) {
	if have, ok := known[path]; ok {
		return have.a, have.b
	}
	a, b := ask(path)
	if s.holds(len(path) + size(a)) {
		known[path] = seen[A, B]{a, b}
	}
	return a, b
}
