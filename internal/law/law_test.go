//go:build linux

// Package law is a test: whatever longline lets run without a question can be survived. Calls are written at random, longline
// answers, the answer is executed in a throw-away home, and then the world is compared. It knows nothing of how longline
// decides.
package law

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Variables by which the test says to itself what to do, and a person says how much.
const (
	asWorld = "LAW_WORLD" // this process is a world's first: the directory of the programs
	share   = "LAW_SHARE" // which calls: first, step, how many, seed
	calls   = "LONGLINE_LAW"
	seedVar = "LONGLINE_LAW_SEED"
	fileVar = "LONGLINE_LAW_FILE" // calls to be tried in place of written ones, one command in JSON a line
	binVar  = "LONGLINE_LAW_BIN"  // where programs are that know the home directory by HOME
	showVar = "LONGLINE_LAW_SHOW" // print all results
)

func TestMain(m *testing.M) {
	if bin := os.Getenv(asWorld); bin != "" {
		os.Exit(world(bin))
	}
	os.Exit(m.Run())
}

// world tries its share of the calls and prints results as JSON, one a line.
func world(bin string) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	var first, step, count int
	var seed uint64
	if _, err := fmt.Sscan(os.Getenv(share), &first, &step, &count, &seed); err != nil {
		return fail(err)
	}
	// Limits of everything that runs here.
	_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 64 << 20, Max: 64 << 20})
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: 10, Max: 1 << 30})
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	next, err := source(seed)
	if err != nil {
		return fail(err)
	}
	m, err := newMachine(bin)
	if err != nil {
		return fail(err)
	}
	out := json.NewEncoder(os.Stdout)
	for i := first; i < count; i += step {
		c := next(i)
		if c == nil {
			break
		}
		r := m.try(c)
		if err := out.Encode(numbered{i, r}); err != nil {
			return fail(err)
		}
	}
	fmt.Fprintf(os.Stderr, "hook %v, execution %v, looking %v, undoing %v of %v\n", m.spent[0], m.spent[1], m.spent[2], m.spent[3], time.Since(m.start))
	return 0
}

type numbered struct {
	N int
	R result
}

// TestLaw executes what longline lets run without a question.
func TestLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs programs")
	}
	for _, name := range []string{"ip", "git", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("there is no ", name)
		}
	}
	if out, err := confined(exec.Command("true")).CombinedOutput(); err != nil {
		t.Skipf("no namespaces can be made here: %v %s", err, out)
	}
	count, seed := 500, uint64(1)
	if n, err := strconv.Atoi(os.Getenv(calls)); err == nil {
		count, seed = n, uint64(time.Now().UnixNano())
	}
	if n, err := strconv.ParseUint(os.Getenv(seedVar), 10, 64); err == nil {
		seed = n
	}
	bin := cmp.Or(os.Getenv(binVar), t.TempDir())
	if os.Getenv(binVar) == "" {
		build := exec.Command("go", "build", "-ldflags", "-s -w -X longline/internal/config.KnownHome=HOME", "-o", bin+"/", "longline/cmd/longline", "longline/cmd/longline-hook", "longline/cmd/longline-wall")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	const worlds = 2
	var mu sync.Mutex
	var group sync.WaitGroup
	tally := map[string]int{}
	contained, broken := 0, 0
	for w := range worlds {
		group.Go(func() {
			dir := filepath.Join(bin, "world"+strconv.Itoa(w))
			_ = os.Mkdir(dir, 0o755)
			cmd := confined(exec.Command(os.Args[0]))
			cmd.Env = append(os.Environ(), asWorld+"="+bin, share+"="+fmt.Sprint(w, worlds, count, seed))
			cmd.Stderr = os.Stderr
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Error(err)
				return
			}
			lines := bufio.NewScanner(out)
			lines.Buffer(nil, 64<<20)
			for lines.Scan() {
				var n numbered
				if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
					t.Errorf("%v: %s", err, lines.Text())
					continue
				}
				mu.Lock()
				tally[n.R.Decision]++
				if n.R.Contained {
					contained++
				}
				if len(n.R.Broken) > 0 {
					broken++
				}
				mu.Unlock()
				if os.Getenv(showVar) != "" {
					t.Logf("%d %s %v: %s\n\t%s\n\t%.300q", n.N, n.R.Decision, n.R.Contained, n.R.Call, n.R.Ran, n.R.Output)
				}
				if len(n.R.Broken) > 0 {
					t.Errorf("call %d of seed %d: %s\n\tran: %s\n\t%s\n\toutput: %.1500q", n.N, seed, n.R.Call, n.R.Ran, strings.Join(n.R.Broken, "\n\t"), n.R.Output)
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Error("a world ended: ", err)
			}
		})
	}
	group.Wait()
	t.Logf("seed %d: %v, %d contained, %d break the law", seed, tally, contained, broken)
}

// confined makes a command the first process of namespaces of its own.
func confined(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	return cmd
}
