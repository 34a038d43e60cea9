//go:build unix

package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The executables, built once for all tests of this package that need them.
var bin = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "longline-bin-")
	if err != nil {
		return "", err
	}
	binDir = dir
	out, err := exec.Command("go", "build", "-ldflags", "-X longline/internal/config.KnownHome=HOME", "-o", dir+"/", "longline/cmd/longline", "longline/cmd/longline-hook").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

var binDir string // "" if nobody needed them

func TestMain(m *testing.M) {
	status := m.Run()
	if binDir != "" {
		os.RemoveAll(binDir)
	}
	os.Exit(status)
}

// machine is a home directory with a project and an installed longline.
type machine struct {
	t          *testing.T
	home, proj string
	bin        string // a directory with copies of the executables
	env        []string
	stdin      io.Reader // instead of a call
	in         string    // instead of a call
	stdout     *os.File
	stderr     *os.File
	wrap       []string // a command that runs the hook
	credential *syscall.Credential
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the executables")
	}
	built, err := bin()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	m := &machine{t: t, home: home, proj: filepath.Join(home, "proj"), bin: filepath.Join(home, "bin")}
	for _, dir := range []string{m.proj + "/.git", m.bin} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"longline", "longline-hook"} {
		if err := os.Link(filepath.Join(built, name), filepath.Join(m.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) file(name, text string) string {
	m.t.Helper()
	path := filepath.Join(m.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
	return path
}

func (m *machine) log() string { return filepath.Join(m.home, ".claude/hooks-logs/longline.jsonl") }

// call is what the agent sends about a command.
func (m *machine) call(command string) string {
	text, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "cwd": m.proj, "tool_name": "Bash", "tool_input": map[string]any{"command": command},
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// answer is what the agent makes of the hook's end.
type answer struct {
	decision string // "block" for status 2, "" if there is none
	stdout   string
	stderr   string
	took     time.Duration // until it was there
	memory   int64         // bytes that were resident at most
}

// timed is standard output that knows when something was written last.
type timed struct {
	text []byte
	last time.Time
}

func (w *timed) Write(b []byte) (int, error) {
	w.text, w.last = append(w.text, b...), time.Now()
	return len(b), nil
}

func (m *machine) run(command string, args ...string) answer {
	m.t.Helper()
	argv := append(append(m.wrap[:len(m.wrap):len(m.wrap)], filepath.Join(m.bin, "longline-hook")), args...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = m.proj
	if m.credential != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: m.credential}
	}
	cmd.Env = append([]string{"HOME=" + m.home, "PATH=/usr/bin:/bin"}, m.env...)
	cmd.Stdin = strings.NewReader(m.call(command))
	if m.in != "" {
		cmd.Stdin = strings.NewReader(m.in)
	}
	if m.stdin != nil {
		cmd.Stdin = m.stdin
	}
	var out timed
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if m.stdout != nil {
		cmd.Stdout = m.stdout
	}
	if m.stderr != nil {
		cmd.Stderr = m.stderr
	}
	start := time.Now()
	err := cmd.Run()
	if out.last.IsZero() {
		out.last = time.Now()
	}
	a := answer{stdout: string(out.text), stderr: errs.String(), took: out.last.Sub(start)}
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		a.memory = used.Maxrss
		if runtime.GOOS != "darwin" { // which counts bytes, others 1024 of them
			a.memory <<= 10
		}
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		a.decision = "block"
	case err != nil:
		m.t.Errorf("%s: %v\n%s", command, err, a.stderr)
	default:
		a.decision = decisionIn(m.t, a.stdout)
	}
	return a
}

// decisionIn reads the one document that the agent gets, or says that there is
// more than one.
func decisionIn(t *testing.T, stdout string) string {
	t.Helper()
	if stdout == "" {
		return ""
	}
	dec := json.NewDecoder(strings.NewReader(stdout))
	var doc struct {
		HookSpecificOutput struct{ PermissionDecision string }
	}
	if err := dec.Decode(&doc); err != nil {
		t.Errorf("%v in %q", err, stdout)
	}
	if err := dec.Decode(new(any)); err != io.EOF {
		t.Errorf("more than one document: %q", stdout)
	}
	return doc.HookSpecificOutput.PermissionDecision
}

func (m *machine) want(what, command, decision string) answer {
	m.t.Helper()
	a := m.run(command)
	if a.decision != decision {
		m.t.Errorf("%s: %q is answered %q, want %q\n%s%s", what, command, a.decision, decision, a.stdout, a.stderr)
	}
	return a
}

func denying(command string) string {
	return "version: 1\nrules:\n  - {id: mine, level: critical, match: {command: " + command + "}, decision: deny, reason: no}\n"
}

// crippled takes the right to run longline away without changing it: what is
// answered now does not come from there.
func (m *machine) crippled(f func()) {
	m.t.Helper()
	path := filepath.Join(m.bin, "longline")
	if err := os.Chmod(path, 0o644); err != nil {
		m.t.Fatal(err)
	}
	f()
	if err := os.Chmod(path, 0o755); err != nil {
		m.t.Fatal(err)
	}
}

func TestRulesAreCompiledWhenTheyAreNew(t *testing.T) {
	m := newMachine(t)
	own(m)
	m.want("without rules", "ls", "allow")
	rules := m.file(".config/longline/rules.yaml", denying("ls"))
	m.crippled(func() { m.want("nobody can compile", "ls", "ask") })
	m.want("compiled on the way", "ls", "deny")
	m.crippled(func() {
		m.want("from the compiled form", "ls", "deny")
		m.want("from the compiled form", "cat x", "allow")
	})

	// The text counts, not what the file system says about it.
	info, err := os.Stat(rules)
	if err != nil {
		t.Fatal(err)
	}
	m.file(".config/longline/rules.yaml", denying("df"))
	if err := os.Chtimes(rules, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	m.crippled(func() { m.want("changed, and nobody can compile", "ls", "ask") })
	m.want("changed", "ls", "allow")
	m.want("changed", "df", "deny")

	// So does the text of what is included.
	m.file(".config/longline/rules.yaml", "version: 1\ninclude: [more.yaml]\n")
	m.file(".config/longline/more.yaml", denying("ls"))
	m.want("included", "ls", "deny")
	m.crippled(func() { m.want("included, compiled", "ls", "deny") })
	m.file(".config/longline/more.yaml", denying("df"))
	m.want("included file changed", "ls", "allow")

	// Broken rules block, with the message that longline has for them.
	m.file(".config/longline/more.yaml", "version: 1\nrulez: []\n")
	if a := m.want("broken", "ls", "block"); !strings.Contains(a.stderr, "more.yaml:2:1: unknown key") || a.stdout != "" {
		t.Errorf("broken: %q, %q", a.stdout, a.stderr)
	}
	m.file(".config/longline/more.yaml", denying("ls"))
	m.want("mended", "ls", "deny")

	// An untrusted project tightens at once.
	m.file("proj/.longline.yaml", denying("df"))
	m.want("project", "df", "deny")
	m.crippled(func() { m.want("project, compiled", "df", "deny") })

	// A longline that is another one compiles anew.
	if err := os.Chtimes(filepath.Join(m.bin, "longline"), time.Now(), time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	m.crippled(func() { m.want("another longline", "ls", "ask") })
	os.Remove(filepath.Join(m.bin, "longline"))
	m.want("no longline", "ls", "ask")
}

// own gives the machine executables that are not shared with other tests.
func own(m *machine) {
	m.t.Helper()
	for _, name := range []string{"longline", "longline-hook"} {
		path := filepath.Join(m.bin, name)
		text, err := os.ReadFile(path)
		if err != nil {
			m.t.Fatal(err)
		}
		os.Remove(path)
		if err := os.WriteFile(path, text, 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
}

func (m *machine) cache() string {
	m.t.Helper()
	found, err := filepath.Glob(filepath.Join(m.home, ".cache/longline/rules-*.bin"))
	if err != nil || len(found) != 1 {
		m.t.Fatalf("compiled files: %q, %v", found, err)
	}
	return found[0]
}

func TestDamagedCompiledRulesAreMadeAnew(t *testing.T) {
	m := newMachine(t)
	m.file(".config/longline/rules.yaml", denying("ls"))
	m.want("first", "ls", "deny")
	path := m.cache()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("compiled rules: %v, %v", info.Mode(), err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string][]byte{"empty": {}, "short": good[:len(good)/2], "long": append(bytes.Clone(good), 0), "zeros": make([]byte, len(good))}
	for i := 0; i < len(good); i += max(1, len(good)/24) {
		bad := bytes.Clone(good)
		bad[i] ^= 0x40
		damage[fmt.Sprint("byte ", i)] = bad
	}
	for name, bad := range damage {
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		m.want(name, "ls", "deny")
		if mended, err := os.ReadFile(path); err != nil || !bytes.Equal(mended, good) {
			t.Errorf("%s: not made anew (%v)", name, err)
		}
	}
	// What others may have written does not count either.
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	own(m)
	m.crippled(func() { m.want("writable by others", "ls", "ask") })
	// Nor does what a repository can reach.
	m.env = []string{"XDG_CACHE_HOME=" + m.proj}
	m.want("a cache in the project", "ls", "deny")
	if found, _ := filepath.Glob(m.proj + "/longline/*"); len(found) > 0 {
		t.Errorf("written into the project: %q", found)
	}
}
