package guard_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/modelfile"
	"longline/internal/tool"
)

// TestEmptied judges what removes a directory before it fills it: work in there that git does not have is lost, whether it
// is in files of the project's repository or in a repository of its own.
func TestEmptied(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	g := builtin(t)
	home := t.TempDir()
	project, module := filepath.Join(home, "app"), filepath.Join(home, "module")
	git := func(dir string, args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "protocol.file.allow=always"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	put := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{project, module} {
		put(filepath.Join(dir, "a.txt"), "a\n")
		put(filepath.Join(dir, "vendor/x/x.go"), "package x\n")
		git(dir, "init", "-q")
		git(dir, "add", "-A")
		git(dir, "commit", "-qm", "x")
	}
	check := func(when, script string, want bool) {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, realDisk(g, home, project))
		if lost := v.Rule == "git-discard"; lost != want {
			t.Errorf("%s: %s\n\tgot %s %s", when, script, v.Decision, v.Rule)
		}
	}
	var scripts []string
	for _, name := range modelNames(t) {
		for _, e := range examples(t, name) {
			if strings.Contains(e.Does, "write vendor/**") && len(modelfile.Split(e.Run)) < 4 {
				scripts = append(scripts, e.Run, e.Run+" && git status --short", "true; "+e.Run)
			}
		}
	}
	if len(scripts) < 6 {
		t.Fatalf("only %q", scripts)
	}
	all := func(when string, want bool) {
		for _, s := range scripts {
			check(when, s, want)
		}
		check(when, "git add -A && git commit -m x && "+scripts[0], false)
		check(when, "cargo vendor --no-delete", false)
	}
	all("as it is committed", false)
	put(filepath.Join(project, "a.txt"), "another\n")
	all("changed elsewhere", false)
	put(filepath.Join(project, "vendor/x/x.go"), "package x // mine\n")
	all("changed in the directory", true)
	git(project, "checkout", "-q", ".")
	all("as it was", false)
	git(project, "submodule", "add", "-q", module, "vendor/module")
	git(project, "commit", "-qm", "module")
	all("with a submodule", true)
}

// TestEmptiedOfItsOwn has a real pytest fill a directory, which it empties the next time: what it has left there itself is no loss, but anything
// else is, and so is what the script moves there.
func TestEmptiedOfItsOwn(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import pytest").Run() != nil {
		t.Skip("pytest is not installed; pip install pytest")
	}
	home := t.TempDir()
	project := filepath.Join(home, "app")
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(project, "notes.md"), "notes")
	put(filepath.Join(project, "test_x.py"), `import pytest
@pytest.mark.parametrize("x", [1, "a/b"])
def test_one(tmp_path, x): (tmp_path / "f").write_text("x")
def test_two(tmpdir, tmp_path_factory): tmp_path_factory.mktemp("data")
`)
	g := builtin(t)
	check := func(when, script string, want bool) {
		t.Helper()
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, realDisk(g, home, project))
		if asks := v.Decision >= tool.Ask; asks != want {
			t.Errorf("%s: %s\n\tgot %s %s", when, script, v.Decision, v.Reason)
		}
	}
	const run = "pytest --basetemp=left"
	check("before", run, false)
	check("before", "mkdir left && mv notes.md left && "+run, true)
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp=left")
		cmd.Dir = project
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		check("after it ran", run, false)
	}
	check("after it ran", "mv notes.md left/ && "+run, true)
	check("after it ran", "mv notes.md left/test_two0/ && "+run, true)
	check("after it ran", "pytest --basetemp=.", true)
	for _, other := range []string{"left/notes.md", "left/run1/log", "left/data/x"} {
		put(filepath.Join(project, other), "mine")
		check("with "+other, run, true)
		if err := os.RemoveAll(filepath.Join(project, "left", strings.Split(other, "/")[1])); err != nil {
			t.Fatal(err)
		}
	}
	check("without them", run, false)
}
