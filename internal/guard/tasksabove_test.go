package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestTasksDefinedElsewhere: just looks into the directories above for its file, and has modules. What they find
// there is judged as what lies where they are started, and runs where it is found.
func TestTasksDefinedElsewhere(t *testing.T) {
	const just = "bad:\n\trm -rf ../docs\nok:\n\trm -rf build\nmod named\nmod inside\nmod far 'lib/far.just'\nmod lost\n"
	const module = "bad:\n\trm -rf ~/docs\nok:\n\techo ok\n"
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, root, filepath.Join(root, "proj"))
	for name, text := range map[string]string{
		"proj/justfile": just, "proj/named.just": module, "proj/inside/mod.just": module, "proj/lib/far.just": module,
		"proj/a/b/x": "", "proj/own/justfile": "bad:\n\techo other\nok:\n\trm -rf ~/docs\n", "docs/x": "", "proj/build/x": "",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	asks := func(script string) bool {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v.Decision >= tool.Ask
	}
	for _, at := range []string{"", "cd a && ", "cd a/b && ", "cd a; cd b; "} {
		for _, run := range []string{"just %", "just named %", "just named::%", "just inside::%", "just far %", "just ok named::%"} {
			for task, bad := range map[string]bool{"bad": true, "ok": false} {
				if script := at + sprintf(run+"s", task); asks(script) != bad {
					t.Errorf("%s: asks: %v", script, !bad)
				}
			}
		}
	}
	for script, want := range map[string]bool{"cd own && just bad": false, "cd own && just ok": true, "just lost::x": true, "cd a && just -f ../justfile ok": false} {
		if asks(script) != want {
			t.Errorf("%s: asks: %v", script, !want)
		}
	}
}
