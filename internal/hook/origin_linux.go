package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// byHand says whether the hook was started from a command line and not by an
// agent: the lines that such calls leave in the log are marked, and nothing else is
// kept of them. Agents start their hooks themselves, or by a shell that runs the
// hook alone.
func byHand() bool {
	if !strings.HasPrefix(filepath.Base(os.Args[0]), "longline") {
		if exe, err := os.Executable(); err == nil && strings.HasSuffix(exe, ".test") {
			return false // a test, which is not a command line whoever runs it
		}
	}
	pid := os.Getppid()
	for range 3 {
		name := program(pid)
		if strings.HasPrefix(name, "longline") { // which had it compile rules
			pid = parent(pid)
			continue
		}
		return slices.Contains(launchers[:], name) && !runsHookAlone(arguments(pid))
	}
	return true
}

// launchers are programs by which commands are run, and that no agent is.
var launchers = [...]string{
	"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "busybox", "tcsh", "csh", "nu", "pwsh",
	"timeout", "xargs", "script", "setsid", "sudo", "su", "doas", "watch", "parallel", "make", "find", "strace", "unshare", "nsenter", "expect", "tmux", "tmux: server", "screen",
}

// runsHookAlone says whether a shell was given nothing but a plain command.
func runsHookAlone(args []string) bool {
	if len(args) < 3 || args[1] != "-c" {
		return false
	}
	return strings.Contains(args[2], "longline") && !strings.ContainsAny(args[2], "<>|&;\n`(")
}

// program is the name of the program that a process runs, or "".
func program(pid int) string {
	var room [1024]byte
	n, err := syscall.Readlink("/proc/"+strconv.Itoa(pid)+"/exe", room[:])
	if err == nil && n > 0 && n < len(room) {
		return filepath.Base(string(room[:n]))
	}
	if args := arguments(pid); len(args) > 0 { // the process is somebody else's
		return strings.TrimPrefix(filepath.Base(args[0]), "-")
	}
	return ""
}

// arguments are those that a process was started with.
func arguments(pid int) []string {
	line := look("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if line == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(line, "\x00"), "\x00")
}

// parent is the process that started another.
func parent(pid int) int {
	text := look("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, _ := strings.Cut(text[strings.LastIndexByte(text, ')')+1:], " ")
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return 0
	}
	id, _ := strconv.Atoi(fields[1])
	return id
}

// look reads the beginning of a file of the kernel. Package os would set up the
// machinery for waiting on many files.
func look(path string) string {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer syscall.Close(fd)
	var room [4096]byte
	n, err := syscall.Read(fd, room[:])
	if err != nil || n <= 0 {
		return ""
	}
	return string(room[:n])
}
