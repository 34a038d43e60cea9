//go:build linux

package hook_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A disk that takes a second for everything, or that does not answer at all,
// takes no answer away. The kernel's calls are delayed by strace; where it is
// missing or may not trace, the test is skipped.
func TestSlowDisk(t *testing.T) {
	if out, err := exec.Command("strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=openat:delay_enter=1", "true").CombinedOutput(); err != nil {
		t.Skipf("a slow disk cannot be played without strace, which .ci/tools installs: %v %s", err, out)
	}
	// Agents wait for 10 s, and strace itself costs time. What hangs does so until
	// after that.
	const limit, hangs = 9 * time.Second, 10 * time.Second
	const opening = "openat,newfstatat,readlinkat,statx"
	for _, test := range []struct {
		name, calls, path string
		delay             time.Duration
		harmless, harmful string // what may be answered
		says              string
	}{
		{"a second for the log", "openat,newfstatat,write,close", "LOG", time.Second, "allow", "deny", ""},
		{"a log that hangs", "openat,newfstatat,write,close", "LOG", hangs, "allow", "deny", "not logged in time"},
		{"a second for the rules", opening, "RULES", time.Second, "allow", "deny", ""},
		{"rules that hang", opening, "RULES", hangs, "ask", "ask", ""},
		{"compiled rules that hang", opening, "CACHE", hangs, "ask", "ask", ""},
		{"a second for the state", "openat,newfstatat,renameat,renameat2", "STATE", time.Second, "allow", "deny", ""},
		{"state that hangs", "openat,newfstatat,mkdirat", "STATE", hangs, "allow", "deny", ""},
		{"a second for every file", opening, "", time.Second, "allow ask", "deny ask", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if some := []string{"a second for the log", "a log that hangs", "rules that hang"}; !slices.Contains(some, test.name) && os.Getenv("LONGLINE_SWEEPS") != "all" {
				t.Skip("make sweeps runs it")
			}
			t.Parallel()
			m := newMachine(t)
			rules := m.file(".config/longline/rules.yaml", denying("df"))
			m.want("compiled before", "df", "deny")
			held := filepath.Join(m.home, ".local/state/longline/held")
			if err := os.MkdirAll(held, 0o700); err != nil {
				t.Fatal(err)
			}
			m.wrap = []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + test.calls, "-e", "inject=" + test.calls + ":delay_enter=" + strconv.FormatInt(test.delay.Microseconds(), 10)}
			if path := map[string]string{"LOG": m.log(), "RULES": rules, "CACHE": m.cache(), "STATE": held}[test.path]; path != "" {
				m.wrap = append(m.wrap, "-P", path)
			}
			limit := limit
			if test.path == "" {
				limit += 5 * time.Second // the Go runtime looks into /proc and /sys before longline runs
			}
			for _, ask := range []struct{ command, want string }{{"ls", test.harmless}, {"df", test.harmful}} {
				a := m.run(ask.command)
				if !slices.Contains(strings.Fields(ask.want), a.decision) || a.took > limit || !strings.Contains(a.stderr, test.says) {
					t.Errorf("%q is answered %q after %v, want %s within %v\n%s%s", ask.command, a.decision, a.took, ask.want, limit, a.stdout, a.stderr)
				}
			}
		})
	}
}
