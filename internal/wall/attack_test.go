//go:build linux && (amd64 || arm64)

package wall

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The test binary plays every part: it is the program outside that has something to
// lose, the attacker, and longline itself. Everything that is attacked lies in a
// directory of its own or belongs to the program outside.

func TestMain(m *testing.M) {
	switch part, _, _ := strings.Cut(os.Getenv("WALL_TEST"), ":"); part {
	case "":
		os.Exit(m.Run())
	case "outside":
		outside()
	case "attack":
		os.Exit(attacking())
	case "wall":
		os.Exit(walling())
	case "attempt":
		os.Exit(Attempt(os.Args[2]))
	}
}

const theSecret = "correct-horse-battery-staple"

// scene is what an attacker knows.
type scene struct {
	Root, Home, Project, Other string
	Out                        int    // the process outside
	OutFd                      int    // where it has the secret open
	OutAddr                    uint64 // where it has it in memory
	OutEnv                     string
	Port, HostPort, UDPPort    int
	HostIP                     string
	Socket, Docker, Late       string
	Abstract                   string
	Shm                        int
	ShmFile                    string
	Pts                        string
}

func theScene() *scene {
	var s scene
	text, err := os.ReadFile(os.Getenv("WALL_SCENE"))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		panic(err)
	}
	return &s
}

// walling is longline wall with the arguments of this process.
func walling() int {
	sc := theScene()
	if len(os.Args) > 1 && os.Args[1] == "wall" {
		err := Supervise(func(dir string, s Settings) *Plan { return sc.plan(dir, s.Network) })
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	dir, _ := os.Getwd()
	plan := sc.plan(dir, os.Getenv("WALL_NETWORK") != "")
	plan.strange = os.Getenv("WALL_STRANGE") != "no"
	plan.Self, plan.plain = []string{"longline", "wall"}, os.Getenv("WALL_PLAIN") != ""
	plan.Env = slices.DeleteFunc(plan.Env, func(line string) bool { return strings.HasPrefix(line, "WALL_TEST=") })
	plan.Env = append(plan.Env, "WALL_TEST="+os.Getenv("WALL_INNER"))
	status, err := Run(plan, os.Args[1:], os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "longline wall:", err)
	}
	return status
}

func (s *scene) plan(dir string, network bool) *Plan {
	packs := builtin()
	w := testWorld(s.Home, s.Project)
	w.Guard = []string{s.Root + "/bin/longline"}
	p := For(packs, w, dir, os.Environ(), Settings{Network: network, Private: s.Root + "/private"})
	if cache := os.Getenv("WALL_CACHE"); cache != "" && private(s.Root+"/private") {
		p.Overlay = Overlay{Paths: []string{cache}, Private: s.Root + "/private"} // the machine's own, in which tools find what they know
		p.add(p.Overlay.Private, Open)
	}
	return p
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// outside is a program of the same user that no attack may reach.
func outside() {
	sc := theScene()
	out := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "outside:", err)
			os.Exit(1)
		}
	}
	secret, err := os.Open(filepath.Join(sc.Home, ".ssh/id_rsa"))
	out(err)
	sc.Out, sc.OutFd = os.Getpid(), int(secret.Fd())
	memory := []byte(theSecret + "-in-memory")
	sc.OutAddr = uint64(uintptr(unsafe.Pointer(&memory[0])))
	answer := func(l net.Listener, err error) net.Listener {
		out(err)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				fmt.Fprint(c, theSecret)
				c.Close()
			}
		}()
		return l
	}
	sc.Socket, sc.Docker, sc.Late = sc.Root+"/tmp.sock", sc.Home+"/docker.sock", sc.Root+"/late.sock"
	sc.Abstract = fmt.Sprintf("@longline-wall-%d", os.Getpid())
	answer(net.Listen("unix", sc.Socket))
	answer(net.Listen("unix", sc.Docker))
	answer(net.Listen("unix", sc.Abstract))
	sc.Port = answer(net.Listen("tcp", "127.0.0.1:0")).Addr().(*net.TCPAddr).Port
	if sc.HostIP != "" {
		sc.HostPort = answer(net.Listen("tcp", sc.HostIP+":0")).Addr().(*net.TCPAddr).Port
		udp, err := net.ListenPacket("udp", sc.HostIP+":0")
		out(err)
		sc.UDPPort = udp.LocalAddr().(*net.UDPAddr).Port
		go func() {
			b := make([]byte, 100)
			for {
				n, from, err := udp.ReadFrom(b)
				if err != nil {
					return
				}
				_ = os.WriteFile(sc.Root+"/udp-"+string(b[:n]), nil, 0o666)
				_, _ = udp.WriteTo([]byte("ok"), from)
			}
		}()
	}
	if id, err := unix.SysvShmGet(0, 4096, 0o1600); err == nil {
		sc.Shm = id
		if b, err := unix.SysvShmAttach(id, 0, 0); err == nil {
			copy(b, theSecret)
		}
		defer unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	}
	sc.ShmFile = fmt.Sprintf("/dev/shm/longline-wall-%d", os.Getpid())
	_ = os.WriteFile(sc.ShmFile, []byte(theSecret), 0o600)
	defer os.Remove(sc.ShmFile)
	if master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err == nil {
		_ = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
		if n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN); err == nil {
			sc.Pts = "/dev/pts/" + strconv.Itoa(n)
		}
		defer master.Close()
	}
	usr := make(chan os.Signal, 1)
	signal.Notify(usr, unix.SIGUSR1)
	go func() {
		for range usr {
			_ = os.WriteFile(sc.Root+"/signalled", nil, 0o666)
		}
	}()
	go func() {
		for {
			if _, err := os.Stat(sc.Root + "/make-late"); err == nil {
				os.Remove(sc.Root + "/make-late")
				os.Remove(sc.Late)
				answer(net.Listen("unix", sc.Late))
				_ = os.WriteFile(sc.Root+"/late-made", nil, 0o666)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	text, err := json.Marshal(sc)
	out(err)
	out(os.WriteFile(os.Getenv("WALL_SCENE"), text, 0o644))
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends
	_ = memory
	secret.Close()
}

func attacking() int {
	_, name, _ := strings.Cut(os.Getenv("WALL_TEST"), ":")
	for _, a := range attacks {
		if a.name == name {
			if err := a.run(theScene()); err != nil {
				fmt.Println(err)
				return 1
			}
			fmt.Println("GOT")
			return 0
		}
	}
	fmt.Println("there is no attack", name)
	return 2
}

// stage makes what attacks are run on. As root the whole is played by an ordinary user
// if uid says so.
type stage struct {
	t     testing.TB
	bin   string
	scene string
	root  string
	cred  *syscall.Credential
	tag   string
	self  []byte
}

func newStage(t testing.TB, uid int) *stage {
	t.Helper()
	root, err := os.MkdirTemp("", "wall")
	if err != nil {
		t.Fatal(err)
	}
	root = must(filepath.EvalSymlinks(root))
	t.Cleanup(func() { os.RemoveAll(root) })
	st := &stage{t: t, root: root, bin: root + "/bin/longline", scene: root + "/scene.json", tag: "user"}
	if os.Getuid() == 0 && uid != 0 {
		st.cred = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	} else if os.Getuid() == 0 {
		st.tag = "root"
	}
	sc := scene{Root: root, Home: root + "/home", Project: root + "/home/code/project", Other: root + "/home/code/other", HostIP: hostIP()}
	st.self = must(os.ReadFile(must(os.Executable())))
	must(0, os.WriteFile(st.scene, must(json.Marshal(sc)), 0o644))
	must(0, os.Chmod(root, 0o755))
	st.restore()
	cmd := st.command("outside", "")
	cmd.Env = append(cmd.Env, "OUT_TOKEN="+theSecret)
	stdin := must(cmd.StdinPipe())
	stdout := must(cmd.StdoutPipe())
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	if _, err := io.ReadFull(stdout, make([]byte, 6)); err != nil {
		t.Fatal("the program outside did not start: ", err)
	}
	return st
}

// hostIP is an address of this machine that is not the loopback's.
func hostIP() string {
	list, _ := net.InterfaceAddrs()
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	return ""
}

func (st *stage) command(part, inner string, args ...string) *exec.Cmd {
	cmd := exec.Command(st.bin, args...)
	cmd.Dir = st.root + "/home/code/project"
	cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + st.root + "/home", "WALL_TEST=" + part, "WALL_SCENE=" + st.scene, "WALL_INNER=" + inner}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: st.cred}
	return cmd
}

// changed says whether a file of the stage is another one than it was, seen from outside.
func (st *stage) changed(name string) bool {
	if name == "" {
		return true
	}
	text, err := os.ReadFile(filepath.Join(st.root, name))
	return err != nil || string(text) != props[name]
}

// attackTime bounds one attack.
const attackTime = 20 * time.Second

func (st *stage) run(cmd *exec.Cmd) (got bool, said string) {
	sc := must(os.Open(st.root + "/home/.ssh/id_rsa")) // inherited, as attack 10 wants it
	defer sc.Close()
	dir := must(os.Open(st.root + "/home"))
	defer dir.Close()
	terminal := must(os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0))
	defer terminal.Close()
	cmd.ExtraFiles = []*os.File{nil, nil, nil, nil, nil, sc, dir, terminal} // 8, 9 and 10
	timer := time.AfterFunc(attackTime, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	return err == nil && strings.Contains(string(out), "GOT"), strings.TrimSpace(string(out))
}

// needWall skips where the kernel refuses walls altogether.
func needWall(t testing.TB) Engine {
	t.Helper()
	e := Probe(nil)
	if e.Name == "" {
		t.Skipf("walls cannot be made on this machine: %s", e.Why)
	}
	return e
}

// TestAttacks runs each attack without a wall, where it must succeed to count, and
// then behind one, where it must not.
func TestAttacks(t *testing.T) {
	if e := needWall(t); e.Name != "namespaces" {
		t.Skipf("only Landlock is to be had here: %s", e.Why)
	}
	t.Parallel()
	uids := []int{os.Getuid()}
	if uids[0] == 0 {
		uids = []int{0, 65534}
	}
	for turn, uid := range uids {
		st := newStage(t, uid)
		t.Run(st.tag, func(t *testing.T) {
			t.Parallel()
			if open := st.attacked(t, turn, "", func(a attack) string { return a.open }); len(open) > 6 {
				t.Errorf("%d attacks are open", len(open))
			}
		})
	}
}

// TestAttacksOnLandlock runs the attacks on the wall that there is where user namespaces
// are refused. What it does not hold is what the documentation says.
func TestAttacksOnLandlock(t *testing.T) {
	if needWall(t); landlockVersion() < minLandlock {
		t.Skip("there is no Landlock here")
	}
	t.Parallel()
	uid := os.Getuid()
	if uid == 0 {
		uid = 65534
	}
	st := newStage(t, uid)
	open := st.attacked(t, 2, "WALL_PLAIN=1", func(a attack) string { return cmp.Or(a.open, a.landlock) })
	doc := string(must(os.ReadFile("../../docs/walls.md")))
	for _, why := range open {
		if !strings.Contains(strings.Join(strings.Fields(doc), " "), why) {
			t.Errorf("docs/walls.md does not say %q", why)
		}
	}
}

// attacked runs attacks and returns why those are open that worked. So that go test ends in time, each third of them has
// its turn on one stage; make sweeps runs all on all.
func (st *stage) attacked(t *testing.T, turn int, env string, open func(attack) string) (reasons []string) {
	worked, got := 0, 0
	for i, a := range attacks {
		if i%3 != turn && os.Getenv("LONGLINE_SWEEPS") != "all" {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			st.restore()
			if got, said := st.run(st.command("attack:"+a.name, "")); !got || !st.changed(a.outside) {
				t.Skipf("does not work without a wall either: %s", said)
			}
			worked++
			st.restore()
			cmd := st.command("wall", "attack:"+a.name, st.bin)
			cmd.Env = append(cmd.Env, env)
			through, said := st.run(cmd)
			through = through && st.changed(a.outside)
			switch why := open(a); {
			case through && why == "":
				t.Errorf("worked behind the wall: %s", said)
			case through:
				got++
				t.Logf("open: %s", why)
				if a.open == "" {
					reasons = append(reasons, why)
				}
			case why != "":
				t.Errorf("is listed as open and is not: %s", said)
			case strings.Contains(said, "could not set up") || strings.Contains(said, "panic"):
				t.Errorf("the wall did not stand: %s", said)
			}
		})
	}
	t.Logf("%d attacks work without a wall, %d of them behind one", worked, got)
	return reasons
}

// props are the files on the stage.
var props = map[string]string{
	"home/.ssh/id_rsa":                          theSecret,
	"home/.ssh/authorized_keys":                 "ssh-ed25519 AAAA",
	"home/.netrc":                               theSecret,
	"home/.aws/credentials":                     theSecret,
	"home/.bashrc":                              "# mine\n",
	"home/.local/bin/tool":                      "#!/bin/sh\n",
	"home/.cache/build/entry":                   "object",
	"home/code/other/.env":                      theSecret,
	"home/code/other/main.c":                    "int main;",
	"home/code/project/main.c":                  "int main;",
	"home/code/project/.env":                    "PORT=1",
	"home/code/project/.git/HEAD":               "ref: refs/heads/main\n",
	"home/code/project/.git/config":             "[core]\n",
	"home/code/project/.git/hooks/x.sample":     "",
	"home/code/project/.git/refs/heads/x":       "",
	"home/code/project/.git/objects/x":          "",
	"home/code/project/.github/workflows/a.yml": "on: push\n",
	"home/code/project/CLAUDE.md":               "Be kind.\n",
	"home/code/project/deep/er/.mcp.json":       "{}\n",
	"home/code/project/deep/er/.git/config":     "[core]\n",
}

// upperOf is where in a private directory lies what is written to the cache of a stage.
func upperOf(private, root string) string {
	return (&Overlay{whole: root + "/home"}).upper(private, root+"/home/.cache")
}

// restore puts back what attacks have changed.
func (st *stage) restore() {
	for _, name := range []string{"home/code", "home/x", "home/.ssh"} {
		must(0, remove(filepath.Join(st.root, name))) // of which an attack may have taken the rights away
	}
	if info, err := os.Lstat(upperOf(st.root+"/private", st.root)); err == nil && !info.IsDir() {
		must(0, os.RemoveAll(st.root+"/private"))
	}
	left, _ := filepath.Glob(st.root + "/*")
	for _, path := range left {
		if !slices.Contains([]string{"bin", "home", "scene.json", "tmp.sock", "late.sock", "private"}, filepath.Base(path)) {
			os.RemoveAll(path)
		}
	}
	must(0, os.MkdirAll(upperOf(st.root+"/private", st.root), 0o700))
	for name, text := range props {
		path := filepath.Join(st.root, name)
		must(0, os.MkdirAll(filepath.Dir(path), 0o755))
		must(0, os.WriteFile(path, []byte(text), 0o644))
	}
	must(0, os.Chmod(st.root+"/home/.ssh", 0o700))
	if _, err := os.Stat(st.bin); err != nil {
		must(0, os.MkdirAll(st.root+"/bin", 0o755))
		// A child that is made meanwhile would keep it open for writing, and it could not be run: "text file busy".
		syscall.ForkLock.RLock()
		err := os.WriteFile(st.bin, st.self, 0o755)
		syscall.ForkLock.RUnlock()
		must(0, err)
	}
	if st.cred != nil {
		_ = filepath.WalkDir(st.root, func(path string, _ os.DirEntry, _ error) error {
			return os.Lchown(path, int(st.cred.Uid), int(st.cred.Gid))
		})
	}
}
