package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestSilentOrNot redirects commands of the shell that print something to a file: that is an edit of it.
func TestSilentOrNot(t *testing.T) {
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	for _, script := range []string{
		"x() { echo x; }; x > f", "x() { ls; }; x > f", "eval 'echo x' > f", "cd . && cd - > f", "pushd . > f", "dirs > f", "umask > f", "times > f", "ulimit -a > f", "shopt > f", "set -o > f", "type ls > f", "command -v ls > f", "help > f", "kill -l > f", "enable > f", "builtin pwd > f",
		"for i in 1 2; do echo $i; done > f", "if [ -d . ]; then ls; fi > f", "{ echo x >&2; } > f 2>&1", "{ set -x; :; } > f 2>&1", "{ set -x; :; } &> f", "{ exec 3>&1; echo x >&3; } > f", "{ echo x >&3; } 3> f", "(cd . && pwd) > f", "{ cat <<< x; } > f", "{ ls & wait; } > f", "{ ls | cat; } > f", "{ bash -c 'echo x'; } > f", "(trap 'echo hi' EXIT) > f", "exec > f; ls", "while read -r l; do echo \"$l\"; done <<< x > f", "{ time ls; } > f",
	} {
		furnish(t, root)
		if err := os.WriteFile(filepath.Join(root, "f"), []byte("old\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
		leftIn(t, root, script)
		text, err := os.ReadFile(filepath.Join(root, "f"))
		if err != nil || strings.TrimSpace(string(text)) == "" || string(text) == "old\n" {
			t.Errorf("%s writes %q, %v", script, text, err)
		}
		if v.Decision >= tool.Ask {
			t.Errorf("%s: %s", script, v.Reason)
		}
	}
}
