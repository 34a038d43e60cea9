package longline_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors lists every package from the ground up. A package imports only from
// floors below its own; those of floors 0 to 3 are pure.
var floors = [][]string{
	0: {"tool", "source", "record"},
	1: {"command", "agent", "strictjson"},
	2: {"shell", "policy", "sandbox", "content", "modelfile"},
	3: {"guard", "rulesfile"},
	4: {"config", "audit"},
	5: {"cli"},
}

const pureUpTo = 3

// impure are the packages through which a pure package could reach the machine.
var impure = []string{"os", "net", "time", "log", "syscall", "unsafe", "plugin"}

// onHookPath are the packages every hook call links. YAML is for people's
// files; reading it is the costliest start-up there is.
var onHookPath = []string{"tool", "command", "agent", "strictjson", "shell", "policy", "sandbox", "guard", "audit"}

type listed struct {
	ImportPath   string
	Imports      []string
	Deps         []string
	TestGoFiles  []string
	GoFiles      []string
	XTestGoFiles []string
}

func list(t *testing.T) map[string]listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,GoFiles", "./internal/...", "./cmd/...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	packages := map[string]listed{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			packages[strings.TrimPrefix(p.ImportPath, "longline/")] = p
		}
	}
}

// floorOf returns the floor of an internal package, or -1. A package below
// another (agent/x) lives on its parent's floor.
func floorOf(path string) int {
	name, internal := strings.CutPrefix(path, "internal/")
	if !internal {
		return -1
	}
	name, _, _ = strings.Cut(name, "/")
	return slices.IndexFunc(floors, func(floor []string) bool { return slices.Contains(floor, name) })
}

func TestFloors(t *testing.T) {
	for path, p := range list(t) {
		if strings.HasPrefix(path, "cmd/") {
			continue // above all floors
		}
		floor := floorOf(path)
		if floor < 0 {
			t.Errorf("%s is on no floor; add it to the table in floors_test.go", path)
			continue
		}
		for _, imp := range p.Imports {
			if below, ours := strings.CutPrefix(imp, "longline/"); ours {
				inside := strings.HasPrefix(below, path+"/") || strings.HasPrefix(path, below+"/")
				if floorOf(below) >= floor && !inside {
					t.Errorf("%s (floor %d) imports %s (floor %d); imports go downwards only", path, floor, below, floorOf(below))
				}
				continue
			}
			root, _, _ := strings.Cut(imp, "/")
			if floor <= pureUpTo && slices.Contains(impure, root) {
				t.Errorf("%s (floor %d) imports %s; floors 0 to %d get the machine handed in through tool.World", path, floor, imp, pureUpTo)
			}
		}
	}
}

func TestHookPathReadsNoYAML(t *testing.T) {
	for path, p := range list(t) {
		name, internal := strings.CutPrefix(path, "internal/")
		hook := internal && slices.Contains(onHookPath, name) || path == "cmd/longline-hook"
		if !hook {
			continue
		}
		for _, dep := range p.Deps {
			if strings.Contains(dep, "yaml") || dep == "encoding/json" {
				t.Errorf("%s depends on %s, which costs every tool call start-up time", path, dep)
			}
		}
	}
}
