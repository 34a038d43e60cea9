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

// TestTemporaryNames runs scripts in real shells: where one prints the secret of the project if no temporary file can be made, or is
// given a file of the project since the name of a temporary one is divided, it must not be allowed.
func TestTemporaryNames(t *testing.T) {
	const secret = "sk_live_0123456789abcdef"
	root := t.TempDir()
	project := filepath.Join(root, "proj")
	for name, text := range map[string]string{".env": "API_KEY=" + secret + "\n", "src/f": "f\n", "data": "d\n"} {
		if err := os.MkdirAll(filepath.Join(project, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g := builtin(t)
	const rm = `rm() { for a; do case $a in -*|/*) ;; *) if [ -e "$a" ]; then echo LOST; fi ;; esac; done; }; `
	const fails, named = `mktemp() { return 1; }; ` + rm, `mktemp() { for a; do case $a in --suffix=*) echo "/tmp/tmp.x${a#--suffix=}";; esac; done; }; ` + rm
	asked, quiet := 0, 0
	for stubs, list := range map[string][]string{
		fails: {
			`d=$(mktemp -d); grep -rn "$d" .`, `d=$(mktemp); cat "$d".env`, `f=$(mktemp); sort "$f".env`, `d=$(mktemp -d); head -5 $d.env`, `d=$(mktemp -d) || true; grep -rn "$d" .`, `if d=$(mktemp -d); then :; fi; grep -rn "$d" .`,
			`d=$(mktemp -d) || exit; grep -rn "$d" .`, `d=$(mktemp -d); cp src/f "$d"; cat "$d"/f`, `f=$(mktemp); ls > "$f"; cat "$f"`, `d=$(mktemp -d); cd "$d"; grep -rn TODO .`, `f=$(mktemp); diff "$f" src/f`, `d=$(mktemp -d) && cat "$d".env`,
		},
		named: {
			`d=$(mktemp -d --suffix=' data') || exit; rm -rf $d`, `d=$(mktemp -d --suffix=' *') || exit; rm -rf $d`, `d=$(mktemp -d --suffix=' .env') || exit; cat $d`, `s=' data'; d=$(mktemp -d --suffix="$s") || exit; rm -rf $d`,
			`d=$(mktemp -d --suffix=' data') || exit; for x in $d; do rm -rf $x; done`, `d=$(mktemp -d --suffix='?data') || exit; rm -rf $d`, `d=$(mktemp -d --suffix=-data) || exit; rm -rf $d`, `d=$(mktemp -d --suffix=.d) || exit; rm -rf "$d"`,
		},
	} {
		for _, script := range list {
			leaks := false
			for _, shell := range []string{"bash", "zsh"} {
				if _, err := exec.LookPath(shell); err != nil {
					continue
				}
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				cmd := exec.CommandContext(ctx, shell, "-c", stubs+script)
				cmd.Dir, cmd.Env = project, []string{"HOME=" + project, "PATH=/usr/bin:/bin"}
				out, _ := cmd.CombinedOutput()
				cancel()
				leaks = leaks || strings.Contains(string(out), secret) || strings.Contains(string(out), "LOST")
			}
			for _, zsh := range []bool{false, true} {
				w := realDisk(g, root, project)
				w.Zsh = zsh
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
				switch asks := v.Decision >= tool.Ask; {
				case leaks && !asks:
					t.Errorf("%s: is allowed", script)
				case leaks:
					asked++
				case !asks:
					quiet++
				}
			}
		}
	}
	if asked < 20 || quiet < 12 {
		t.Errorf("%d ask, %d are allowed", asked, quiet)
	}
}
