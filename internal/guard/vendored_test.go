package guard_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// workPlace is a project in a home directory of its own, with a repository.
type workPlace struct {
	t             *testing.T
	home, project string
}

func newWorkPlace(t *testing.T) *workPlace {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	home := t.TempDir()
	d := &workPlace{t, home, filepath.Join(home, "app")}
	d.put("a.txt", "a\n")
	d.git("init", "-q")
	return d
}

func (d *workPlace) put(name, text string) {
	d.t.Helper()
	name = filepath.Join(d.project, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *workPlace) git(args ...string) {
	d.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", d.project, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (d *workPlace) commit() {
	d.t.Helper()
	d.git("add", "-A")
	d.git("commit", "-qm", "x")
}

// asks checks whether a script is asked about.
func (d *workPlace) asks(when, script string, want bool) {
	d.t.Helper()
	g := builtin(d.t)
	v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: d.project, Script: script, Shell: true, Edits: true, Attended: true}, realDisk(g, d.home, d.project))
	if got := v.Decision >= tool.Ask; got != want {
		d.t.Errorf("%s: %s\n\tgot %s %s: %s", when, script, v.Decision, v.Rule, v.Reason)
	}
}

// TestVendored judges what fills the directory of copies of modules anew: what it has put there itself is no loss, and neither is what git
// has; anything else is.
func TestVendored(t *testing.T) {
	for script, files := range map[string][]string{
		"go mod vendor":  {"modules.txt", "example.com/m/m.go", "example.com/m/v2/deep/m.go"},
		"go work vendor": {"modules.txt", "example.com/m/m.go"},
		"cargo vendor":   {"m/.cargo-checksum.json", "m/src/lib.rs"},
	} {
		d := newWorkPlace(t)
		d.asks("without the directory", script, false)
		for _, name := range files {
			d.put("vendor/"+name, "# example.com/m v1.0.0\n## explicit\nexample.com/m\n")
		}
		d.asks("as it was filled", script, false)
		for _, mine := range []string{"vendor/NOTES.md", "vendor/mine/lib.rs", "vendor/example.com/mine/a.go"} {
			d.put(mine, "mine\n")
			d.asks("with "+mine, script, true)
			d.asks("with "+mine, "true && "+script+" && git status --short", true)
			d.asks("with "+mine, "cargo vendor --no-delete", false)
			if err := os.RemoveAll(filepath.Join(d.project, mine)); err != nil {
				t.Fatal(err)
			}
		}
		d.put("vendor/mine/lib.rs", "mine\n")
		d.commit()
		d.asks("committed", script, false)
		d.put("vendor/mine/lib.rs", "edited\n")
		d.asks("edited", script, true)
		d.commit()
		for i := range 2100 {
			if err := os.MkdirAll(filepath.Join(d.project, "vendor", fmt.Sprint("none", i)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		d.asks("with more directories than are looked at", script, true)
	}
}

// TestVendoredByGo has the real program fill the directory.
func TestVendoredByGo(t *testing.T) {
	runsPrograms(t)
	d := newWorkPlace(t)
	d.put("go.mod", "module example.com/app\n\ngo 1.21\n\nrequire example.com/m v1.0.0\n\nreplace example.com/m => ./m\n")
	d.put("m/go.mod", "module example.com/m\n\ngo 1.21\n")
	d.put("m/m.go", "package m\n")
	d.put("a.go", "package app\n\nimport _ \"example.com/m\"\n")
	vendor := func() {
		cmd := exec.Command("go", "mod", "vendor")
		cmd.Dir, cmd.Env = d.project, append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	vendor()
	d.asks("as it was filled", "go mod vendor", false)
	d.put("vendor/mine/a.go", "package mine\n")
	d.asks("with another file", "go mod vendor", true)
	vendor()
	if _, err := os.Stat(filepath.Join(d.project, "vendor/mine/a.go")); err == nil {
		t.Error("the file is still there")
	}
}
