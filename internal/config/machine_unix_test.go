//go:build unix

package config

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
)

func TestReadFileDoesNotWaitForAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := readFile(path, 10); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
}

// What is cut off while it is in use is no end of the process but a panic, which
// the hook answers with a question.
func TestMappedFileIsCutOff(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, bytes.Repeat([]byte("x"), 64<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, release, err := mapped(f, 64<<10)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if text[60<<10] != 'x' {
		t.Fatal("the content differs")
	}
	if err := os.Truncate(name, 0); err != nil {
		t.Fatal(err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	t.Errorf("read %q", text[60<<10])
}

// TestReadsToTheEnd: a file is read to its end, whatever was said about its size.
func TestReadsToTheEnd(t *testing.T) {
	text := strings.Repeat("0123456789", 300)
	path := filepath.Join(tree(t, "a="+text), "a")
	for _, size := range []int64{0, 1, 2999, 3000, 3001, 9000} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readAll(int(f.Fd()), path, size, 1<<20); string(got) != text || err != nil {
			t.Errorf("of %d bytes %d are read, %v", size, len(got), err)
		}
		f.Close()
	}
}
