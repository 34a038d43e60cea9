package guard_test

import (
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
