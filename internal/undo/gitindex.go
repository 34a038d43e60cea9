package undo

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repository is where a work tree begins, and which files its index names.
type repository struct {
	dir, git string
	names    []string
	read     bool
}

// tracks says whether the index names files below a directory.
func (r *repository) tracks(dir string) bool {
	rel, ok := strings.CutPrefix(dir, r.dir+"/")
	if !ok {
		return false
	}
	if !r.read {
		r.read = true
		r.names = indexed(filepath.Join(r.git, "index"))
		slices.Sort(r.names)
	}
	at, _ := slices.BinarySearch(r.names, rel+"/")
	return at < len(r.names) && strings.HasPrefix(r.names[at], rel+"/")
}

// indexed lists what an index of git names, nothing if it cannot be read.
func indexed(path string) []string {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	list, extensions, size := readGitIndex(raw)
	for len(extensions) > 0 {
		n := 8 + int(binary.BigEndian.Uint32(extensions[4:]))
		if string(extensions[:4]) == "link" && n >= 8+size { // the rest is in another file
			shared, err := os.ReadFile(filepath.Join(filepath.Dir(path), "sharedindex."+hex.EncodeToString(extensions[8:8+size])))
			if err == nil {
				more, _, _ := readGitIndex(shared)
				list = append(list, more...)
			}
		}
		extensions = extensions[n:]
	}
	names := make([]string, 0, len(list))
	for _, e := range list {
		names = append(names, e.name)
	}
	return names
}

// gitEntry is what an index holds of a file, without how the file looked.
type gitEntry struct {
	name  string
	mode  uint32
	flags uint16
	sum   string
}

// readGitIndex reads an index of version 2 to 4, whose sums are of 20 or 32 bytes.
func readGitIndex(raw []byte) (list []gitEntry, extensions []byte, size int) {
	if len(raw) < 12 || string(raw[:4]) != "DIRC" {
		return nil, nil, 0
	}
	text := string(raw)
	for _, size := range []int{20, 32} {
		r := gitIndexReader{raw: raw, text: text, version: binary.BigEndian.Uint32(raw[4:]), size: size, at: 12}
		count := binary.BigEndian.Uint32(raw[8:])
		list = make([]gitEntry, 0, min(int(count), len(raw)/40))
		ok := r.version >= 2 && r.version <= 4
		for ; ok && count > 0; count-- {
			var e gitEntry
			if e, ok = r.next(); ok {
				list = append(list, e)
			}
		}
		if ok && r.at+size <= len(raw) && areExtensions(raw[r.at:len(raw)-size]) {
			return list, raw[r.at : len(raw)-size], size
		}
	}
	return nil, nil, 0
}

// areExtensions says whether something is a list of extensions, each with its name and length.
func areExtensions(raw []byte) bool {
	for len(raw) >= 8 {
		n := 8 + int(binary.BigEndian.Uint32(raw[4:]))
		if n > len(raw) {
			return false
		}
		raw = raw[n:]
	}
	return len(raw) == 0
}

type gitIndexReader struct {
	raw      []byte
	text     string // the same
	version  uint32
	size, at int
	name     string // of the entry before
}

// next reads an entry. It fails if there is none in the form that git writes.
func (r *gitIndexReader) next() (e gitEntry, ok bool) {
	at, fixed := r.at, 40+r.size+2
	if at+fixed > len(r.raw) {
		return e, false
	}
	e.mode, e.sum = binary.BigEndian.Uint32(r.raw[at+24:]), r.text[at+40:at+40+r.size]
	e.flags = binary.BigEndian.Uint16(r.raw[at+40+r.size:])
	r.at += fixed
	if r.version >= 3 && e.flags&0x4000 != 0 {
		r.at += 2
	}
	if !r.readName() {
		return e, false
	}
	if n := int(e.flags & 0xfff); n < 0xfff && n != len(r.name) {
		return e, false
	}
	if r.version < 4 {
		r.at = at + (r.at-at+7)/8*8
	}
	e.name = r.name
	return e, true
}

// readName reads the name of an entry, of which version 4 leaves out what it has in common
// with the one before.
func (r *gitIndexReader) readName() bool {
	kept := 0
	if r.version == 4 {
		strip, n := stripped(r.raw[min(r.at, len(r.raw)):])
		if n == 0 || strip > len(r.name) {
			return false
		}
		r.at, kept = r.at+n, len(r.name)-strip
	}
	if r.at > len(r.raw) {
		return false
	}
	end := bytes.IndexByte(r.raw[r.at:], 0)
	if end < 0 {
		return false
	}
	if kept > 0 {
		r.name = r.name[:kept] + r.text[r.at:r.at+end]
	} else {
		r.name = r.text[r.at : r.at+end]
	}
	r.at += end + 1
	return true
}

// stripped reads how much of the name before is not in the next, and in how many bytes
// that is written; 0 bytes if it cannot be read.
func stripped(raw []byte) (strip, n int) {
	for n < len(raw) && n < 4 { // no name needs more, and the number fits into an int
		c := raw[n]
		if n++; n == 1 {
			strip = int(c & 0x7f)
		} else {
			strip = (strip+1)<<7 | int(c&0x7f)
		}
		if c&0x80 == 0 {
			return strip, n
		}
	}
	return 0, 0
}

// sameGitIndex says whether two indexes hold the same, whenever git last looked at the files.
func sameGitIndex(a, b []byte) bool {
	before, _, known := readGitIndex(a)
	after, _, alike := readGitIndex(b)
	return known > 0 && known == alike && slices.Equal(before, after) && !bytes.Contains(a, []byte("link")) && !bytes.Contains(b, []byte("link"))
}

// pointed is the directory that a .git file names, "" if it names none that looks like one of git's.
func pointed(path string) string {
	f, err := os.Lstat(path)
	if err != nil || !f.Mode().IsRegular() || f.Size() > 1<<16 {
		return ""
	}
	text, err := os.ReadFile(path)
	target, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if err != nil || !ok {
		return ""
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	if target, err = filepath.EvalSymlinks(target); err != nil || !isFile(target+"/HEAD") || commonDir(target) == "" {
		return ""
	}
	return target
}

// commonDir is what the work trees of a repository share: the directory itself, or the one it names.
func commonDir(git string) string {
	if text, err := os.ReadFile(filepath.Join(git, "commondir")); err == nil {
		target := strings.TrimRight(string(text), "\r\n")
		if !filepath.IsAbs(target) {
			target = filepath.Join(git, target)
		}
		git = filepath.Clean(target)
	}
	if !isDir(git+"/objects") || !isDir(git+"/refs") || !isFile(git+"/HEAD") {
		return ""
	}
	return git
}

func isFile(path string) bool { f, err := os.Lstat(path); return err == nil && !f.IsDir() }
func isDir(path string) bool  { f, err := os.Lstat(path); return err == nil && f.IsDir() }
