package undo

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk: a snapshot for which there is no room leaves everything as it was, on a real disk of two megabytes.
func TestFullDisk(t *testing.T) {
	if os.Getenv("LONGLINE_FULL") == "" {
		t.Parallel()
		cmd := exec.Command("unshare", "-rm", os.Args[0], "-test.run", "^TestFullDisk$", "-test.v")
		cmd.Env = append(os.Environ(), "LONGLINE_FULL="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "--- FAIL") {
			t.Skipf("no disk of its own: %v: %s", err, out)
		}
		if err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	top := os.Getenv("LONGLINE_FULL")
	dir := filepath.Join(top, "disk")
	check(t, os.Mkdir(dir, 0o700))
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=2m"); err != nil {
		fmt.Println("mount:", err)
		os.Exit(3)
	}
	root := filepath.Join(top, "p")
	write(t, root, "a", "one", "d/b", strings.Repeat("x", 600<<10))
	s := opened(t, root, func(o *Options) { o.Dir = filepath.Join(dir, "undo") })
	want := image(t, root)
	call := around(t, s, func() { sh(t, root, `rm -r d`) })
	write(t, root, "c", strings.Repeat("y", 3<<20))
	if _, err := s.Snapshot(Meta{Moment: Before}, 0); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	whole(t, s)
	check(t, os.Remove(filepath.Join(root, "c")))
	_, err := s.Restore(call)
	check(t, err)
	same(t, want, image(t, root), "on a full disk")
	whole(t, s)
}
