package guard_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

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
