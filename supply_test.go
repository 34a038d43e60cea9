package longline_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every module that go.mod requires directly has its reason in the document, and
// the document speaks of no other.
func TestDependenciesHaveReasons(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]bool{}
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(line)
		if len(f) == 2 && strings.HasPrefix(f[1], "v") && strings.Contains(f[0], ".") {
			required[f[0]] = true
			if !strings.Contains(string(doc), "| `"+f[0]+"` |") {
				t.Errorf("%s has no reason in docs/dependencies.md", f[0])
			}
		}
	}
	if len(required) == 0 {
		t.Fatal("nothing is required")
	}
	for line := range strings.Lines(string(doc)) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			if name, _, _ = strings.Cut(name, "`"); !required[name] {
				t.Errorf("docs/dependencies.md speaks of %s, which go.mod does not require", name)
			}
		}
	}
}

// What the document says about which executables a module is in is what the
// linker would put there.
func TestDependenciesAreWhereTheySay(t *testing.T) {
	linked := map[string]string{}
	for _, name := range []string{"longline", "longline-hook", "longline-wall"} {
		out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/"+name).Output()
		if err != nil {
			t.Fatal(err)
		}
		for module := range strings.FieldsSeq(string(out)) {
			if !strings.HasSuffix(linked[module], name) {
				linked[module] = strings.TrimPrefix(linked[module]+", "+name, ", ")
			}
		}
	}
	doc, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(line, "|")
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		module, where := strings.Trim(cells[1], " `"), strings.TrimSpace(cells[2])
		where = strings.TrimPrefix(strings.ReplaceAll(", "+where, ", tests", ""), ", ")
		if want := linked[module]; where != want {
			t.Errorf("%s is said to be in %q and is in %q", module, where, want)
		}
	}
}

// The executables need nothing of the system's libraries, so that nothing can be
// put in their place.
func TestExecutablesAreStatic(t *testing.T) {
	if testing.Short() {
		t.Skip("builds")
	}
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", dir+"/", "./cmd/...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"longline", "longline-hook", "longline-wall"} {
		f, err := elf.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
				t.Errorf("%s is linked to libraries (%v)", name, p.Type)
			}
		}
	}
}
