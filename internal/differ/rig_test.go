//go:build unix

package differ

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"longline/internal/differ/grammar"
)

// rig is a throw-away home directory and a PATH that holds nothing but a few
// harmless programs and three that only note how they were called: rm, which stands
// for harm, dump, which shows the values of variables, and one that does nothing. As
// root it runs the shells as nobody.
type rig struct {
	root   string
	shells map[string]string // by name
	tree   []entry           // what the home directory holds before each script
	used   bool              // a script has run since the last fresh
}

var realPrograms = strings.Fields(`awk base64 chmod cmp column comm cp cut date dd diff dirname echo env expr false find fold grep head install kill jq join ln mkdir mkfifo mktemp mv
	nice nl od paste printenv printf pwd readlink realpath rev rmdir sed seq shuf sleep sort split stat strings tac tail tar tee test timeout tr true truncate uniq wc xargs xxd yes`)

// notedPrograms note how they are called as well, and then do what they do.
var notedPrograms = strings.Fields(`basename cat ls touch`)

// secret is what a file and a variable of the environment hold, and no script may show.
const (
	secret         = "THE-SECRET-KEY"
	secretVariable = "API_TOKEN"
)

// noteScript notes a call: where it is made, by the names of links and without them, and with which words.
const noteScript = `#!/bin/sh
logical=$PWD
cd -P . 2>/dev/null
printf '%s\0' "$(($#+3))" "$logical" "$PWD" "${0##*/}" "$@" >> %log%
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

// removeScript deletes what rm is called on, if all of it is in the home directory.
const removeScript = `for path; do
	case $path in -*/*) exit 1;; -*) continue;; esac
	case $(realpath -m -- "$(dirname -- "$path")")/ in %home%/*) ;; *) exit 1;; esac
done
exec %rm% "$@"
`

// newRig makes a rig in a directory. Its rm deletes as well if removes is set.
func newRig(root string, shells []string, removes bool) (*rig, error) {
	r := &rig{root: root, shells: map[string]string{}, tree: tree, used: true}
	for _, name := range shells {
		path, err := exec.LookPath(name)
		if err != nil {
			return nil, err
		}
		r.shells[name] = path
	}
	bash, err := exec.LookPath("bash") // which scripts run, whatever shell runs them
	if err != nil {
		return nil, err
	}
	remove := ""
	if removes {
		rm, err := exec.LookPath("rm")
		if err != nil {
			return nil, err
		}
		remove = strings.NewReplacer("%rm%", rm, "%home%", r.home()).Replace(removeScript)
	}
	// What sh is differs between machines: bash here, and another shell if there is one.
	for bin, sh := range map[string]string{"bin": bash, "bin-sh": "/bin/sh"} {
		if err := furnish(filepath.Join(root, bin), filepath.Join(root, "log"), bash, sh, remove); err != nil {
			return nil, err
		}
	}
	return r, os.Chmod(root, 0o777)
}

// furnish makes a directory of programs. What rm does after it has noted its call is a script, too.
func furnish(bin, log, bash, sh, remove string) error {
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	for _, name := range realPrograms {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
				return err
			}
		}
	}
	for name, path := range map[string]string{"bash": bash, "sh": sh} {
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			return err
		}
	}
	for _, name := range append([]string{"rm", "dump", grammar.Note}, notedPrograms...) {
		note := strings.ReplaceAll(noteScript, "%log%", log)
		if name == "rm" {
			note += remove
		}
		if slices.Contains(notedPrograms, name) {
			path, err := exec.LookPath(name)
			if err != nil {
				return err
			}
			note += "exec " + path + ` "$@"` + "\n"
		}
		if err := os.WriteFile(filepath.Join(bin, name), []byte(note), 0o755); err != nil {
			return err
		}
	}
	return nil
}

func (r *rig) home() string    { return filepath.Join(r.root, "home") }
func (r *rig) project() string { return filepath.Join(r.root, "home", "proj") }

// entry is a directory, a file, or a link, which has an arrow for what it leads to.
type entry struct{ path, text string }

// tree is what the home directory mostly holds.
var tree = []entry{
	{"docs/", ""},
	{"docs/precious.txt", "precious\n"},
	{".ssh/", ""},
	{".ssh/id_rsa", secret + "\n"},
	{".profile", "umask 22\n"},
	{"build/", ""},
	{"build/mine.txt", "mine\n"},
	{"proj/", ""},
	{"proj/.git/", ""},
	{"proj/build/", ""},
	{"proj/build/out", "o\n"},
	{"proj/src/", ""},
	{"proj/src/sub/", ""},
	{"proj/src/sub/f.txt", "f\n"},
	{"proj/list.txt", "build\na b\n../docs\n"},
	{"proj/a.txt", "a\n"},
	{"proj/b.txt", "b\n"},
	{"proj/vars.sh", "x=build\ny=../docs\n"},
	{"proj/funcs.sh", "f() { x=$1; }\n"},
	{"proj/ship/", ""},
	{"proj/ship/up", "-> ../../docs"},
	{"proj/ship/keys", "-> ../../.ssh"},
	{"proj/ship/in", "-> ../src"},
}

// fresh puts the home directory in order again.
func (r *rig) fresh() error {
	if !r.used {
		return nil
	}
	r.used = false
	if err := os.RemoveAll(r.home()); err != nil {
		return err
	}
	if err := makeOpen(r.home()+"/", ""); err != nil {
		return err
	}
	for _, f := range r.tree {
		if err := makeOpen(r.home()+"/"+f.path, f.text); err != nil {
			return err
		}
	}
	log := filepath.Join(r.root, "log")
	if err := os.WriteFile(log, nil, 0o666); err != nil {
		return err
	}
	return os.Chmod(log, 0o666)
}

// makeOpen makes a file, or a directory if the path ends in a slash, that everybody may write to.
func makeOpen(path, text string) error {
	if strings.HasSuffix(path, "/") {
		if err := os.Mkdir(path, 0o777); err != nil {
			return err
		}
		return os.Chmod(path, 0o777)
	}
	if to, link := strings.CutPrefix(text, "-> "); link {
		return os.Symlink(to, path)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return err
	}
	return os.Chmod(path, 0o777)
}

// manner is how an agent might run a script.
type manner struct {
	shell string // bash or zsh
	eval  bool   // inside eval, with something after it
	lang  string
	plain bool   // sh is /bin/sh, whatever that is, and not bash
	link  string // a path of the project that is a link, if any, and where it leads; see worlds
}

// someManner is one of the manners, without a link.
func someManner(r *rand.Rand, shells []string) manner {
	return manner{shell: shells[r.IntN(len(shells))], eval: r.IntN(3) == 0, lang: []string{"C.UTF-8", "C.UTF-8", "C"}[r.IntN(3)], plain: r.IntN(2) == 0}
}

func (m manner) String() string {
	s := m.shell
	if m.plain {
		s += " with /bin/sh"
	}
	if m.eval {
		s += " eval"
	}
	s += " LC_ALL=" + m.lang
	if m.link != "" {
		s += ", " + m.link + " is a link"
	}
	return s
}

// outcome is what a script has done.
type outcome struct {
	calls  []call
	shown  string // what was printed
	leaked bool   // a secret was shown, or is in the project now
	spoilt string // a path of the home directory, outside the project, that is not what it was
}

// call is one run of a program that notes it.
type call struct {
	dir, physical string // the same directory, by the names of links and without them
	argv          []string
}

// run has a shell run a script and returns what it has done.
func (r *rig) run(m manner, script string) (did outcome, err error) {
	if err := r.fresh(); err != nil {
		return did, err
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
	bin := "bin"
	if m.plain {
		bin = "bin-sh"
	}
	var out bounded
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = []string{"PATH=" + filepath.Join(r.root, bin), "HOME=" + r.home(), "LC_ALL=" + m.lang, secretVariable + "=" + secret}
	cmd.Stdin = strings.NewReader("../docs\n../docs\n") // an agent may write to a running command
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	r.used = true
	_ = cmd.Run() // how the script ends is its own affair
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left running
	}
	if did.calls, err = r.calls(); err != nil {
		return did, err
	}
	did.spoilt = r.spoilt()
	did.shown = string(out)
	did.leaked = strings.Contains(strings.ToUpper(did.shown), secret) || r.holdsSecret()
	return did, nil
}

// bounded keeps the beginning of what is written.
type bounded []byte

func (b *bounded) Write(p []byte) (int, error) {
	if len(*b) < 1<<20 {
		*b = append(*b, p...)
	}
	return len(p), nil
}

// spoilt returns the first path of the home directory, outside the project, that is
// missing, new or changed.
func (r *rig) spoilt() string {
	want, bad := r.outside(), ""
	_ = filepath.WalkDir(r.home(), func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(r.home(), path)
		text, known := want[name]
		delete(want, name)
		switch {
		case name == ".":
		case err != nil || !known || !isAsBefore(path, d, text):
			bad = name
			return fs.SkipAll
		case name == "proj":
			return fs.SkipDir
		}
		return nil
	})
	if bad == "" {
		for name := range want {
			return name
		}
	}
	return bad
}

// outside is what the home directory holds outside the project, with the project itself.
func (r *rig) outside() map[string]string {
	want := map[string]string{}
	for _, f := range r.tree {
		if !strings.HasPrefix(f.path, "proj/") || f.path == "proj/" {
			want[strings.TrimSuffix(f.path, "/")] = f.text
		}
	}
	return want
}

// isAsBefore says whether a path is still a directory, or a file with its text.
func isAsBefore(path string, d fs.DirEntry, text string) bool {
	if !d.Type().IsRegular() {
		return d.IsDir()
	}
	got, err := os.ReadFile(path)
	return err == nil && string(got) == text
}

// holdsSecret says whether a file of the project holds the secret, or is a link to it.
func (r *rig) holdsSecret() bool {
	found := false
	_ = filepath.WalkDir(r.project(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), secret) {
				found = true
				return fs.SkipAll
			}
		}
		return nil
	})
	return found
}

func (r *rig) calls() ([]call, error) {
	log, err := os.ReadFile(filepath.Join(r.root, "log"))
	if err != nil {
		return nil, err
	}
	var calls []call
	for fields := strings.Split(string(log), "\x00"); len(fields) > 1; {
		n, err := strconv.Atoi(fields[0])
		if err != nil || n < 3 || n >= len(fields) {
			break // the script damaged it
		}
		calls = append(calls, call{fields[1], fields[2], fields[3 : n+1]})
		fields = fields[n+1:]
	}
	return calls, nil
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
