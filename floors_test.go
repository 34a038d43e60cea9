package longline_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors lists every package from the ground up. A package imports only from
// floors below its own; those of floors 0 to 4 are pure.
var floors = [][]string{
	0:  {"host", "paths", "tool", "source", "record", "strictjson"},
	1:  {"expression", "value", "scan", "syntax", "language", "gitstore", "content"},
	2:  {"command", "agent", "packed", "powershell"},
	3:  {"reader", "policy", "sandbox", "modelfile", "mask", "contentfile"},
	4:  {"guard", "rulesfile", "permission", "session"},
	5:  {"disk"},
	6:  {"config", "audit", "history", "install", "schema", "state", "intake", "migrate", "screen", "undo", "veil"},
	7:  {"hook", "wall", "report", "review", "bundle", "ship", "person", "stats", "contentscan"},
	8:  {"serve", "sync", "behind", "userfiles", "draft", "replay"},
	9:  {"examine", "explain"},
	10: {"policytest"},
	11: {"cli"},
}

const pureUpTo = 4

// forTests are packages that several tests share, and nothing that is built.
var forTests = []string{"internal/bench/cpu", "internal/bench/usual", "internal/differ/belief", "internal/differ/grammar"}

// tools are what only runs when longline is built or tested.
var tools = append([]string{"internal/generate"}, forTests...)

// impure are the packages through which a pure package could reach the machine.
var impure = []string{"os", "net", "time", "log", "syscall", "unsafe", "plugin"}

// onHookPath are the packages every hook call links. YAML is for people's
// files; reading it is the costliest start-up there is.
var onHookPath = []string{"host", "paths", "tool", "expression", "value", "scan", "syntax", "language", "gitstore", "packed", "command", "agent", "strictjson", "powershell", "reader", "policy", "sandbox", "guard", "session", "disk", "audit", "config", "state", "permission", "veil", "hook"}

// packages maps the directory of each of our packages to what it imports,
// tests left out. It reads the sources itself, so that go test knows which
// files the result depends on.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, root := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
			if err != nil {
				return err
			}
			dir := filepath.ToSlash(filepath.Dir(path))
			imports[dir] = append(imports[dir], []string{}...)
			for _, spec := range file.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				if !slices.Contains(imports[dir], name) {
					imports[dir] = append(imports[dir], name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return imports
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
	all := packages(t)
	if len(all) < len(floors) {
		t.Fatalf("only %d packages found", len(all))
	}
	for path, imports := range all {
		if strings.HasPrefix(path, "cmd/") || slices.Contains(tools, path) {
			continue // above all floors
		}
		floor := floorOf(path)
		if floor < 0 {
			t.Errorf("%s is on no floor; add it to the table in floors_test.go", path)
			continue
		}
		for _, imp := range imports {
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

// TestFloorsAreDocumented holds the table in docs/design.md against the one here.
func TestFloorsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+), [^|]+\| ([^|]+) \|$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) != len(floors) {
		t.Fatalf("docs/design.md has %d floors, want %d", len(rows), len(floors))
	}
	for _, row := range rows {
		n, err := strconv.Atoi(row[1])
		if err != nil || n >= len(floors) {
			t.Fatalf("docs/design.md: there is no floor %s", row[1])
		}
		names := slices.Sorted(slices.Values(floors[n]))
		if want := "`" + strings.Join(names, "`, `") + "`"; row[2] != want {
			t.Errorf("docs/design.md: floor %d is %s, want %s", n, row[2], want)
		}
	}
}

func TestHookPathReadsNoYAML(t *testing.T) {
	all := packages(t)
	// walk reports the way from a package on the hook path to what it must
	// not import.
	var walk func(path string, way []string)
	walk = func(path string, way []string) {
		for _, imp := range all[path] {
			if strings.Contains(imp, "yaml") || imp == "encoding/json" {
				t.Errorf("%s imports %s, which costs every tool call start-up time", strings.Join(way, " imports "), imp)
			}
			if below, ours := strings.CutPrefix(imp, "longline/"); ours {
				walk(below, append(slices.Clone(way), below))
			}
		}
	}
	for _, name := range onHookPath {
		walk("internal/"+name, []string{"internal/" + name})
	}
	walk("cmd/longline-hook", []string{"cmd/longline-hook"})
}
