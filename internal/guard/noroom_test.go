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

// TestNoRoom runs scripts in a real shell in which no temporary directory can be made and nothing is deleted: where something that is
// there would be, the script must not be allowed.
func TestNoRoom(t *testing.T) {
	makers := []string{
		`d=$(mktemp -d); %s`, `d="$(mktemp -d)"; %s`, "d=`mktemp -d`; %s", `d=$(mktemp -d 2>/dev/null); %s`, `d=$(mktemp -d -t x.XXXXXX); %s`, `d=$(mktemp -d || true); %s`, `readonly d=$(mktemp -d) && %s`, `export d=$(mktemp -d) && { %s; }`,
		`d=$(mktemp -d) && { %s; }`, `d=$(mktemp -d) && %s`, `d=$(mktemp -d 2>/dev/null) && { %s; }`, `if d=$(mktemp -d); then %s; fi`, `d=$(mktemp -d) || exit 1; %s`, `d=$(mktemp -d); [ -n "$d" ] || exit 1; %s`, `d=$(mktemp -d); [ -d "$d" ] && { %s; }`, `! d=$(mktemp -d) || { %s; }`,
	}
	uses := []string{
		`rm -rf "$d"/*`, `rm -rf $d/*`, `rm -rf "$d"/bin`, `cd "$d" && rm -rf *`, `cd $d && rm -rf *`, `cd "$d" && touch a && rm -rf ./*`, `cd "$d" && rm -rf src`, `(cd "$d" && rm -r src)`, `pushd "$d" >/dev/null && rm -rf src`, `cd "$d"; rm -rf src`,
		`rm -rf "$d"`, `rm -rf $d`, `trap 'rm -rf "$d"' EXIT`, `trap 'rm -rf $d' EXIT; cp src/f "$d"`, `cd "$d" && rm -rf none`, `cd "$d" && rm -rf node_modules`, `rm -rf "$d/none"`, `mkdir "$d/none"; rm -rf "$d/none"`, `cp src/f "$d"; rm -rf "$d"`, `touch "$d/none"; ls "$d"`,
	}
	root := t.TempDir()
	project := filepath.Join(root, "proj")
	for _, name := range []string{"src/f", "node_modules/m"} {
		if err := os.MkdirAll(filepath.Join(project, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const stubs = `mktemp() { return 1; }; touch() { :; }; mkdir() { :; }; cp() { :; }
rm() { for a; do case $a in -*|*node_modules) ;; *) if [ -e "$a" ]; then echo LOST; fi ;; esac; done; }; `
	g := builtin(t)
	w := realDisk(g, root, project)
	losing, quiet := 0, 0
	for _, maker := range makers {
		for _, use := range uses {
			script := sprintf(maker, use)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			cmd := exec.CommandContext(ctx, "/bin/bash", "-c", stubs+script)
			cmd.Dir, cmd.Env = project, []string{"HOME=" + project, "PATH=/usr/bin:/bin"}
			out, _ := cmd.CombinedOutput()
			cancel()
			lost := strings.Contains(string(out), "LOST")
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			switch asks := v.Decision >= tool.Ask; {
			case lost && !asks:
				t.Errorf("%s: deletes something if there is no room, and is allowed", script)
			case lost:
				losing++
			case !asks:
				quiet++
			case strings.Contains(v.Reason, "temporary file can be made") && !strings.Contains(maker, "mktemp -d || true"):
				t.Errorf("%s: %s", script, v.Reason)
			}
		}
	}
	if losing < 40 || quiet < 100 {
		t.Errorf("%d delete something, %d are allowed", losing, quiet)
	}
}
