package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestCopiesToStreams: who copies what a search finds to a stream shows it, also what a link leads to.
func TestCopiesToStreams(t *testing.T) {
	root := t.TempDir()
	project := filepath.Join(root, "proj")
	for name, text := range map[string]string{".ssh/k": "secret\n", "proj/build/2/x": "x\n", "proj/src/k": "x\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, ".ssh/k"), filepath.Join(project, "build/2/k")); err != nil {
		t.Fatal(err)
	}
	g := builtin(t)
	w := realDisk(g, root, project)
	for script, asks := range map[string]bool{
		`cp "$(find build/2 -name k)" /dev/stdout`:               true,
		`{ cp "$(find build/2 -name k)" /dev/stdout; } > t`:      true,
		`find build -name k -exec cp {} /dev/stdout \;`:          true,
		`find build/2 -name k | xargs -I{} cp {} /dev/fd/1`:      true,
		`find build/2 -name k | xargs -I{} install {} /dev/fd/3`: true,
		`cp "$(find src -name k)" /dev/stdout`:                   false,
		`find src -name k -exec cp {} /dev/stdout \;`:            false,
		`ls build | tee /dev/stdout`:                             false,
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if v.Decision >= tool.Ask != asks {
			t.Errorf("%s: %v %s", script, v.Decision, v.Reason)
		}
	}
}
