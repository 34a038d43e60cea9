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
	t.Parallel()
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
		for _, sig := range []syscall.Signal{unix.SIGTERM, unix.SIGSEGV, unix.SIGABRT, unix.SIGQUIT, unix.SIGBUS, unix.SIGFPE, unix.SIGILL, unix.SIGTRAP, unix.SIGSYS, unix.SIGHUP, unix.SIGPIPE, unix.SIGUSR1} {
			cmd := st.sh(fmt.Sprintf("kill -%d $$", sig))
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if x, ok := cmd.Run().(*exec.ExitError); !ok || x.Sys().(syscall.WaitStatus).Signal() != sig || errs.Len() > 0 {
				t.Errorf("%s: the wall did not end by the signal that ended the program: %v %s", sig, x, errs.String())
			}
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

// TestInterrupted: what waits behind a wall is interrupted by a signal as it is without one, and a
// program that ends is not held by what it waits for.
func TestInterrupted(t *testing.T) {
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		t.Skip("there is no python3")
	}
	users(t, func(t *testing.T, st *stage) {
		for name, waits := range map[string]string{
			"tcp":    "l = socket.socket(); l.bind(('127.0.0.1', 0)); l.listen(0); k = [socket.socket() for _ in range(3)]\nfor s in k[:2]: s.setblocking(False); s.connect_ex(l.getsockname())\ntime.sleep(.1); print('ready', flush=True); k[2].connect(l.getsockname())",
			"unix":   "l = socket.socket(socket.AF_UNIX); l.bind('w.sock'); os.chmod('w.sock', 511); l.listen(0); k = [socket.socket(socket.AF_UNIX) for _ in range(2)]\nk[0].connect('w.sock'); print('ready', flush=True); k[1].connect('w.sock')",
			"send":   "a, b = socket.socketpair(); print('ready', flush=True)\nwhile True: a.sendmsg([b'x' * 10000])",
			"fifo":   "os.path.exists('ff') or os.mkfifo('ff'); print('ready', flush=True); os.open('ff', os.O_WRONLY)",
			"server": "l = socket.create_server(('127.0.0.1', 0)); threading.Timer(.2, lambda: l.accept()[0].recv(9)).start(); socket.create_connection(l.getsockname()).sendmsg([b'x']); print('ready', flush=True); time.sleep(9)",
		} {
			for _, c := range []struct {
				handler, want string
				signal        syscall.Signal
			}{
				{"lambda *a: os._exit(7)", "exit status 7", syscall.SIGINT},
				{"signal.SIG_DFL", "signal: terminated", syscall.SIGTERM},
			} {
				cmd := st.command("wall", "", "/usr/bin/python3", "-c", "import os, signal, socket, threading, time\nsignal.signal("+strconv.Itoa(int(c.signal))+", "+c.handler+")\n"+waits)
				cmd.SysProcAttr.Setsid = true
				out := must(cmd.StdoutPipe())
				must(0, cmd.Start())
				timer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
				_, _ = bufio.NewReader(out).ReadString('\n')
				time.Sleep(100 * time.Millisecond) // until it waits
				_ = cmd.Process.Signal(c.signal)
				if err := cmd.Wait(); err == nil || err.Error() != c.want {
					t.Errorf("%s, %s: %v", name, c.signal, err)
				}
				timer.Stop()
				os.Remove(cmd.Dir + "/w.sock")
			}
		}
	})
}

// TestStops: a program that is stopped, by its terminal or by itself, stops the wall once, and goes on with it.
func TestStops(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		for _, itself := range []bool{false, true} {
			cmd := st.sh(map[bool]string{false: `while :; do sleep 0.02; echo x; done`, true: `echo x; kill -STOP $$; while :; do sleep 0.02; echo x; done`}[itself])
			cmd.SysProcAttr.Setpgid = true
			out := bufio.NewReader(must(cmd.StdoutPipe()))
			must(0, cmd.Start())
			_, _ = out.ReadString('\n')
			pid := cmd.Process.Pid
			if !itself {
				must(0, unix.Kill(-pid, unix.SIGTSTP))
			}
			var ws unix.WaitStatus
			if _, err := unix.Wait4(pid, &ws, unix.WUNTRACED, nil); err != nil || !ws.Stopped() {
				t.Errorf("itself %v: it did not stop: %v %v", itself, err, ws)
			}
			must(0, unix.Kill(map[bool]int{false: -pid, true: pid}[itself], unix.SIGCONT)) // as fg does, and somebody who knows of the wall only
			for range 10 {
				_, _ = out.ReadString('\n')
			}
			if n, _ := unix.Wait4(pid, &ws, unix.WUNTRACED|unix.WNOHANG, nil); n != 0 {
				t.Errorf("itself %v: %v after it went on", itself, ws)
			}
			_ = unix.Kill(-pid, unix.SIGKILL)
			_ = cmd.Wait()
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
		cmd := st.command("wall", "", "/usr/bin/python3", "-c", "import socket; l = socket.create_server(('0.0.0.0', 0)); c = socket.create_connection(('"+ip+"', l.getsockname()[1])); l.accept()[0].sendall(b'x'); assert c.recv(1) == b'x'")
		cmd.Env = append(cmd.Env, "WALL_STRANGE=no")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("this machine's own address: %s", out)
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
				if _, err := os.Lstat(upperOf(st.root+"/private"+in, st.root) + "/" + name); err != nil {
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
		held("/1", "third", "fourth")
	})
}

// TestToolCaches: tools write to their caches in the home directory, and the user's own stay as they are; settings and programs
// are read-only, and so is what rules have opened the user's own.
func TestToolCaches(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		dirs := strings.Fields(".cache/own .cargo/registry .cargo/bin go/pkg .gradle/daemon .m2/repository .npm .local/share/uv .local/state/tool .jupyter .config/git")
		for _, dir := range dirs {
			must(0, os.MkdirAll(st.root+"/home/"+dir, 0o755))
			must(0, os.WriteFile(st.root+"/home/"+dir+"/user", []byte("user\n"), 0o644))
		}
		st.restore()
		if out, err := st.sh(`echo x > ~/.cache/x`).CombinedOutput(); err != nil {
			t.Skipf("no overlays here: %s", out)
		}
		script := "cd ~; for d in " + strings.Join(dirs, " ") + "; do cat $d/user; echo x > $d/user && echo y > $d/new && cat $d/new; done; echo x > .npmrc"
		if out, _ := st.sh(script).Output(); strings.Count(string(out), "user\n") != len(dirs)-1 {
			t.Errorf("all but the registry of gradle's daemons is there at first: %s", out)
		}
		out, _ := st.sh("cd ~; for d in " + strings.Join(dirs, " ") + "; do echo $d $(cat $d/user $d/new 2>/dev/null); done; cat .npmrc 2>/dev/null").Output()
		want := ".cache/own x y\n.cargo/registry x y\n.cargo/bin user\ngo/pkg x y\n.gradle/daemon x y\n.m2/repository x y\n.npm x y\n.local/share/uv x y\n.local/state/tool x y\n.jupyter x y\n.config/git user\n"
		if string(out) != want {
			t.Errorf("behind walls: %s", out)
		}
		for _, dir := range dirs {
			if list, _ := os.ReadDir(st.root + "/home/" + dir); len(list) != 1 || string(must(os.ReadFile(st.root+"/home/"+dir+"/user"))) != "user\n" {
				t.Errorf("outside, in %s: %v", dir, list)
			}
		}
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
import socket, threading, multiprocessing, array, os, ctypes, platform
# Nobody shares descriptors but threads, or a message could go through another socket than was looked at.
assert ctypes.CDLL(None).syscall(56 if platform.machine() == "x86_64" else 220, 0x400 | 17, 0, 0, 0, 0) == -1
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

// TestNames: whoever looks for another machine learns at once that there is none, and which one it was is told.
func TestNames(t *testing.T) {
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		t.Skip("there is no python3")
	}
	users(t, func(t *testing.T, st *stage) {
		cmd := st.command("wall", "", "/usr/bin/python3", "-c", `
import socket, struct, time
def ask(family, address):
    s = socket.socket(family, socket.SOCK_DGRAM); s.settimeout(5); s.setsockopt(0 if family == socket.AF_INET else 41, 11 if family == socket.AF_INET else 25, 1); s.connect((address, 53))
    s.send(struct.pack("!6H", 7, 0x100, 1, 0, 0, 0) + b"\3www\7example\0" + struct.pack("!2H", 1, 1))
    return struct.unpack("!6H", s.recv(500)[:12])
assert ask(socket.AF_INET, "192.0.2.1") == (7, 0x8183, 1, 0, 0, 0), ask(socket.AF_INET, "192.0.2.1")
try: assert ask(socket.AF_INET6, "::ffff:192.0.2.1")[0] == 7
except OSError: pass
socket.create_connection(("192.0.2.1", 53))
`)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		begin := time.Now()
		_ = cmd.Run()
		if said := errs.String(); !strings.Contains(said, "unreachable") || !strings.Contains(said, "longline wall: refused to python3: find www.example (and ") || time.Since(begin) > 9*time.Second {
			t.Errorf("after %s: %s", time.Since(begin), said)
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

// TestReopens: a program may open its output once more, wherever that leads, with no more rights than it has.
func TestReopens(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		const script = `echo one > /dev/stdout; echo two >> /dev/stderr; echo three >> /proc/self/fd/1; (echo four > /dev/stdin) 2>&1 | grep -c .; (: >> /dev/fd/7) 2>/dev/null; echo $?`
		run := func(on *os.File, cmd *exec.Cmd) {
			cmd.Stdout, cmd.Stderr = on, on
			cmd.Stdin = must(os.Open(st.root + "/home/.bashrc"))
			cmd.ExtraFiles = []*os.File{nil, nil, nil, nil, cmd.Stdin.(*os.File)}
			_ = cmd.Run()
		}
		outside := must(os.OpenFile(st.root+"/home/out", os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666))
		must(0, os.Chmod(outside.Name(), 0o666))
		run(outside, st.sh(script))
		if got := string(must(os.ReadFile(outside.Name()))); got != "one\ntwo\nthree\n1\n2\n" && got != "one\ntwo\nthree\n1\n1\n" {
			t.Errorf("a file outside: %q", got)
		}
		if got := string(must(os.ReadFile(st.root + "/home/.bashrc"))); got != props["home/.bashrc"] {
			t.Errorf("what was open for reading: %q", got)
		}
		master := must(os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0))
		defer master.Close()
		must(0, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
		tty := must(os.OpenFile(fmt.Sprint("/dev/pts/", must(unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN))), os.O_RDWR|unix.O_NOCTTY, 0))
		must(0, tty.Chmod(0o666))
		run(tty, st.sh(script))
		tty.Close()
		b := make([]byte, 1000)
		n, _ := master.Read(b)
		if got := string(b[:n]); !strings.HasPrefix(got, "one\r\ntwo\r\nthree\r\n1\r\n") {
			t.Errorf("a terminal: %q", got)
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
	if out := in(`echo x > "$XDG_CACHE_HOME"/x && cat "$XDG_CACHE_HOME"/x && [ "${GOCACHE#"$XDG_CACHE_HOME"/}" = go-build ] && ! touch "$XDG_CACHE_HOME"/../y 2>/dev/null`); out != "x\n" {
		t.Errorf("a cache of the project's own: %q", out)
	}
	if out := in(`mkdir -p a/b && echo x > a/b/c && mv a d && ln d/b/c l && rm l && cat d/b/c && echo y > /dev/null`); out != "x\n" {
		t.Errorf("honest work: %q", out)
	}
}

// TestMask: files are made with the mask of the program, also right after it has changed, and with that of each process.
func TestMask(t *testing.T) {
	users(t, func(t *testing.T, st *stage) {
		out := string(must(st.sh(`umask 022; echo >a; umask 077; echo >b; mkdir c; (umask 027; echo >d); echo >e; umask 002; echo >f; stat -c %a a b c d e f | tr '\n' ' '`).Output()))
		if out != "644 600 700 640 600 664 " {
			t.Error(out)
		}
	})
}
