//go:build linux

package longline_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// builtWithin builds a program that has at most so many bytes.
func builtWithin(t *testing.T, dir, name string, maxSize int64) (program string) {
	t.Helper()
	program = filepath.Join(dir, name)
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X longline/internal/config.KnownHome=HOME", "-o", program, "./cmd/"+name)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxSize {
		t.Errorf("%s has %d bytes; at most %d are accepted", name, info.Size(), maxSize)
	}
	return program
}

// TestSizeOfTheWall: what stays in memory beside a program has no models of commands in it.
func TestSizeOfTheWall(t *testing.T) {
	builtWithin(t, t.TempDir(), "longline-wall", 4_000_000)
}

// What a call of the hook costs is counted, because time depends on the machine: the
// size of the program, page faults, and how often it asks the kernel about files.
func TestWhatACallCosts(t *testing.T) {
	const maxSize, maxFaults = 17_100_000, 450
	dir := t.TempDir()
	program := builtWithin(t, dir, "longline-hook", maxSize)
	home := filepath.Join(dir, "home")
	proj := filepath.Join(home, "proj")
	if err := os.MkdirAll(filepath.Join(proj, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, call := range []struct {
		command string
		files   int // looked at, opened and followed; the way to the project comes on top
	}{
		{"ls -la", 40},
		{"cd src && git status -s | head -20 && grep -rn TODO . 2>/dev/null | wc -l; go test ./... 2>&1 | tail -5", 46},
	} {
		run := func(argv ...string) *exec.Cmd {
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Dir, cmd.Env = proj, []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
			cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","hook_event_name":"PreToolUse","cwd":%q,"tool_name":"Bash","tool_input":{"command":%q}}`, proj, call.command))
			if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), `"allow"`) {
				t.Fatalf("%v: %v %s", argv, err, out)
			}
			return cmd
		}
		run(program, "claude") // which makes the directories
		used := run(program, "claude").ProcessState.SysUsage().(*syscall.Rusage)
		if used.Minflt > maxFaults {
			t.Errorf("%s: %d page faults; at most %d are accepted", call.command, used.Minflt, maxFaults)
		}
		strace, err := exec.LookPath("strace")
		if err != nil {
			t.Log("strace is not installed: system calls are not counted")
			continue
		}
		trace := filepath.Join(dir, "trace")
		if exec.Command(strace, "-o", trace, "true").Run() != nil {
			t.Log("strace does not work here: system calls are not counted")
			continue
		}
		run(strace, "-f", "-e", "trace=openat,newfstatat,statx,lstat,stat,readlink,readlinkat", "-o", trace, program, "claude")
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		files := 0
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "(") && !strings.Contains(line, "resumed>") && !strings.Contains(line, `"/proc/self/`) && !strings.Contains(line, `"/sys/`) {
				files++
			}
		}
		if most := call.files + 2*strings.Count(proj, "/"); files == 0 || files > most {
			t.Errorf("%s: %d questions about files; at most %d are accepted\n%s", call.command, files, most, text)
		}
	}
}
