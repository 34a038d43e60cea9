package longline_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// linked lists every package that a program links.
func linked(t *testing.T, program string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}}", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, name := range strings.Fields(string(out)) {
		// What the standard library is made of inside is its own affair.
		if !strings.HasPrefix(name, "internal/") && !strings.HasPrefix(name, "runtime/internal/") && !strings.HasPrefix(name, "vendor/") {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// In Go the initialisation of everything that is linked runs with every call.
// So what longline-hook links is written down, and a newcomer has to be meant.
func TestWhatTheHookLinks(t *testing.T) {
	const golden = "testdata/hook-links.txt"
	got := strings.Join(linked(t, "./cmd/longline-hook"), "\n") + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	before, after := strings.Fields(string(want)), strings.Fields(got)
	for _, name := range after {
		if !slices.Contains(before, name) {
			t.Errorf("%s is new on the way of every call; if that is meant, go test . -run TestWhatTheHookLinks -update", name)
		}
	}
	for _, name := range before {
		if !slices.Contains(after, name) {
			t.Errorf("%s is no longer linked; go test . -run TestWhatTheHookLinks -update", name)
		}
	}
}

// What initialisation allocates is counted, because time depends on the machine. A Go
// program that does nothing has 1.6 kB in 24 pieces.
func TestInitialisationIsCheap(t *testing.T) {
	const maxBytes, maxAllocs = 4_000, 48
	program := filepath.Join(t.TempDir(), "longline-hook")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/longline-hook").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(program, "--no-such-flag")
	cmd.Env = []string{"GODEBUG=inittrace=1"}
	trace, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	packages, bytes, allocs := 0, 0, 0
	for lines := bufio.NewScanner(trace); lines.Scan(); {
		// init NAME @T ms, T ms clock, N bytes, N allocs
		f := strings.Fields(lines.Text())
		if len(f) < 11 || f[0] != "init" {
			continue
		}
		b, err := strconv.Atoi(f[7])
		if err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		a, err := strconv.Atoi(f[9])
		if err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		packages, bytes, allocs = packages+1, bytes+b, allocs+a
		if strings.HasPrefix(f[1], "longline/") && a > 0 {
			t.Errorf("%s allocates %d bytes at start, with every call", f[1], b)
		}
	}
	cmd.Wait()
	if packages == 0 {
		t.Fatal("no trace")
	}
	if bytes > maxBytes || allocs > maxAllocs {
		t.Errorf("initialisation allocates %d bytes in %d pieces; at most %d in %d are accepted", bytes, allocs, maxBytes, maxAllocs)
	}
}
