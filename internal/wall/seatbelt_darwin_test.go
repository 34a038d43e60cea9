package wall

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"longline/internal/veil"
)

// The test binary is longline as well, and the attacker.
func TestMain(m *testing.M) {
	switch part, name, _ := strings.Cut(os.Getenv("WALL_TEST"), ":"); part {
	case "wall":
		os.Exit(walling(name))
	case "attack":
		if err := inGo[name](); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	case "attempt":
		os.Exit(Attempt(os.Args[2]))
	default:
		os.Exit(m.Run())
	}
}

// walling runs a program behind a wall, for which inner says what the test binary is there.
func walling(inner string) int {
	dir, _ := os.Getwd()
	home := os.Getenv("HOME")
	env := append(os.Environ(), "WALL_TEST="+inner)
	p := For(builtin(), testWorld(home, dir), dir, env, Settings{Private: home + "/state/walls/1", State: home + "/state"})
	if os.Getenv("WALL_COVER") != "" {
		p.Cover, _ = veil.Put(&veil.Secrets{}, os.Stdout, os.Stderr)
	}
	status, err := Run(p, os.Args[1:], os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "longline wall:", err)
	}
	return status
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func needWall(t testing.TB) Engine {
	t.Helper()
	e := Probe(nil)
	if e.Name == "" {
		if os.Getenv("LONGLINE_WALL") == "must" {
			t.Fatal(e.Why)
		}
		t.Skipf("walls cannot be made on this machine: %s", e.Why)
	}
	return e
}

// stage is a home directory with a project in it, not among temporary files.
type stage struct {
	t    testing.TB
	home string
}

func (st *stage) project() string { return st.home + "/code/project" }

func newStage(t testing.TB) *stage {
	t.Helper()
	cache := must(os.UserCacheDir())
	home := must(os.MkdirTemp(cache, "longline-test-"))
	t.Cleanup(func() { os.RemoveAll(home) })
	st := &stage{t, real(home)}
	st.restore()
	return st
}

const theSecret = "correct-horse-battery-staple"

// restore puts everything back.
func (st *stage) restore() {
	for _, name := range []string{"code", "x"} {
		os.RemoveAll(st.home + "/" + name)
	}
	for name, text := range map[string]string{
		".ssh/id_rsa": theSecret, ".zshrc": "# mine\n", "code/other/main.c": "int main;\n", "code/other/.env": theSecret,
		"code/project/main.c": "int main(void) { return 0; }\n", "code/project/Makefile": "all:\n\techo made\n", "code/project/sub/x": "", "code/project/.mcp.json": "{}\n",
		"code/project/Opened.app/Contents/Info.plist": `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleExecutable</key><string>run</string>` +
			`<key>CFBundleIdentifier</key><string>longline.test</string><key>CFBundlePackageType</key><string>APPL</string><key>LSUIElement</key><true/></dict></plist>`,
		"code/project/Opened.app/Contents/MacOS/run": "#!/bin/sh\ntouch '" + st.home + "/x'\n",
	} {
		path := st.home + "/" + name
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			st.t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", st.project()).CombinedOutput(); err != nil {
		st.t.Fatalf("git init: %v %s", err, out)
	}
}

// run runs a shell script, or something in Go, behind a wall or not.
func (st *stage) run(script string, walled bool, env ...string) (out string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	argv, inner := []string{"/bin/sh", "-c", script}, ""
	if name, is := strings.CutPrefix(script, "go:"); is {
		argv, inner = []string{self}, "attack:"+name
	}
	part := inner
	if walled {
		argv, part = append([]string{self}, argv...), "wall:"+inner
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = st.project()
	cmd.Env = append([]string{"PATH=/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + st.home, "TMPDIR=" + os.TempDir(), fmt.Sprint("OUT=", os.Getpid()), "WALL_TEST=" + part}, env...)
	cmd.Stdin = strings.NewReader("typed\n")
	for _, name := range []string{"/.ssh/id_rsa", ""} { // 3 and 4
		f := must(os.Open(st.home + name))
		defer f.Close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	}
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	cmd.WaitDelay = time.Second
	timer := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	err = cmd.Run()
	return both.String(), err
}

// seatbeltAttacks end without an error if they have what they want.
var seatbeltAttacks = []struct {
	name, script string
	open         bool // docs/walls.md says that it is
}{
	{"read-secret", `grep -q correct-horse ~/.ssh/id_rsa`, false},
	{"other-case", `grep -q correct-horse ~/.SSH/ID_RSA`, false},
	{"symlink", `ln -s ~/.ssh/id_rsa l && grep -q correct-horse l`, false},
	{"hard-link", `ln ~/.ssh/id_rsa h && grep -q correct-horse h`, false},
	{"copy-on-write", `cp -c ~/.ssh/id_rsa c && grep -q correct-horse c`, false},
	{"clone-directory", "go:clone", false},
	{"move-secret", `mv ~/.ssh s && grep -q correct-horse s/id_rsa`, false},
	{"secret-beside", `grep -q correct-horse ../other/.env`, false},
	{"inherited-file", `grep -q correct-horse <&3`, false},
	{"inherited-directory", "go:openat", false},
	{"write-startup", `echo evil >> ~/.zshrc`, false},
	{"write-by-hard-link", `ln ~/.zshrc h && echo evil >> h`, false},
	{"write-other", `echo evil >> ../other/main.c`, false},
	{"make-outside", `mkdir -p ~/x/y`, false},
	{"move-out", `mv main.c ../other/evil.c`, false},
	{"guarded", `echo evil > .mcp.json`, false},
	{"guarded-other-case", `echo evil > sub/.MCP.json`, false},
	{"guarded-long-s", `printf evil > "sub/.mcp.j$(printf '\305\277')on"`, false},
	{"guarded-replaced", `echo evil > a && mv -f a .mcp.json`, false},
	{"guarded-swapped", "go:swap", false},
	{"guarded-link", `rm -f .mcp.json; ln -s main.c .mcp.json`, false},
	{"hook", `echo evil > .git/hooks/pre-commit`, false},
	{"hook-by-move", `mkdir -p e/hooks && echo evil > e/hooks/pre-commit && mv e sub/.git`, false},
	{"git-moved-away", `mv .git g`, false},
	{"git-config", `git config core.fsmonitor evil`, false},
	{"flags", `chflags hidden ../other/main.c`, false},
	{"mode", `chmod 777 ~/.zshrc`, false},
	{"time", `touch ~/.zshrc`, false},
	{"other-machine", "go:connect", false},
	{"signal", `kill -0 $OUT`, false},
	{"list-processes", `ps -p $OUT | grep -q $OUT`, false},
	{"sudo", `sudo -n id`, false},
	{"open", `rm -f ~/x; open -g -n Opened.app && sleep 3 && test -e ~/x`, false},
	{"launchd", `launchctl submit -l longline.test -- /usr/bin/touch "$HOME/x" && sleep 1 && test -e ~/x`, false},
	{"clipboard", `printf evil | pbcopy && test "$(pbpaste)" = evil`, false},
	{"preferences", `defaults write longline.test key evil && defaults read longline.test key | grep -q evil`, false},
	{"keychain", `security create-keychain -p x "$PWD/k" && security add-generic-password -s t -a t -w evil "$PWD/k" && test "$(security find-generic-password -s t -w "$PWD/k")" = evil`, false},
	{"sandbox-again", `sandbox-exec -p '(version 1)(allow default)' /usr/bin/true`, false},
	{"moved-in", `mkdir -p /tmp/longline-test-$OUT/d/.git && echo x > /tmp/longline-test-$OUT/d/.git/config && mv /tmp/longline-test-$OUT/d .; s=$?; rm -rf /tmp/longline-test-$OUT; exit $s`, true},
}

// inGo are attacks that no program of the system makes.
var inGo = map[string]func() error{
	"clone": func() error {
		if err := unix.Clonefile(os.Getenv("HOME")+"/.ssh", "cloned", 0); err != nil {
			return err
		}
		_, err := os.ReadFile("cloned/id_rsa")
		return err
	},
	"openat": func() error {
		_, err := unix.Openat(4, ".ssh/id_rsa", unix.O_RDONLY, 0)
		return err
	},
	"swap": func() error {
		return errors.Join(os.WriteFile("a", []byte("evil"), 0o600), unix.RenamexNp("a", ".mcp.json", unix.RENAME_SWAP))
	},
	"connect": func() error { return connect(unix.AF_INET, &unix.SockaddrInet4{Addr: [4]byte{192, 0, 2, 1}, Port: 9}) },
}

// TestAttacks runs each attack without a wall, where it must succeed to count, and then behind one, where it must not.
func TestAttacks(t *testing.T) {
	needWall(t)
	st := newStage(t)
	t.Cleanup(func() {
		_ = exec.Command("launchctl", "remove", "longline.test").Run()
		_ = exec.Command("defaults", "delete", "longline.test").Run()
	})
	worked := 0
	for _, a := range seatbeltAttacks {
		t.Run(a.name, func(t *testing.T) {
			st.restore()
			if out, err := st.run(a.script, false); err != nil {
				t.Skipf("does not work without a wall either: %v %s", err, out)
			}
			_ = exec.Command("launchctl", "remove", "longline.test").Run()
			worked++
			st.restore()
			out, err := st.run(a.script, true)
			if (err == nil) != a.open {
				t.Errorf("behind the wall: %v %s", err, out)
			}
			if strings.Contains(out, "longline wall:") || strings.Contains(out, "sandbox-exec: ") && a.name != "sandbox-again" {
				t.Errorf("the wall did not stand: %s", out)
			}
		})
	}
	if worked < 20 {
		t.Errorf("only %d attacks work without a wall", worked)
	}
}

// TestFlows: what a program does within its bounds it does as without a wall, to the byte and the status.
func TestFlows(t *testing.T) {
	needWall(t)
	st := newStage(t)
	for name, script := range map[string]string{
		"status":      `exit 7`,
		"signal":      `kill -TERM $$`,
		"bytes":       `printf 'a\000\377b'; printf c >&2`,
		"stdin":       `cat`,
		"descriptor":  `exec 3>made; echo x >&3; cat made`,
		"temporary":   `d=$(mktemp -d) && echo x > $d/y && cat $d/y && rm -r $d`,
		"tmp":         `echo x > /tmp/longline-test-$OUT && cat /tmp/longline-test-$OUT && rm /tmp/longline-test-$OUT`,
		"job control": `exec 2>/dev/null; sleep 30 & kill $!; wait $!; echo $?`,
		"make":        `make`,
		"compile":     `cc -o t main.c && ./t; echo $?`,
		"git":         `git add main.c && git -c user.name=a -c user.email=a@b commit -qm x && git log --format=%s`,
		"move":        `mv sub sub2 && mv sub2 sub && rm -r sub && ls sub; echo $?`,
		"name":        `id -un`,
		"script":      `printf 'echo from a script\n' > s; chmod +x s; ./s`,
		"missing":     `nosuchprogram; echo $?`,
		"loopback": `python3 -c 'import socket
s=socket.create_server(("127.0.0.1",0)); c=socket.create_connection(s.getsockname()); a,_=s.accept(); c.sendall(b"hello"); print(a.recv(9))'`,
		"socket": `python3 -c 'import socket
s=socket.socket(socket.AF_UNIX); s.bind("sock"); s.listen(1); c=socket.socket(socket.AF_UNIX); c.connect("sock"); print(1)'; rm -f sock`,
		"pool": `python3 -c 'import multiprocessing as m
if __name__ == "__main__": print(m.get_context("fork").Pool(2).map(abs, [-1, -2]))'`,
		"node": `node -e 'const s=require("http").createServer((q,r)=>r.end("x")).listen(0,"127.0.0.1",()=>fetch("http://127.0.0.1:"+s.address().port).then(r=>r.text()).then(t=>{console.log(t);s.close()}))'`,
	} {
		for _, cover := range []string{"", "1"} {
			t.Run(name+strings.Repeat(", filtered", len(cover)), func(t *testing.T) {
				st.restore()
				want, wantErr := st.run(script, false)
				if strings.Contains(want, "command not found") && name != "missing" {
					t.Skip(want)
				}
				st.restore()
				got, err := st.run(script, true, "WALL_COVER="+cover)
				if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%v %q, without a wall %v %q", err, got, wantErr, want)
				}
			})
		}
	}
}
