package longline_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	doc := dependencies(t)
	required := map[string]bool{}
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(line)
		if len(f) == 2 && strings.HasPrefix(f[1], "v") && strings.Contains(f[0], ".") {
			required[f[0]] = true
			if !strings.Contains(doc, "| `"+f[0]+"` |") {
				t.Errorf("%s has no reason in docs/design.md", f[0])
			}
		}
	}
	if len(required) == 0 {
		t.Fatal("nothing is required")
	}
	for line := range strings.Lines(doc) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			if name, _, _ = strings.Cut(name, "`"); !required[name] {
				t.Errorf("docs/design.md speaks of %s, which go.mod does not require", name)
			}
		}
	}
}

// dependencies is the section of the document about them.
func dependencies(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(doc), "## Dependencies\n")
	if !found {
		t.Fatal("docs/design.md has no section about dependencies")
	}
	return section
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
	doc := dependencies(t)
	for line := range strings.Lines(doc) {
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

// Every command that builds the executables for use does without cgo, whatever is set and installed
// here: what it makes needs nothing of the system's libraries, so that nothing can be put in
// their place. The README's is run.
func TestExecutablesAreStatic(t *testing.T) {
	if testing.Short() {
		t.Skip("builds")
	}
	places := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "Dockerfile", "Makefile", "install.sh", ".goreleaser.yaml", "packaging/extras"}
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("(?:CGO_ENABLED=0 )?go (?:build|install) [^`\n]*\\./cmd/[a-z.-]*")
	found, first := 0, ""
	for _, name := range append(places, documents...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range command.FindAllString(string(text), -1) {
			if found++; first == "" {
				first = line
			}
			if !strings.HasPrefix(line, "CGO_ENABLED=0 ") && !strings.Contains(string(text), "\nexport CGO_ENABLED = 0\n") {
				t.Errorf("%s: %s leaves it open whether cgo is used", name, line)
			}
		}
	}
	if found < 6 || !strings.Contains(first, "-o ~/.local/bin/ ") {
		t.Fatalf("%d commands were found, the first is %q", found, first)
	}
	home := t.TempDir()
	cmd := exec.Command("bash", "-c", strings.ReplaceAll(first, "~", home))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS=linux")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"longline", "longline-hook", "longline-wall"} {
		f, err := elf.Open(filepath.Join(home, ".local/bin", name))
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

// No program that is for use takes its home directory from the environment: only tests, and
// what builds programs for them, know how.
func TestHomeOfTestsOnly(t *testing.T) {
	out, err := exec.Command("git", "grep", "-lI", "KnownHome", "--", ".", ":!*_test.go").Output()
	if err != nil {
		t.Skip("no repository: ", err)
	}
	if want := "Makefile\ninternal/config/roots.go\n"; string(out) != want {
		t.Errorf("KnownHome is spoken of in\n%s, want\n%s", out, want)
	}
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "TRIAL") && !strings.HasPrefix(line, "TRIAL =") && !strings.Contains(line, "-o dist-fleet/") && !strings.Contains(line, `-o "$$tmp/`) {
			t.Errorf("a build for tests ends up elsewhere: %s", line)
		}
	}
}
