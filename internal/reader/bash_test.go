//go:build unix

package reader

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"longline/internal/tool"
)

// bashRig runs scripts with real bash in a throw-away directory. PATH holds
// nothing but stubs that note how they were called, and a few real programs
// that run others or pass text on. Where the test runs as root, bash does not.
type bashRig struct {
	root string // all of it
	bash string
}

// stubNames are the programs that scripts of the tests may run.
var stubNames = strings.Fields(`a b c d x y z z1 ls rm git make nosuch unlink grep aaaa diff mkdir sudo`)

// realNames are programs that work; none of them can do harm in the rig.
var realNames = strings.Fields(`cat env xargs base64 nice nohup timeout tee find`)

// stub notes the directory and the arguments it was called with, in one write.
const stub = `#!%bash%
s=${0##*/}
printf '%s\0' $(($#+1)) "$PWD" "$s" "$@" >> %log%
`

func newBashRig(t testing.TB) *bashRig {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rig := &bashRig{root: root, bash: bash}
	for p := root; p != "/" && os.Getuid() == 0; p = filepath.Dir(p) {
		if info, err := os.Stat(p); err == nil && info.Mode().Perm()&0o005 != 0o005 && strings.HasPrefix(p, os.TempDir()+"/") {
			if err := os.Chmod(p, info.Mode().Perm()|0o055); err != nil {
				t.Fatal(err)
			}
		}
	}
	bin := filepath.Join(root, "bin")
	must(t, os.Mkdir(bin, 0o755))
	text := strings.NewReplacer("%bash%", bash, "%log%", filepath.Join(root, "log")).Replace(stub)
	must(t, os.WriteFile(filepath.Join(bin, "a"), []byte(text), 0o755))
	for _, name := range stubNames[1:] {
		must(t, os.Symlink("a", filepath.Join(bin, name)))
	}
	for _, name := range realNames {
		if path, err := exec.LookPath(name); err == nil {
			must(t, os.Symlink(path, filepath.Join(bin, name)))
		}
	}
	must(t, os.Symlink(bash, filepath.Join(bin, "bash")))
	must(t, os.Symlink(bash, filepath.Join(bin, "sh")))
	return rig
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// call is one run of a stub.
type call struct {
	dir  string
	argv []string
}

// dir makes the directory that scripts run in, as it is before each of them.
func (rig *bashRig) dir(t testing.TB) string {
	dir := filepath.Join(rig.root, "home", "proj")
	must(t, os.RemoveAll(filepath.Join(rig.root, "home")))
	must(t, os.MkdirAll(filepath.Join(dir, "sub", "deep"), 0o777))
	for name, text := range map[string]string{
		"one.txt": "1\n", "two.txt": "2\n", "lines.txt": "p q\nr\n", "x.go": "", "sub/three.go": "",
		"s.sh": "#!/usr/bin/env bash\nrm \"from-s\" \"$1\"\n", "vars.sh": "FROM_VARS=v\n", "funcs.sh": "f() { rm \"$1\"; }\n",
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777))
	}
	for _, p := range []string{rig.root, filepath.Dir(dir), dir, filepath.Join(dir, "sub"), filepath.Join(dir, "sub", "deep")} {
		must(t, os.Chmod(p, 0o777))
	}
	must(t, os.WriteFile(filepath.Join(rig.root, "log"), nil, 0o666))
	must(t, os.Chmod(filepath.Join(rig.root, "log"), 0o666))
	return dir
}

// run has bash run a script and returns the programs it ran.
func (rig *bashRig) run(t testing.TB, script, dir string) []call {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// The limits keep a script that goes wrong from filling disk or table.
	cmd := exec.CommandContext(ctx, rig.bash, "--noprofile", "--norc", "-c",
		`ulimit -t 2 -f 2000 -n 64; exec "$0" --noprofile --norc -c "$1" bash`, rig.bash, script)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + filepath.Join(rig.root, "bin"), "HOME=" + filepath.Dir(dir), "LC_ALL=C.UTF-8"}
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
	log, err := os.ReadFile(filepath.Join(rig.root, "log"))
	must(t, err)
	var calls []call
	for fields := strings.Split(string(log), "\x00"); len(fields) > 2; {
		n, err := strconv.Atoi(fields[0])
		if err != nil || n+2 > len(fields) {
			t.Fatalf("%s\ndamaged log: %q", script, fields)
		}
		calls = append(calls, call{fields[1], fields[2 : n+2]})
		fields = fields[n+2:]
	}
	return calls
}

// world is what the reader may know of the rig.
func (rig *bashRig) world(dir string) *tool.World {
	return &tool.World{
		Home: filepath.Dir(dir), Project: dir,
		ReadFile: os.ReadFile,
		Readlink: os.Readlink,
	}
}

// hidden returns what bash ran and the result neither lists nor calls a gap.
func hidden(res Result, calls []call) []call {
	if hasGap(res) {
		return nil
	}
	var missed []call
	for _, c := range calls {
		found := false
		for _, inv := range res.Invocations {
			if isCall(inv, c) {
				found = true
				break
			}
		}
		if !found {
			missed = append(missed, c)
		}
	}
	return missed
}

// hasGap says whether there is a gap anywhere, or code that cannot be seen.
func hasGap(res Result) bool {
	for _, inv := range res.Invocations {
		if len(inv.Gaps) > 0 {
			return true
		}
		for _, e := range inv.Effects {
			if e.Kind == tool.Execute && !strings.HasPrefix(e.Target, "written:") {
				return true
			}
		}
	}
	return len(res.Gaps) > 0
}
