package tool

import (
	"errors"
	"io/fs"
	"strings"
)

// Follow replaces the symbolic links on the way to an absolute path, and the one at
// its end if last is set, as the kernel does: ".." leads out of where a link points.
// A path without links and dots costs nothing but the questions.
func Follow(path string, last bool, readlink func(path string) (string, error)) string {
	real, _ := FollowFrom(0, path, last, readlink)
	return real
}

// FollowFrom is Follow for a path whose first bytes are known to lead through no links. It says
// whether all of it does so, and is there.
func FollowFrom(known int, path string, last bool, readlink func(path string) (string, error)) (real string, plain bool) {
	done, rest, missing := path[:known], strings.TrimPrefix(path[known:], "/"), false
	straight := strings.HasPrefix(path, "/") // so far done is what path begins with
	for links := 0; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		switch name {
		case "", ".":
			straight = false
			continue
		case "..":
			straight = false
			done, missing = done[:max(strings.LastIndexByte(done, '/'), 0)], false
			continue
		}
		var next string
		if straight {
			next = path[:len(done)+1+len(name)]
		} else {
			next = done + "/" + name
		}
		if (rest != "" || last) && !missing {
			if to, err := readlink(next); err != nil {
				missing = Missing(err) // and so is all that is below it
			} else if to != "" && links < 40 {
				links++
				straight = false
				if to[0] == '/' {
					done = ""
				}
				rest = to + "/" + rest
				continue
			}
		}
		done = next
	}
	if done == "" {
		return "/", false
	}
	return done, straight && !missing
}

// Missing reports whether there is nothing at a path whose link was asked for.
func Missing(err error) bool { return err != ErrNotLink && errors.Is(err, fs.ErrNotExist) }

// Remembering is the world for one reading of a script, in which the same
// directories are asked about again and again: each is looked at once.
func (w *World) Remembering() *World {
	if w == nil || w.still {
		return w
	}
	kept := &struct {
		World
		links linkMemo
		lists listMemo
	}{World: *w}
	kept.still = true
	if w.Readlink != nil {
		kept.links.ask = w.Readlink
		kept.links.seen = kept.links.room[:0]
		kept.World.links = &kept.links
		kept.Readlink = kept.links.readlink
	}
	if w.Entries != nil {
		kept.lists.ask = w.Entries
		kept.Entries = kept.lists.entries
	}
	return &kept.World
}

// listMemo keeps what directories hold.
type listMemo struct {
	ask  func(dir string) ([]Entry, bool)
	seen map[string]listing
	room int // entries that are kept
}

type listing struct {
	list  []Entry
	whole bool
}

// maxEntries bounds the entries of directories that are kept.
const maxEntries = 1 << 15

func (m *listMemo) entries(dir string) ([]Entry, bool) {
	name := dir
	if len(dir) > 1 {
		name = strings.TrimSuffix(dir, "/")
	}
	if have, ok := m.seen[name]; ok {
		return have.list, have.whole
	}
	list, whole := m.ask(dir)
	list = list[:len(list):len(list)]
	if n := len(list) + 1; m.room+n <= maxEntries {
		if m.seen == nil {
			m.seen = map[string]listing{}
		}
		m.room += n
		m.seen[name] = listing{list, whole}
	}
	return list, whole
}

// Remembered is a function that reads links, which asks about each path once.
func Remembered(readlink func(path string) (string, error)) func(path string) (string, error) {
	return (&linkMemo{ask: readlink}).readlink
}

// Follow replaces the symbolic links on the way to an absolute path and at its end. What is not
// known of links stays as it is.
func (w *World) Follow(path string) string {
	switch {
	case w == nil || w.Readlink == nil:
		return path
	case w.links == nil:
		return Follow(path, true, w.Readlink)
	}
	return w.links.follow(path)
}

// Still says that the world is one of a single reading: what has been seen of it stays so.
func (w *World) Still() bool { return w.still }

// maxListed bounds the answers that are looked through one by one, maxAnswers all others.
const maxListed, maxAnswers = 32, 4096

// linkMemo keeps answers about links.
type linkMemo struct {
	ask   func(path string) (string, error)
	seen  []linkAnswer
	room  [6]linkAnswer // for the first of them
	more  map[string]linkAnswer
	plain string // the last path that was found to lead through no links
}

type linkAnswer struct {
	path, to string
	err      error
}

// follow is [World.Follow]. Most paths begin like the one before them.
func (m *linkMemo) follow(path string) string {
	known := sharedDirs(path, m.plain)
	if known > 0 && known == len(path) {
		return path
	}
	real, plain := FollowFrom(known, path, true, m.readlink)
	if plain {
		m.plain = real
	}
	return real
}

// sharedDirs is how many bytes two paths have in common, up to the end of a name in both.
func sharedDirs(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if (n == len(a) || a[n] == '/') && (n == len(b) || b[n] == '/') {
		return n
	}
	return max(strings.LastIndexByte(a[:n], '/'), 0)
}

func (m *linkMemo) readlink(path string) (string, error) {
	for i := range m.seen {
		if s := &m.seen[i]; s.path == path {
			return s.to, s.err
		}
	}
	if s, ok := m.more[path]; ok {
		return s.to, s.err
	}
	to, err := m.ask(path)
	switch {
	case len(m.seen) < maxListed:
		m.seen = append(m.seen, linkAnswer{path, to, err})
	case m.more == nil:
		m.more = map[string]linkAnswer{path: {path, to, err}}
	case len(m.more) < maxAnswers:
		m.more[path] = linkAnswer{path, to, err}
	}
	return to, err
}
