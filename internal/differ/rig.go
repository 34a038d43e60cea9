package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// rig is a throw-away home directory and a PATH that holds nothing but a few
// harmless programs and two that only note how they were called: rm, which stands
// for harm, and dump, which shows the values of variables. As root it runs the
// shells as nobody.
type rig struct {
	root   string
	shells map[string]string // by name
}

var realPrograms = strings.Fields(`basename cat cp cut dd dirname env expr find grep head ln ls mkdir mv printf realpath rev rmdir sed seq sort tail touch tr uniq wc xargs`)

const noteScript = `#!%sh%
printf '%s\0' "$(($#+2))" "$PWD" "${0##*/}" "$@" >> %log%
`

// tempRoot makes a directory that nobody may enter too.
func tempRoot() (string, error) {
	root, err := os.MkdirTemp("", "differ")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(root, 0o755); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(root)
}

func newRig(root string, shells []string) (*rig, error) {
	r := &rig{root: root, shells: map[string]string{}}
	for _, name := range shells {
		path, err := exec.LookPath(name)
		if err != nil {
			return nil, err
		}
		r.shells[name] = path
	}
	sh, err := exec.LookPath("bash")
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(root, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, err
	}
	for _, name := range realPrograms {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range []string{"bash", "sh"} {
		if err := os.Symlink(sh, filepath.Join(bin, name)); err != nil {
			return nil, err
		}
	}
	note := strings.NewReplacer("%sh%", sh, "%log%", filepath.Join(root, "log")).Replace(noteScript)
	for _, name := range []string{"rm", "dump"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(note), 0o755); err != nil {
			return nil, err
		}
	}
	return r, os.Chmod(root, 0o777)
}

func (r *rig) home() string    { return filepath.Join(r.root, "home") }
func (r *rig) project() string { return filepath.Join(r.root, "home", "proj") }

// tree is what the home directory holds before each script.
var tree = []struct{ path, text string }{
	{"docs/", ""},
	{"docs/precious.txt", "precious\n"},
	{"build/", ""},
	{"build/mine.txt", "mine\n"},
	{"proj/", ""},
	{"proj/.git/", ""},
	{"proj/build/", ""},
	{"proj/build/out.o", "o\n"},
	{"proj/src/", ""},
	{"proj/src/sub/", ""},
	{"proj/src/sub/f.txt", "f\n"},
	{"proj/list.txt", "build\na b\n../docs\n"},
	{"proj/a.txt", "a\n"},
	{"proj/b.txt", "b\n"},
	{"proj/vars.sh", "x=build\ny=../docs\n"},
	{"proj/funcs.sh", "f() { x=$1; }\n"},
}

// fresh puts the home directory in order again.
func (r *rig) fresh() error {
	if err := os.RemoveAll(r.home()); err != nil {
		return err
	}
	if err := os.Mkdir(r.home(), 0o777); err != nil {
		return err
	}
	if err := os.Chmod(r.home(), 0o777); err != nil {
		return err
	}
	for _, f := range tree {
		path := filepath.Join(r.home(), f.path)
		if strings.HasSuffix(f.path, "/") {
			if err := os.Mkdir(path, 0o777); err != nil {
				return err
			}
		} else if err := os.WriteFile(path, []byte(f.text), 0o666); err != nil {
			return err
		}
		if err := os.Chmod(path, 0o777); err != nil {
			return err
		}
	}
	log := filepath.Join(r.root, "log")
	if err := os.WriteFile(log, nil, 0o666); err != nil {
		return err
	}
	return os.Chmod(log, 0o666)
}

// manner is how an agent might run a script.
type manner struct {
	shell string // bash or zsh
	eval  bool   // inside eval, with something after it
	lang  string
}

func (m manner) String() string {
	s := m.shell
	if m.eval {
		s += " eval"
	}
	return s + " LC_ALL=" + m.lang
}

// call is one run of rm or dump.
type call struct {
	dir  string
	argv []string
}

// run has a shell run a script and returns the calls that were noted.
func (r *rig) run(m manner, script string) ([]call, error) {
	if err := r.fresh(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	path := r.shells[m.shell]
	options := []string{"--noprofile", "--norc"}
	if m.shell == "zsh" {
		options = []string{"-f"}
	}
	args := append(append([]string{path}, options...), "-c", script)
	if m.eval {
		args = append(append([]string{path}, options...), "-c", "eval "+quote(script)+" && pwd -P >/dev/null")
	}
	// The limits keep a script that goes wrong from filling the disk.
	cmd := exec.CommandContext(ctx, r.shells["bash"], append([]string{"--noprofile", "--norc", "-c", `ulimit -t 2 -f 2000 -n 64 -v 400000; exec "$@"`, "bash"}, args...)...)
	cmd.Dir = r.project()
	cmd.Env = []string{"PATH=" + filepath.Join(r.root, "bin"), "HOME=" + r.home(), "LC_ALL=" + m.lang}
	cmd.Stdin = strings.NewReader("../docs\n../docs\n") // an agent may write to a running command
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // how the script ends is its own affair
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left running
	}
	return r.calls()
}

func (r *rig) calls() ([]call, error) {
	log, err := os.ReadFile(filepath.Join(r.root, "log"))
	if err != nil {
		return nil, err
	}
	var calls []call
	for fields := strings.Split(string(log), "\x00"); len(fields) > 1; {
		n, err := strconv.Atoi(fields[0])
		if err != nil || n < 2 || n >= len(fields) {
			break // the script damaged it
		}
		calls = append(calls, call{fields[1], fields[2 : n+1]})
		fields = fields[n+1:]
	}
	return calls, nil
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
