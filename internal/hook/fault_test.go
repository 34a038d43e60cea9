//go:build unix

package hook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Each fault of docs/reliability.md, and what becomes of a command that is
// allowed and of one that is denied.
func TestFaults(t *testing.T) {
	link := func(m *machine, name, to string) {
		if err := os.Symlink(to, filepath.Join(m.home, name)); err != nil {
			m.t.Fatal(err)
		}
	}
	shell := func(script string) func(*machine) {
		return func(m *machine) { m.wrap = []string{"bash", "-c", script + `; "$@"; exit $?`, "bash"} }
	}
	rules := ".config/longline/rules.yaml"
	for _, test := range []struct {
		name         string
		break_       func(*machine)
		harmless     string // the answer to ls
		harmful      string // the answer to rm -rf /
		says         string // on standard error, about ls
		mentions     string // on standard output, about ls
		leavesNoLine bool
	}{
		{name: "nothing", break_: func(*machine) {}, harmless: "allow", harmful: "deny"},
		{name: "standard error closed", break_: shell("exec 2>&-"), harmless: "allow", harmful: "deny"},
		{name: "standard error full", break_: shell("exec 2>/dev/full"), harmless: "allow", harmful: "deny"},
		{name: "standard output full", break_: shell("exec >/dev/full"), harmless: "block", harmful: "block", says: "could not be written"},
		{name: "standard output closed", break_: shell("exec >&-"), harmless: "block", harmful: "block", says: "could not be written"},
		{name: "standard input closed", break_: shell("exec <&-"), harmless: "ask", harmful: "ask", mentions: "the hook input"},
		{name: "standard input a directory", break_: shell("exec </"), harmless: "ask", harmful: "ask", mentions: "could not be read"},
		{name: "disk full for the log", break_: func(m *machine) { m.file(rules, "version: 1\nlog: {path: /dev/full}\n") }, harmless: "allow", harmful: "deny", says: "was not logged", leavesNoLine: true},
		{name: "log is a directory", break_: func(m *machine) { os.MkdirAll(m.log(), 0o755) }, harmless: "allow", harmful: "deny", says: "was not logged", leavesNoLine: true},
		{name: "log is a pipe", break_: func(m *machine) { m.file(".claude/hooks-logs/x", ""); syscall.Mkfifo(m.log(), 0o600) }, harmless: "allow", harmful: "deny", says: "was not logged", leavesNoLine: true},
		{name: "home cannot be written", break_: func(m *machine) { m.file(".claude", ""); m.file(".local", "") }, harmless: "allow", harmful: "deny", says: "was not logged", leavesNoLine: true},
		{name: "working directory deleted", break_: shell(`mkdir gone && cd gone && rmdir "$PWD"`), harmless: "allow", harmful: "deny"},
		{name: "rules file is a directory", break_: func(m *machine) { os.MkdirAll(filepath.Join(m.home, rules), 0o755) }, harmless: "block", harmful: "block", says: "is a directory", leavesNoLine: true},
		{name: "rules file is a pipe", break_: func(m *machine) {
			m.file(".config/longline/x", "")
			syscall.Mkfifo(filepath.Join(m.home, rules), 0o600)
		}, harmless: "block", harmful: "block", says: "not a regular file", leavesNoLine: true},
		{name: "rules file is a device", break_: func(m *machine) { m.file(".config/longline/x", ""); link(m, rules, "/dev/zero") }, harmless: "block", harmful: "block", says: "not a regular file", leavesNoLine: true},
		{name: "rules file is a loop of links", break_: func(m *machine) {
			m.file(".config/longline/x", "")
			link(m, rules, rules)
			os.Remove(filepath.Join(m.home, rules))
			link(m, rules, "rules.yaml")
		}, harmless: "block", harmful: "block", says: "too many levels", leavesNoLine: true},
		{name: "rules file is no text", break_: func(m *machine) { m.file(rules, "version: 1\n\x00\xff") }, harmless: "block", harmful: "block", says: "rules.yaml", leavesNoLine: true},
		{name: "rules file is a link", break_: func(m *machine) {
			link(m, "elsewhere", m.file("dotfiles/rules.yaml", denying("ls")))
			m.file(".config/longline/x", "")
			link(m, rules, "../../elsewhere")
		}, harmless: "deny", harmful: "deny"},
		{name: "rules file cannot be read", break_: func(m *machine) {
			m.file(rules, denying("ls"))
			m.ordinary()
			os.Chmod(filepath.Join(m.home, rules), 0)
		}, harmless: "block", harmful: "block", says: "permission denied", leavesNoLine: true},
		{name: "home is read-only", break_: func(m *machine) {
			m.file(rules, denying("df"))
			m.ordinary()
			os.Chmod(m.home, 0o555)
			m.t.Cleanup(func() { os.Chmod(m.home, 0o755) })
		}, harmless: "allow", harmful: "deny", says: "was not logged", leavesNoLine: true},
		{name: "files may not grow", break_: func(m *machine) {
			m.file(".claude/hooks-logs/longline.jsonl", strings.Repeat("{}\n", 400))
			m.wrap = []string{"bash", "-c", `ulimit -f 1; exec "$@"`, "bash"}
		}, harmless: "allow", harmful: "deny", says: "was not logged"},
		{name: "agent's settings are a pipe", break_: func(m *machine) {
			m.file("proj/.claude/x", "")
			syscall.Mkfifo(m.proj+"/.claude/settings.json", 0o600)
			m.file(".claude/x", "")
			syscall.Mkfifo(m.home+"/.claude/settings.json", 0o600)
		}, harmless: "ask", harmful: "deny", mentions: "settings.json cannot be read"},
		{name: "agent's settings are a device", break_: func(m *machine) { m.file("proj/.claude/x", ""); link(m, "proj/.claude/settings.json", "/dev/zero") }, harmless: "ask", harmful: "deny", mentions: "settings.json cannot be read"},
		{name: "agent's settings are huge and deep", break_: func(m *machine) {
			m.file("proj/.claude/settings.json", strings.Repeat(`{"permissions":`, 1<<22))
			m.file("proj/.claude/settings.local.json", strings.Repeat("[", 1<<20))
		}, harmless: "ask", harmful: "deny", mentions: "settings.json cannot be read"},
		{name: "project is a loop of links", break_: func(m *machine) { link(m, "proj/.claude", ".claude"); link(m, "proj/.longline.yaml", ".longline.yaml") }, harmless: "ask", harmful: "deny", mentions: "project's rules are broken"},
		{name: "project rules are a pipe", break_: func(m *machine) { syscall.Mkfifo(m.proj+"/.longline.yaml", 0o600) }, harmless: "ask", harmful: "deny", mentions: "project's rules are broken"},
		{name: "project rules are broken", break_: func(m *machine) { m.file("proj/.longline.yaml", "rulez") }, harmless: "ask", harmful: "deny", mentions: "project's rules are broken"},
		{name: "compiled rules are a directory", break_: func(m *machine) {
			m.file(rules, denying("df"))
			m.run("ls")
			os.Remove(m.cache())
			os.MkdirAll(m.home+"/.cache/longline/rules", 0o755)
		}, harmless: "allow", harmful: "deny"},
		{name: "no place for compiled rules", break_: func(m *machine) { m.file(rules, denying("df")); m.file(".cache", "") }, harmless: "allow", harmful: "deny"},
		{name: "few file descriptors", break_: shell("ulimit -n 8"), harmless: "allow", harmful: "deny"},
		{name: "no file descriptors", break_: shell("ulimit -n 3"), harmless: "ask", harmful: "ask", mentions: "limit of open files", leavesNoLine: true},
		{name: "one file descriptor", break_: shell("ulimit -n 4"), harmless: "ask", harmful: "ask", mentions: "limit of open files", leavesNoLine: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			test.break_(m)
			a := m.want("harmless", "ls", test.harmless)
			if !strings.Contains(a.stderr, test.says) || !strings.Contains(a.stdout, test.mentions) {
				t.Errorf("says %q and answers %q", a.stderr, a.stdout)
			}
			m.want("harmful", "rm -rf /", test.harmful)
			if lines := logLines(t, m.log()); (len(lines) >= 2) == test.leavesNoLine {
				t.Errorf("%d lines in the log", len(lines))
			}
		})
	}
}

// ordinary has the hook run as somebody who is not the administrator: to root
// every file is open.
func (m *machine) ordinary() {
	m.t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	for dir := filepath.Dir(m.home); dir != "/" && dir != "/tmp"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
	if err := filepath.WalkDir(m.home, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && !strings.HasPrefix(path, m.bin+"/") {
			err = os.Chown(path, nobody, nobody)
		}
		return err
	}); err != nil {
		m.t.Fatal(err)
	}
	m.credential = &syscall.Credential{Uid: nobody, Gid: nobody}
}

// A disk that fills up in the midst of a line costs that line and no other.
func TestDiskFillsUpWithinALine(t *testing.T) {
	m := newMachine(t)
	path := m.file(".claude/hooks-logs/longline.jsonl", strings.Repeat("{}\n", 300))
	m.wrap = []string{"bash", "-c", `ulimit -f 1; exec "$@"`, "bash"} // one block of 1024 bytes
	if a := m.want("full", "ls", "allow"); !strings.Contains(a.stderr, "was not logged") {
		t.Errorf("says %q", a.stderr)
	}
	m.wrap = nil
	m.want("space again", "ls", "allow")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	whole := 0
	for _, line := range lines {
		if json.Valid([]byte(line)) {
			whole++
		}
	}
	if whole != 301 || len(lines) > 302 || !json.Valid([]byte(lines[len(lines)-1])) {
		t.Errorf("%d of %d lines are whole: %q", whole, len(lines), lines[300:])
	}
}

// logLines reads the log and says what in it is no whole line.
func logLines(t *testing.T, path string) (lines []map[string]any) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		t.Errorf("the log ends in the midst of a line: %q", text[max(0, len(text)-80):])
	}
	for line := range bytes.Lines(text) {
		var doc map[string]any
		if err := json.Unmarshal(line, &doc); err != nil {
			t.Errorf("%v in %q", err, line)
		}
		lines = append(lines, doc)
	}
	return lines
}

// maxResident is what a hook may use at its worst: the bound that it watches
// itself, what is added between two looks, and what is free and not yet given back.
const maxResident = 2 << 30

// Input that is not a call, or too much of one, asks.
func TestOddInput(t *testing.T) {
	m := newMachine(t)
	call := m.call("ls")
	for name, in := range map[string]string{
		"truncated": call[:len(call)-1], "two documents": call + call, "interleaved": interleaved(call, m.call("rm -rf /")), "two lines": call + "\n" + call, "NUL": "\x00" + call, "NUL inside": strings.Replace(call, "ls", "l\x00s", 1),
		"half a surrogate": strings.Replace(call, `"ls"`, `"\ud800"`, 1), "twice the same key": strings.Replace(call, `{"command":`, `{"command":"rm x","command":`, 1),
		"no UTF-8": strings.Replace(call, "ls", "l\xff", 1), "deep": strings.Repeat(`{"a":`, 1<<20), "wide": "[" + strings.Repeat("0,", 1<<20) + "0]",
		"huge number": `{"tool_name":` + strings.Repeat("9", 1<<20) + `}`, "64 MiB": strings.Repeat(" ", 64<<20), "64 MiB of a string": `{"tool_name":"` + strings.Repeat("x", 64<<20),
		"blank": "  ", "null": "null", "text": "ls",
	} {
		m.in = in
		if a := m.want(name, "", "ask"); a.took > 10*time.Second || a.memory > maxResident {
			t.Errorf("%s: took %v and %d MiB", name, a.took, a.memory>>20)
		}
	}
	for name, in := range map[string]string{"byte order mark": "\ufeff" + call, "CRLF": strings.ReplaceAll(call, ",", ",\r\n") + "\r\n"} {
		m.in = in
		m.want(name, "", "allow")
	}
}

// interleaved is what comes of two clients that write into one pipe.
func interleaved(a, b string) string {
	var out strings.Builder
	for len(a) > 0 || len(b) > 0 {
		out.WriteString(a[:min(len(a), 16)] + b[:min(len(b), 16)])
		a, b = a[min(len(a), 16):], b[min(len(b), 16):]
	}
	return out.String()
}

// Scripts made to be expensive are answered in time, and not by allowing them.
func TestBombs(t *testing.T) {
	m := newMachine(t)
	for name, script := range map[string]string{
		"subshells": strings.Repeat("(", 50_000), "substitutions": "echo " + strings.Repeat("$(", 50_000), "quoted substitutions": "echo " + strings.Repeat(`"$(`, 50_000),
		"braces": "rm -rf /" + strings.Repeat("{a,b}", 200), "open braces": "rm " + strings.Repeat("{", 60_000), "words": "rm " + strings.Repeat("x ", 400_000),
		"commands": strings.Repeat("rm x;", 100_000), "globs": "rm " + strings.Repeat("*?[a-z]", 20_000), "numbers": "rm {1..999999999999}", "arithmetic": "rm $((" + strings.Repeat("1+(", 30_000),
		"heredocs": strings.Repeat("cat <<A\n", 20_000), "doubling": "x=rm" + strings.Repeat(";x=$x$x", 64) + "; $x", "functions": strings.Repeat("f(){ f;", 20_000), "pipes": strings.Repeat("rm x|", 50_000) + "sh",
		"evals": strings.Repeat("eval ", 50_000) + "rm -rf /", "megabyte": "rm -rf " + strings.Repeat("a", 1<<20) + "/..",
	} {
		a := m.run(script)
		if a.decision == "allow" && !strings.Contains(a.stdout, "updatedInput") || a.decision == "" || a.took > 10*time.Second || a.memory > maxResident {
			t.Errorf("%s: answered %q after %v and %d MiB", name, a.decision, a.took, a.memory>>20)
		}
	}
}

// An agent that does not read what it is told is not waited for: the answer
// does not depend on anybody reading the warnings, and an answer that nobody
// reads blocks.
func TestNobodyReads(t *testing.T) {
	full := func() *os.File {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { read.Close(); write.Close() })
		if err := write.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = write.Write(make([]byte, 4096))
		}
		return write
	}
	m := newMachine(t)
	os.MkdirAll(m.log(), 0o755) // which is worth a warning
	m.stderr = full()
	for command, want := range map[string]string{"ls": "allow", "rm -rf /": "deny"} {
		if a := m.want("warnings", command, want); a.took > 5*time.Second {
			t.Errorf("%s: after %v", command, a.took)
		}
	}
	m.stdout = full()
	if a := m.want("answer", "ls", "block"); a.took > 8*time.Second {
		t.Errorf("after %v", a.took)
	}
}

// A reader that has gone is no reason to end by a signal: agents take that for a hook
// that failed, and go on. The answer that nobody gets blocks; warnings that nobody gets
// change nothing.
func TestReaderHasGone(t *testing.T) {
	t.Parallel()
	gone := func() *os.File {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		t.Cleanup(func() { write.Close() })
		return write
	}
	m := newMachine(t)
	os.MkdirAll(m.log(), 0o755) // which is worth a warning
	for _, program := range []string{"longline-hook", "longline"} {
		m.wrap = nil
		if program == "longline" {
			m.wrap = []string{"bash", "-c", `shift; exec "$0" hook "$@"`, filepath.Join(m.bin, "longline")}
		}
		m.stdout, m.stderr = gone(), nil
		for _, command := range []string{"ls", "rm -rf /"} {
			if a := m.want("answer", command, "block"); !strings.Contains(a.stderr, "could not be written") {
				t.Errorf("%s: %s", program, a.stderr)
			}
		}
		m.stderr = gone()
		m.want("both", "ls", "block")
		m.stdout = nil
		m.want("warnings", "ls", "allow")
		m.want("warnings", "rm -rf /", "deny")
	}
}

// Where the directories for the log, the state and the compiled rules cannot be made,
// nothing is made in another place.
func TestNothingIsMadeElsewhere(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	for _, name := range []string{".claude", ".local", ".cache"} {
		m.file(name, "")
	}
	m.file(".config/longline/rules.yaml", denying("df"))
	m.file("tmp/x", "")
	m.env = []string{"TMPDIR=" + m.home + "/tmp", "XDG_STATE_HOME=" + m.home + "/tmp/state", "XDG_CACHE_HOME=" + m.home + "/tmp/cache", "CLAUDE_CONFIG_DIR=" + m.home + "/tmp/claude"}
	all := func() (list []string) {
		if err := filepath.WalkDir(m.home, func(path string, _ fs.DirEntry, err error) error {
			list = append(list, path)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return list
	}
	before := all()
	m.in = strings.Replace(m.call("ls"), "{", `{"session_id":"s",`, 1)
	if a := m.want("allowed", "", "allow"); !strings.Contains(a.stderr, "was not logged") {
		t.Errorf("says %q", a.stderr)
	}
	m.in = strings.Replace(m.call("rm -rf /"), "{", `{"session_id":"s",`, 1)
	m.want("denied", "", "deny")
	if after := all(); !slices.Equal(before, after) {
		t.Errorf("before:\n%s\nafter:\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}

// A client that never closes the stream gets an answer all the same.
func TestInputThatNeverEnds(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	defer read.Close()
	write.WriteString(m.call("ls"))
	m.stdin = read
	if a := m.want("open", "", "ask"); a.took < 4*time.Second || a.took > 10*time.Second || !strings.Contains(a.stdout, "within 5s") {
		t.Errorf("after %v: %s", a.took, a.stdout)
	}
}

// Many processes at once on one log and one set of compiled rules, some of them
// killed at any point: no line is lost, mixed or torn, no compiled form is half
// written, and nothing temporary is left that counts.
func TestManyAtOnceAndSomeKilled(t *testing.T) {
	m := newMachine(t)
	m.file(".config/longline/rules.yaml", denying("ls"))
	const all = 240
	var finished, wrong sync.Map
	var wait sync.WaitGroup
	slots := make(chan bool, 32)
	for i := range all {
		wait.Add(1)
		slots <- true
		go func() {
			defer func() { <-slots; wait.Done() }()
			cmd := exec.Command(filepath.Join(m.bin, "longline-hook"), "claude")
			cmd.Env, cmd.Dir = []string{"HOME=" + m.home}, m.proj
			cmd.Stdin = strings.NewReader(m.call(fmt.Sprintf("ls %d", i)))
			var out bytes.Buffer
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				wrong.Store(i, err.Error())
				return
			}
			if i%3 == 0 {
				time.Sleep(time.Duration(rand.IntN(8000)) * time.Microsecond)
				cmd.Process.Signal([]os.Signal{syscall.SIGKILL, syscall.SIGTERM}[i%2])
			}
			if err := cmd.Wait(); err == nil {
				finished.Store(i, true)
				if !strings.Contains(out.String(), `"permissionDecision":"deny"`) {
					wrong.Store(i, out.String())
				}
			} else if out.Len() > 0 && !strings.Contains(out.String(), `"permissionDecision":"deny"`) {
				wrong.Store(i, out.String())
			}
		}()
		if i == all/2 {
			os.Remove(m.cache()) // and all of them find it missing at once
		}
	}
	wait.Wait()
	wrong.Range(func(i, what any) bool { t.Errorf("call %v: %v", i, what); return true })
	logged := map[string]int{}
	for _, line := range logLines(t, m.log()) {
		logged[fmt.Sprint(line["command"])]++
		// Who is killed while longline compiles for it has asked only half a question.
		if half := line["decision"] == "ask" && line["command"] == ""; line["decision"] != "deny" && !half {
			t.Errorf("logged %v", line)
		}
	}
	count := 0
	finished.Range(func(i, _ any) bool {
		count++
		if logged[fmt.Sprintf("ls %d", i)] != 1 {
			t.Errorf("call %v is logged %d times", i, logged[fmt.Sprintf("ls %d", i)])
		}
		return true
	})
	if count < all/2 {
		t.Errorf("only %d of %d calls came to an end", count, all)
	}
	own(m)
	if err := os.Chtimes(m.bin+"/longline", time.Time{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	m.want("afterwards", "ls", "deny")
	m.crippled(func() { m.want("compiled", "ls", "deny") })
}
