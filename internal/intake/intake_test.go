//go:build unix

package intake

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// The hash is the standard library's, whatever the length.
func TestHash(t *testing.T) {
	data := bytes.Repeat([]byte("longline "), 100)
	for n := range data {
		if got, want := HashOf(data[:n]), sha256.Sum256(data[:n]); got != want {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
}

func FuzzHash(f *testing.F) {
	f.Add([]byte("abc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if HashOf(data) != sha256.Sum256(data) {
			t.Errorf("%d bytes have another hash", len(data))
		}
	})
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.md": "hello", "b.png": "\x89PNG\x00", "c.bin": "x\x00y", "d.txt": "\xff\xfeh\x00i\x00", "e.pdf": "%PDF-1.7", "f": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, unread := range map[string]string{"a.md": "", "b.png": "a picture", "c.bin": "not text", "d.txt": "", "e.pdf": "a PDF document", "f": ""} {
		text, err := Open(filepath.Join(dir, name))
		if err != nil || text.Unread != unread {
			t.Errorf("%s: %q, %v; want %q", name, text.Unread, err, unread)
		}
	}
	if _, err := Open(filepath.Join(dir, "pipe")); err != ErrNotFile {
		t.Errorf("a pipe: %v", err)
	}
}

// Git's own files and what links lead to are left out.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "sub/b", ".git/config", "sub/.git/x"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	list, whole, err := Files([]string{dir, filepath.Join(dir, "a")})
	if want := []string{filepath.Join(dir, "a"), filepath.Join(dir, "sub/b")}; err != nil || !whole || !slices.Equal(list, want) {
		t.Errorf("%v, %v, %v; want %v", list, whole, err, want)
	}
}
