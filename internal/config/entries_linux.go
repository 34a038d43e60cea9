package config

import (
	"bytes"
	"encoding/binary"
	"syscall"

	"longline/internal/tool"
)

// Where the parts of a directory's entry are that the kernel returns: its length, its type and its name, which ends with a zero byte.
const lengthAt, typeAt, nameAt = 16, 18, 19

// entries lists a directory. Package os takes twice as long, and a call may look at a thousand of them.
func entries(dir string) (list []tool.Entry, whole bool) {
	fd, err := openAt(dir, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC|syscall.O_DIRECTORY)
	if err != nil {
		return nil, false
	}
	defer syscall.Close(fd)
	room := make([]byte, 8<<10)
	for {
		n, err := syscall.ReadDirent(fd, room)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return list, false
		case n <= 0:
			return list, len(list) < maxEntries
		}
		if list, whole = addEntries(list, dir, room[:n]); !whole || len(list) >= maxEntries {
			return list[:min(len(list), maxEntries)], false
		}
	}
}

// addEntries adds the entries of a directory that the kernel has returned, and says whether all of them could be read.
func addEntries(list []tool.Entry, dir string, raw []byte) ([]tool.Entry, bool) {
	for len(raw) > 0 {
		if len(raw) < nameAt {
			return list, false
		}
		length := int(binary.NativeEndian.Uint16(raw[lengthAt:]))
		if length < nameAt || length > len(raw) {
			return list, false
		}
		name, kind := raw[nameAt:length], raw[typeAt]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		raw = raw[length:]
		if text := string(name); text != "." && text != ".." {
			list = append(list, entry(dir, text, kind))
		}
	}
	return list, true
}

// entry is one of a directory. Some file systems do not say what it is.
func entry(dir, name string, kind byte) tool.Entry {
	e := tool.Entry{Name: name, Link: kind == syscall.DT_LNK, Dir: kind == syscall.DT_DIR}
	if kind == syscall.DT_UNKNOWN {
		at := lstat(below(dir, name))
		e.Link, e.Dir = at.kind == link, at.kind == directory
	}
	return e
}
