//go:build unix

package audit

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestAppendFailsAtOnce(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, dir, filepath.Join(file, "below", "log"), "/dev/full"} {
		if err := (Log{Path: path}).Append(time.Now(), entry("ls")); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}

// TestOthersFiles: a line is never written into a file that no log has begun; it may be
// code.
func TestOthersFiles(t *testing.T) {
	for text, want := range map[string]bool{"": true, "{}\n": true, "\n": true, "#!/bin/sh\n": false, " ": false, "x": false} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := (Log{Path: path}).Append(time.Now(), entry("ls"))
		after, readErr := os.ReadFile(path)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if (err == nil) != want || want == (string(after) == text) {
			t.Errorf("%q: %v, %q", text, err, after)
		}
	}
}

// TestFullDisk: of a line for which there is no room nothing is left, and where others
// have written behind it, it is ended; the lines before it stay.
func TestFullDisk(t *testing.T) {
	const room = 1 << 20
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	small := limit
	small.Cur = room
	for _, test := range []struct {
		name       string
		size, at   int64
		line, want string
		after      int64
	}{
		{"there is room", room - 6, room - 6, "{a}\n", "{a}\n", room - 2},
		{"just enough", room - 4, room - 4, "{a}\n", "{a}\n", room},
		{"too little", room - 2, room - 2, "{a}\n", "", room - 2},
		{"none", room, room, "{a}\n", "", room},
		{"somebody has written behind it", room + 8, room - 2, "{a}\n", "{a", room + 8},
	} {
		f, err := os.Create(filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(test.size); err != nil {
			t.Fatal(err)
		}
		fd := int(f.Fd())
		if _, err := syscall.Seek(fd, test.at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
			t.Fatal(err)
		}
		err = write(fd, []byte(test.line))
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(test.want))
		if _, readErr := f.ReadAt(got, test.at); readErr != nil && len(got) > 0 {
			t.Fatal(readErr)
		}
		info, statErr := f.Stat()
		if statErr != nil || (err == nil) != (test.want == test.line) || string(got) != test.want || info.Size() != test.after {
			t.Errorf("%s: %v, %q, %d bytes", test.name, err, got, info.Size())
		}
		f.Close()
	}
}

// TestHalfALine: where there is room for its end, a line that was cut off is ended.
func TestHalfALine(t *testing.T) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(ends[0])
	defer syscall.Close(ends[1])
	if err := syscall.SetNonblock(ends[1], true); err != nil {
		t.Fatal(err)
	}
	line := bytes.Repeat([]byte("x"), 1<<22) // more than any pipe holds
	if err := write(ends[1], line); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("half a line: %v", err)
	}
	if err := write(ends[1], line); err == nil || errors.Is(err, io.ErrShortWrite) {
		t.Errorf("nothing of a line: %v", err)
	}
}
