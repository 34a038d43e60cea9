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
