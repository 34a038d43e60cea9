package config

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// maxIndex bounds the index of a repository that is read.
const maxIndex = 16 << 20

// kept says of the files below a directory whether git has each as it is: it is in the
// index of the repository there and has not changed since, so that git can restore it.
// What cannot be read, or is in an unusual form, is not kept.
func kept(project string) func(path string) bool {
	return func(path string) bool {
		name, err := filepath.Rel(project, path)
		if err != nil || project == "" || !filepath.IsLocal(name) {
			return false
		}
		index := filepath.Join(project, ".git", "index")
		file, err := os.Lstat(path)
		if err != nil || !file.Mode().IsRegular() {
			return false
		}
		info, err := os.Lstat(index)
		// A file that changed when the index did may have changed after it.
		if err != nil || !file.ModTime().Before(info.ModTime()) {
			return false
		}
		data, err := readFile(index, maxIndex)
		if err != nil {
			return false
		}
		entry := indexEntry(data, filepath.ToSlash(name))
		if entry == nil {
			return false
		}
		at := func(offset int) uint32 { return binary.BigEndian.Uint32(entry[offset:]) }
		changed := file.ModTime()
		return at(8) == uint32(changed.Unix()) && at(12) == uint32(changed.Nanosecond()) && at(36) == uint32(file.Size())
	}
}

// Sizes in an index of version 2 or 3.
const (
	indexHeader = 12
	entryHeader = 62 // of what stands in front of a name
	longEntry   = 64 // of what stands there if there are more flags
)

// indexEntry is what an index says of a file, without its name; nil if it says nothing.
func indexEntry(data []byte, name string) []byte {
	if len(data) < indexHeader || string(data[:4]) != "DIRC" {
		return nil
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version != 2 && version != 3 {
		return nil
	}
	for data = data[indexHeader:]; count > 0 && len(data) >= longEntry; count-- {
		head := entryHeader
		flags := binary.BigEndian.Uint16(data[60:])
		if flags&0x4000 != 0 {
			head = longEntry
		}
		have, _, ended := strings.Cut(string(data[head:min(len(data), head+4096)]), "\x00")
		size := (head + len(have) + 8) &^ 7
		if !ended || size > len(data) {
			return nil
		}
		if have == name && flags&0x3000 == 0 { // not one of several in a conflict
			return data[:head]
		}
		data = data[size:]
	}
	return nil
}
