//go:build linux && (amd64 || arm64)

package wall

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// sh runs a script of the shell behind a wall.
func (st *stage) sh(script string) *exec.Cmd { return st.command("wall", "", "sh", "-c", script) }

func users(t *testing.T, f func(t *testing.T, st *stage)) {
	needWall(t)
	uids := []int{os.Getuid()}
	if uids[0] == 0 {
		uids = []int{0, 65534}
	}
	for _, uid := range uids {
		st := newStage(t, uid)
		t.Run(st.tag, func(t *testing.T) { st.t = t; f(t, st) })
	}
}

// A program ends, and is ended, as it would be without a wall.
func TestEndsAsWithout(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		for script, want := range map[string]int{
			"exit 0": 0, "exit 7": 7, "kill -TERM $$": 128 + 15, "kill -KILL $$": 128 + 9, "exec nosuchprogram 2>/dev/null": 127,
		} {
			out, err := st.command("wall", "", "sh", "-c", `"$@"; exit $?`, "sh", "sh", "-c", script).CombinedOutput()
			status := 0
			if x, ok := err.(*exec.ExitError); ok {
				status = x.ExitCode()
			}
			if status != want {
				t.Errorf("%s: status %d, want %d: %s", script, status, want, out)
			}
		}
		cmd := st.sh("kill -TERM $$")
		if x, ok := cmd.Run().(*exec.ExitError); !ok || x.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
			t.Error("the wall did not end by the signal that ended the program")
		}
		for name, want := range map[string]int{"nosuchprogram": StatusNotFound, "./main.c": StatusNoExec} {
			x, _ := st.command("wall", "", name).Run().(*exec.ExitError)
			if x == nil || x.ExitCode() != want {
				t.Errorf("%s: %v, want %d", name, x, want)
			}
		}
	})
}

func TestStreamsAndDirectory(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		cmd := st.sh(`cat; echo err >&2; pwd; umask 027; touch made; stat -c %a made; echo "$WALL_KEPT"`)
		cmd.Dir += "/deep"
		cmd.Env = append(cmd.Env, "WALL_KEPT=yes")
		cmd.Stdin = strings.NewReader("in\n")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatal(err, errs.String())
		}
		if want := "in\n" + cmd.Dir + "\n640\nyes\n"; out.String() != want || errs.String() != "err\n" {
			t.Errorf("got %q and %q, want %q", out.String(), errs.String(), want)
		}
	})
}

// A signal that is sent to the wall reaches the program.
func TestPassesSignalsOn(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		cmd := st.sh(`trap 'echo trapped; exit 9' TERM; echo ready; while :; do sleep 0.05; done`)
		cmd.SysProcAttr.Setsid = true
		out := must(cmd.StdoutPipe())
		must(0, cmd.Start())
		b := make([]byte, 100)
		n, _ := out.Read(b)
		_ = cmd.Process.Signal(syscall.SIGTERM)
		m, _ := out.Read(b[n:])
		x, _ := cmd.Wait().(*exec.ExitError)
		if x == nil || x.ExitCode() != 9 || string(b[:n+m]) != "ready\ntrapped\n" {
			t.Errorf("%q, %v", b[:n+m], x)
		}
	})
}

// What a program leaves running goes on, is still held by the wall, and leaves nothing
// behind when it ends.
func TestBackground(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		project := st.root + "/home/code/project"
		cmd := st.sh(`(until [ -e go ]; do sleep 0.05; done; echo x > late; echo x > .mcp.json; echo x > done) >/dev/null 2>&1 & echo $!`)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		must(0, os.WriteFile(project+"/go", nil, 0o666)) // it has returned, so the other may go on
		pid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
		wait(t, func() bool { _, err := os.Stat(project + "/done"); return err == nil })
		if _, err := os.Stat(project + "/.mcp.json"); err == nil {
			t.Error("the wall did not hold after the program had ended")
		}
		wait(t, func() bool { return unix.Kill(pid, 0) != nil })
		wait(t, func() bool { return supervisors(st) == 0 })
	})
}

func wait(t *testing.T, until func() bool) {
	t.Helper()
	for range 3000 {
		if until() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("it did not happen")
}

// supervisors counts the processes of a stage, but for the one outside.
func supervisors(st *stage) (n int) {
	list, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, exe := range list {
		if to, err := os.Readlink(exe); err == nil && to == st.bin {
			line, _ := os.ReadFile(filepath.Dir(exe) + "/environ")
			if !bytes.Contains(line, []byte("WALL_TEST=outside")) {
				n++
			}
		}
	}
	return n
}

// probeFilters finds out whether a program may put a filter on a socket.
const probeFilters = `
import ctypes, socket, struct
all = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0xffffffff))
try:
    socket.socket().setsockopt(socket.SOL_SOCKET, 26, struct.pack("HL", 1, ctypes.addressof(all)))
    may = "yes"
except OSError: may = "no"
`

// A server behind a wall is there for this machine and for no other, however it came to
// listen and whatever filter it has put on its socket.
func TestInbound(t *testing.T) {
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		t.Skip("python3 is not installed; .ci/tools installs it")
	}
	users(t, func(t *testing.T, st *stage) {
		ip := hostIP()
		if ip == "" {
			t.Skip("this machine has no address but the loopback's")
		}
		for _, way := range []string{
			`l = socket.socket(); l.bind(("0.0.0.0", 0)); l.listen()`,
			`l = socket.socket(); l.listen()`,
			`l = socket.socket(socket.AF_INET6); l.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0); l.bind(("::", 0)); l.listen(); l.listen()`,
			`l = socket.socket(); l.bind(("0.0.0.0", 0)); l.listen()
try: l.setsockopt(socket.SOL_SOCKET, 27, 0)
except OSError: pass`,
		} {
			for _, walled := range []bool{false, true} {
				code := probeFilters + way + "\nprint(l.getsockname()[1], may, flush=True)\nwhile True:\n    c, _ = l.accept(); c.sendall(b'hi'); c.close()"
				cmd := st.command("wall", "", "/usr/bin/python3", "-c", code)
				if !walled {
					cmd = exec.Command("/usr/bin/python3", "-c", code)
				}
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				line, _ := bufio.NewReader(out).ReadString('\n')
				port, may, _ := strings.Cut(strings.TrimSpace(line), " ")
				if walled && may == "no" {
					t.Log("this kernel keeps socket filters from users")
					ip = "127.0.0.2" // which is this machine
				}
				reach := func(host string, limit time.Duration) bool {
					c, err := net.DialTimeout("tcp", net.JoinHostPort(host, port), limit)
					if err != nil {
						return false
					}
					defer c.Close()
					_ = c.SetDeadline(time.Now().Add(limit))
					b, _ := io.ReadAll(c)
					return string(b) == "hi"
				}
				if port == "" || !reach("127.0.0.1", 10*time.Second) {
					t.Errorf("walled %v: not reached on this machine: %s", walled, way)
				} else if got := reach(ip, map[bool]time.Duration{false: 10 * time.Second, true: 400 * time.Millisecond}[walled]); got == (walled && may == "yes") {
					t.Errorf("walled %v: reached by another address: %v: %s", walled, got, way)
				}
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}
		}
	})
}

// Who is outside can write and switch branches while something runs behind a wall.
func TestOutsideIsNotHeldUp(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		project := st.root + "/home/code/project"
		cmd := st.sh(`echo ready; while [ ! -e stop ]; do sleep 0.02; done; cat .mcp.json`)
		out := must(cmd.StdoutPipe())
		must(0, cmd.Start())
		b := make([]byte, 100)
		must(out.Read(b))
		before, _ := os.ReadDir(project)
		for _, e := range before {
			if _, known := props["home/code/project/"+e.Name()]; !known && !e.IsDir() {
				t.Errorf("the wall has put %s into the project", e.Name())
			}
		}
		for name, text := range map[string]string{".mcp.json": "{}", ".git/config": "[user]\n", "CLAUDE.md": "Changed.\n"} {
			if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
				t.Error(err)
			}
		}
		for _, name := range []string{"CLAUDE.md", ".github/workflows/a.yml"} {
			if err := os.Remove(filepath.Join(project, name)); err != nil {
				t.Error(err)
			}
		}
		if err := os.Rename(project+"/.github", project+"/.hidden"); err != nil {
			t.Error(err)
		}
		must(0, os.WriteFile(project+"/stop", nil, 0o644))
		n, _ := out.Read(b)
		if err := cmd.Wait(); err != nil || string(b[:n]) != "{}" {
			t.Errorf("%q, %v", b[:n], err)
		}
	})
}

// A wall that is killed takes its program with it and leaves nothing.
func TestKilled(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		cmd := st.sh(`echo $$; exec sleep 60`)
		out := must(cmd.StdoutPipe())
		must(0, cmd.Start())
		b := make([]byte, 20)
		n, _ := out.Read(b)
		pid, _ := strconv.Atoi(strings.TrimSpace(string(b[:n])))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		wait(t, func() bool { return unix.Kill(pid, 0) != nil })
		wait(t, func() bool { return supervisors(st) == 0 })
	})
}

// Walls that stand at the same time write to caches of their own, also when only what a
// program has left running is still behind one; one after the other, they share it.
func TestCachesBeside(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		project := st.root + "/home/code/project"
		write := func(name, rest string) {
			out, err := st.sh(`echo x > ~/.cache/` + name + rest).CombinedOutput()
			if err != nil {
				t.Skipf("no overlays here: %s", out)
			}
		}
		held := func(in string, names ...string) {
			t.Helper()
			for _, name := range names {
				if _, err := os.Lstat(st.root + "/private/" + in + "upper/" + name); err != nil {
					t.Error(err)
				}
			}
		}
		write("first", ``)
		write("second", ` && cat ~/.cache/first; (until [ -e stop ]; do sleep 0.05; done) >/dev/null 2>&1 &`)
		write("third", ``)
		write("fourth", ` && cat ~/.cache/third`)
		must(0, os.WriteFile(project+"/stop", nil, 0o666))
		wait(t, func() bool { return supervisors(st) == 0 })
		write("fifth", ` && cat ~/.cache/second`)
		held("", "first", "second", "fifth")
		held("1/", "third", "fourth")
	})
}

// Sixty-four walls at once do not get into each other's way.
func TestManyAtOnce(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		var all sync.WaitGroup
		for i := range 64 {
			all.Go(func() {
				out, err := st.sh(fmt.Sprintf(`echo %d > f%d && mkdir d%d && cat f%d; echo x > .mcp.json 2>/dev/null; :`, i, i, i, i)).CombinedOutput()
				if err != nil || !strings.HasPrefix(string(out), fmt.Sprintln(i)) {
					t.Errorf("%d: %v: %s", i, err, out)
				}
			})
		}
		all.Wait()
		wait(t, func() bool { return supervisors(st) == 0 })
		if mounts, _ := os.ReadFile("/proc/self/mountinfo"); bytes.Contains(mounts, []byte(st.root)) {
			t.Error("mounts are left")
		}
	})
}

// What a program opens is what it gets, however often the supervisor is interrupted: the
// runtime of Go does that by itself, to let others have their turn.
func TestInterruptedOpens(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		cmd := st.sh(`i=0; while [ $i -lt 3000 ]; do echo $i > f || exit 1; i=$((i+1)); done; echo fine`)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		must(0, cmd.Start())
		ended := make(chan struct{})
		var interrupts sync.WaitGroup
		interrupts.Go(func() {
			// Not for ever: under signals alone the supervisor gets to little else.
			begin, tasks := time.Now(), fmt.Sprintf("/proc/%d/task", cmd.Process.Pid)
			for time.Since(begin) < 3*time.Second {
				select {
				case <-ended:
					return
				default:
				}
				threads, _ := os.ReadDir(tasks)
				for _, thread := range threads {
					tid, _ := strconv.Atoi(thread.Name())
					_ = unix.Tgkill(cmd.Process.Pid, tid, syscall.SIGURG)
				}
				time.Sleep(50 * time.Microsecond)
			}
		})
		err := cmd.Wait()
		close(ended)
		interrupts.Wait()
		if err != nil || out.String() != "fine\n" {
			t.Errorf("%v: %s", err, out.String())
		}
	})
}

// A server behind a wall is reached from outside, and its own sockets from inside.
func TestOwnSockets(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("python3 is not installed; .ci/tools installs it")
		}
		cmd := st.command("wall", "", "/usr/bin/python3", "-c", `
import socket, threading, multiprocessing, array, os
def echo(l):
    c, _ = l.accept(); c.sendall(c.recv(10)); c.close()
for family, name in ((socket.AF_UNIX, "own.sock"), (socket.AF_UNIX, "\0own-%d" % os.getpid()), (socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_INET6, ("::1", 0))):
    try: l = socket.socket(family)
    except OSError: continue
    try: l.bind(name)
    except OSError as e:
        if family == socket.AF_INET6: continue
        raise
    l.listen()
    t = threading.Thread(target=echo, args=(l,)); t.start()
    c = socket.socket(family); c.connect(l.getsockname()); c.sendall(b"x"); assert c.recv(10) == b"x"; t.join()
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(("127.0.0.1", 0))
v = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); v.sendto(b"y", u.getsockname()); assert u.recv(9) == b"y"
v.sendmsg([b"a", b"b"], [], 0, u.getsockname()); assert u.recv(9) == b"ab"
d = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); d.bind("d.sock")
e = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); e.sendto(b"z", "d.sock"); assert d.recv(9) == b"z"
a, b = socket.socketpair(); r, w = os.pipe()
socket.send_fds(a, [b"f"], [w]); _, fds, _, _ = socket.recv_fds(b, 9, 1); os.write(fds[0], b"p"); assert os.read(r, 9) == b"p"
print("fine")
`)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "fine") {
			t.Errorf("%v: %s", err, out)
		}
		l := must(net.Listen("tcp", "127.0.0.1:0"))
		port := l.Addr().(*net.TCPAddr).Port
		l.Close()
		server := st.command("wall", "", "/usr/bin/python3", "-m", "http.server", "--bind", "127.0.0.1", strconv.Itoa(port))
		must(0, server.Start())
		defer func() { _ = server.Process.Signal(syscall.SIGTERM); _ = server.Wait() }()
		wait(t, func() bool {
			c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port))
			if err == nil {
				c.Close()
			}
			return err == nil
		})
	})
}

// A refused connection is told once, and only if the program fails.
func TestTellsRefusals(t *testing.T) {
	if hostIP() == "" {
		t.Skip("this machine has no address but the loopback's")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed; install the package bash")
	}
	users(t, func(t *testing.T, st *stage) {
		try := func(status int) string {
			var errs bytes.Buffer
			cmd := st.command("wall", "", "bash", "-c", fmt.Sprintf(`for i in 1 2 3; do : 2>/dev/null >/dev/tcp/%s/9; done 2>/dev/null; exit %d`, hostIP(), status))
			cmd.Stderr = &errs
			_ = cmd.Run()
			if cmd.ProcessState.ExitCode() != status {
				t.Errorf("the exit status is %v", cmd.ProcessState)
			}
			return errs.String()
		}
		if said := try(0); said != "" {
			t.Errorf("a program that succeeds: %q", said)
		}
		said := try(3)
		if strings.Count(said, "\n") != 1 || !strings.Contains(said, "connect to "+hostIP()+":9") || !strings.Contains(said, "This is the wall, not a fault of the program") {
			t.Errorf("a program that fails: %q", said)
		}
	})
}

// What a program finds about itself is what it would find without a wall, and it may
// change it; /dev/stdout is a file of the project if that is where it leads.
func TestOwnProcess(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		const script = `ulimit -Sn; ulimit -Hn; echo 300 > /proc/self/oom_score_adj && cat /proc/self/oom_score_adj
sleep 5 & echo 400 > /proc/$!/oom_score_adj && cat /proc/$!/oom_score_adj; kill $!
echo one > out; echo two > /dev/stdout; echo three >> /proc/self/fd/1`
		run := func(cmd *exec.Cmd) string {
			name := cmd.Dir + "/written"
			file := must(os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_RDWR|os.O_APPEND, 0o666))
			defer os.Remove(name)
			defer file.Close()
			must(0, os.Chmod(name, 0o666))
			cmd.Stdout, cmd.Stderr = file, file
			_ = cmd.Run()
			return string(must(os.ReadFile(name)))
		}
		alone := exec.Command("sh", "-c", script)
		base := st.command("wall", "")
		alone.Dir, alone.SysProcAttr = base.Dir, base.SysProcAttr
		if want, got := run(alone), run(st.sh(script)); got != want || strings.Contains(want, "cannot") {
			t.Errorf("%s\nwithout a wall\n%s", got, want)
		}
		if _, err := exec.LookPath("unshare"); err == nil && st.tag == "user" && exec.Command("unshare", "-Ur", "true").Run() == nil {
			if out, err := st.sh("unshare -Ur id -u").CombinedOutput(); err != nil || string(out) != "0\n" {
				t.Errorf("a namespace of its own: %v: %s", err, out)
			}
		}
	})
}

// Variables that hold secrets do not come along, and others do.
func TestEnvironment(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		cmd := st.sh(`env`)
		cmd.Env = append(cmd.Env, "GITHUB_TOKEN=ghp_x", "AWS_SECRET_ACCESS_KEY=x", "KEYBOARD=us", "SSH_AUTH_SOCK=/x")
		out := string(must(cmd.Output()))
		if strings.Contains(out, "GITHUB_TOKEN") || strings.Contains(out, "AWS_SECRET") || strings.Contains(out, "SSH_AUTH_SOCK") || !strings.Contains(out, "KEYBOARD=us") {
			t.Error(out)
		}
	})
}

// Where user namespaces are refused Landlock holds what it can, and the rest is said.
func TestLandlockFallback(t *testing.T) {
	if e := needWall(t); e.Name != "namespaces" || landlockVersion() < minLandlock {
		t.Skip("the fallback cannot be tried here")
	}
	st := newStage(t, 0)
	in := func(script string) string {
		cmd := exec.Command("unshare", "--user", "--map-root-user", "sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"`, "sh", st.bin, "sh", "-c", script)
		base := st.command("wall", "")
		cmd.Dir, cmd.Env = base.Dir, base.Env
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	if out := in("echo works"); out != "works\n" {
		t.Skipf("namespaces cannot be limited here: %s", out)
	}
	must(0, os.Chmod(st.root+"/home/code/project", 0o777))
	for script, held := range map[string]string{
		`cat ~/.ssh/id_rsa`:     "ermission denied",
		`echo x >> ~/.bashrc`:   "ermission denied",
		`echo x > .mcp.json`:    "ermission denied",
		`echo x >> .git/config`: "ermission denied",
		`rm .git/config`:        "ermission denied",
		`mv .git g`:             "busy",
		`mkdir x && echo {} > x/settings.json && mv x .claude`: "ermission denied",
		`ln ~/.bashrc rc`:          "ross-device",
		`echo x > ../other/main.c`: "ermission denied",
		`chmod 777 ~/.bashrc`:      "ermission denied",
	} {
		if out := in(script); !strings.Contains(out, held) {
			t.Errorf("%s: %q", script, out)
		}
	}
	if out := in(`mkdir -p a/b && echo x > a/b/c && mv a d && ln d/b/c l && rm l && cat d/b/c && echo y > /dev/null`); out != "x\n" {
		t.Errorf("honest work: %q", out)
	}
}
