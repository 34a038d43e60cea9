//go:build linux

package wall

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// judged are the calls that the filter has to say something about, on every architecture
// that has them: they make, change or remove something by its name, reach somebody, mount,
// or are a way around all of it.
var judged = regexp.MustCompile(`^(OPEN|OPENAT2?|CREAT|MK(DIR|NOD)(AT)?|(SYM)?LINK(AT)?|RENAME(AT2?)?|TRUNCATE|UNLINK(AT)?|RMDIR|` +
	`F?CHMOD(AT2?)?|[LF]?CHOWN(AT)?|UTIMES?|FUTIMESAT|UTIMENSAT|[LF]?(SET|REMOVE)XATTR|(SET|REMOVE)XATTRAT|FILE_SETATTR|` +
	`SOCKET|CONNECT|BIND|LISTEN|SENDTO|SENDM?MSG|SETSOCKOPT|MOUNT|UMOUNT2|PIVOT_ROOT|MOVE_MOUNT|OPEN_TREE(_ATTR)?|FS(OPEN|PICK|MOUNT)|MOUNT_SETATTR|` +
	`KILL|T?G?KILL|RT_T?G?SIGQUEUEINFO|PIDFD_SEND_SIGNAL|SETPRIORITY|IOPRIO_SET|PRLIMIT64|SCHED_SET(SCHEDULER|PARAM|AFFINITY|ATTR)|` +
	`IO_URING_.*|KEYCTL|ADD_KEY|REQUEST_KEY|BPF|PERF_EVENT_OPEN|USERFAULTFD|OPEN_BY_HANDLE_AT|IOCTL|FCNTL)$`)

// Every architecture's table of calls is held against the filter for it: a call that one
// of them has alone must not be forgotten.
func TestFilterKnowsTheCalls(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Skip("the sources of x/sys are not to be had")
	}
	common, err := os.ReadFile("filter_linux.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		own, err := os.ReadFile("filter_linux_" + arch + ".go")
		if err != nil {
			t.Fatal(err)
		}
		table, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "unix", "zsysnum_linux_"+arch+".go"))
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]bool{}
		for _, m := range regexp.MustCompile(`unix\.SYS_(\w+)`).FindAllStringSubmatch(string(common)+string(own), -1) {
			said[m[1]] = true
		}
		n := 0
		for _, m := range regexp.MustCompile(`(?m)^\s+SYS_(\w+)\s+=`).FindAllStringSubmatch(string(table), -1) {
			if judged.MatchString(m[1]) {
				if n++; !said[m[1]] {
					t.Errorf("%s: the filter says nothing about %s", arch, m[1])
				}
			}
		}
		if n < 60 {
			t.Errorf("%s: only %d calls are known", arch, n)
		}
		t.Logf("%s: %d calls", arch, n)
	}
}
