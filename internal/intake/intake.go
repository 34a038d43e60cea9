// Package intake looks at files before an agent reads them: it opens them, has
// package content scan them, and keeps the verdicts by the hash of what was read,
// so that the same content is scanned once.
package intake

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"longline/internal/content"
	"longline/internal/paths"
)

// MaxFile is how much of a file is looked at. What an agent is shown of a longer
// one is its beginning, or a part that it asks for.
const MaxFile = content.MaxText

// Text is a file as it was read.
type Text struct {
	Bytes []byte
	// Unread says why there is nothing to scan: "a picture", "not text". Such files
	// are not read as text by agents either.
	Unread string
	// Cut says that the file is longer.
	Cut bool
}

// ErrNotFile is why something that is not a regular file is not scanned.
var ErrNotFile = errors.New("not a regular file")

// Open reads a file. It does not wait for pipes and devices.
func Open(path string) (Text, error) {
	f, err := os.OpenFile(paths.Native(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return Text{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Text{}, err
	}
	if !info.Mode().IsRegular() {
		return Text{}, ErrNotFile
	}
	size := int(min(info.Size(), MaxFile+1))
	buf := make([]byte, 0, size+1)
	for len(buf) <= MaxFile {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return Text{}, err
		}
		if isBinary(buf) {
			break
		}
	}
	return AsText(path, buf), nil
}

// AsText decides whether bytes are read as text.
func AsText(name string, b []byte) Text {
	t := Text{Bytes: b}
	if len(b) > MaxFile {
		t.Bytes, t.Cut = b[:MaxFile], true
	}
	if what := unread(name, b); what != "" {
		t.Bytes, t.Unread = nil, what
	}
	return t
}

// unread says what a file is that is not read as text, or "".
func unread(name string, b []byte) string {
	if !isBinary(b) {
		return ""
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".ico", ".tiff", ".heic":
		return "a picture"
	case ".pdf":
		return "a PDF document"
	case ".zip", ".gz", ".tgz", ".xz", ".bz2", ".zst", ".tar", ".7z", ".rar", ".jar", ".whl", ".docx", ".xlsx", ".pptx", ".odt":
		return "an archive"
	}
	return "not text"
}

// isBinary says whether bytes are those of no text: they have a zero byte early, and
// no mark of UTF-16.
func isBinary(b []byte) bool {
	head := b[:min(len(b), 8<<10)]
	if len(head) >= 2 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff) {
		return false
	}
	return bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(head, []byte("%PDF-"))
}

// Hash names a content.
type Hash [32]byte

// HashOf is the hash of a content.
func HashOf(b []byte) Hash { return sum(b) }

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Bounds of a walk over a directory.
const (
	MaxFiles = 200_000
	maxDepth = 64
)

// Files lists the regular files at and below the paths, each once, those of git's
// own directories left out: what is packed there is no text. Links are not followed
// below a path that was named.
func Files(paths []string) (list []string, whole bool, err error) {
	w := walk{seen: map[string]bool{}, whole: true}
	for _, root := range paths {
		info, err := os.Stat(root)
		if err != nil {
			return nil, false, err
		}
		if !info.IsDir() {
			w.add(root)
			continue
		}
		if err := w.below(root); err != nil {
			return nil, false, err
		}
	}
	return w.list, w.whole, nil
}

// walk collects files.
type walk struct {
	list  []string
	seen  map[string]bool
	whole bool // nothing was left out
}

func (w *walk) add(path string) {
	if !w.seen[path] {
		w.seen[path] = true
		w.list = append(w.list, path)
	}
}

// below adds the files below a directory.
func (w *walk) below(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			w.whole = false
			return nil // what cannot be read is not read by the agent either
		case len(w.list) >= MaxFiles || strings.Count(path, "/") > maxDepth+strings.Count(root, "/"):
			w.whole = false
			return fs.SkipAll
		case d.IsDir() && d.Name() == ".git" && path != root:
			return fs.SkipDir
		case d.Type().IsRegular():
			w.add(path)
		}
		return nil
	})
}
