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

// TestSilentOrNot redirects commands of the shell that print something to a file: that is an edit of it.
func TestSilentOrNot(t *testing.T) {
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	for _, script := range []string{
		"x() { echo x; }; x > f", "x() { ls; }; x > f", "eval 'echo x' > f", "cd . && cd - > f", "pushd . > f", "dirs > f", "umask > f", "times > f", "ulimit -a > f", "shopt > f", "set -o > f", "type ls > f", "command -v ls > f", "help > f", "kill -l > f", "builtin pwd > f",
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

// TestEmptiedBySilence redirects builtins, with words with which they print something and with others, in several ways to a file, in real
// shells: where it is empty then, the script is not allowed, and where it holds something, that is an edit of it.
func TestEmptiedBySilence(t *testing.T) {
	runsPrograms(t)
	commands := []string{
		"declare x=1", "declare -i x=1", "declare -a x=(1 2)", "declare x=1 y=2", "declare -x x", "typeset x=1", "export A=1", "export A=1 B=2", "export A", "readonly R=1", "local y=1", "unset x", "shift", "let i=1", "((i++))", "printf -v x y", "printf -v x %s-%s a b",
		"x=1", "x=$(echo 1)", "alias zz1=y", "umask 022", "ulimit -n 200", "ulimit -c 0", "set -- a b", "trap - EXIT", "hash -r", "getopts ab o", "read -r x < g", "test -f g", "[ -f g ]", "[[ -f g ]]", "eval x=1", "command declare x=1", "builtin export A=1", "command printf -v x y", "wait", ": x", "touch h", "mkdir h", "rm -f h", "ln -sf g h", "mkdir -p h/i",
		"umask", "umask -S", "ulimit -n", "ulimit -a", "printf x", "command printf x", "trap 'echo x' EXIT; trap", "set -o", "times", "mkdir -v h", "ln -sfv g h", "type ls", "jobs -l; pwd", "kill -l",
	}
	ways := []string{"%s > f", "%s >| f", "{ %s; } > f", "(%s) > f", "if :; then %s; fi > f", "x() { %s; }; x > f", "x() { %s > f; }; x", "%s >> f", "%s > f > e", "true && %s > f", "%s > f 2> e"}
	root := t.TempDir()
	g := builtin(t)
	empty, edited := 0, 0
	for _, shell := range []string{"bash", "zsh"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		w := realDisk(g, filepath.Dir(root), root)
		w.Zsh = shell == "zsh"
		for i, command := range commands {
			for k, way := range ways {
				if sampled() && (i+k)%3 != 0 {
					continue
				}
				script := sprintf(way, command)
				if strings.Contains(command, "; ") && strings.HasPrefix(way, "%s") || shell == "zsh" && (strings.Contains(command, "kill") || strings.HasPrefix(command, "command printf -v") || strings.Contains(way, "> e") && strings.Contains(way, "> f >")) { // a program there, and what may not be done yet
					continue
				}
				furnish(t, root)
				for name, text := range map[string]string{"f": "old\n", "g": "new\n"} {
					if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				cmd := exec.CommandContext(ctx, shell, "-c", script)
				cmd.Dir, cmd.Env = root, []string{"HOME=" + root, "PATH=" + os.Getenv("PATH")}
				_ = cmd.Run()
				cancel()
				text, err := os.ReadFile(filepath.Join(root, "f"))
				switch asks := v.Decision >= tool.Ask; {
				case err != nil:
					t.Errorf("%s: %s: %v", shell, script, err)
				case len(text) == 0 && !asks:
					t.Errorf("%s: %s: %s, and empties the file", shell, script, v.Decision)
				case len(text) == 0:
					empty++
				case asks && v.Rule != "env-dump":
					t.Errorf("%s: %s: %s, and leaves %q", shell, script, v.Reason, text)
				default:
					edited++
				}
			}
		}
	}
	if (empty < 100 || edited < 50) && !sampled() {
		t.Errorf("%d are emptied, %d edited", empty, edited)
	}
}
