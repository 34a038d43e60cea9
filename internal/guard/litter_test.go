package guard_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestMovedAndEmptied moves files, and empties, replaces or deletes something: where a line is gone, the script is not allowed, and where
// that was a file that the script has just made, it is.
func TestMovedAndEmptied(t *testing.T) {
	runsPrograms(t)
	moves := []string{"mv keep n", "mv keep n; mv n m", "mv keep d/n", "mkdir e; mv keep e", "mkdir e && mv keep log e/", "mv d/keep log d/sub/n", "mv d e", "for f in keep log; do mv $f $f.old; done", "for f in *; do mv \"$f\" \"$f.old\"; done", "mv log d/sub", "bash -c 'mv keep n'", "mv -t d/sub log", "mv l* d/sub", "echo 1 > a; mv a n", "cp keep n", "printf '1\\n' > n; mv n m"}
	empties := []string{": > X", "> X", "cp /dev/null X", "truncate -s 0 X", "tee X < /dev/null", "rm -f X", "sed -i d X", "dd if=/dev/null of=X", "python3 -c 'open(\"X\",\"w\").close()'", "export A=1 > X", "sort X > X", "mv d/sub/keep X"}
	places := []string{"n", "m", "d/n", "e/keep", "e/log", "keep.old", "d/sub/log", "new"}
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	losing, quiet := 0, 0
	for i, move := range moves {
		for k, empty := range empties {
			for l, place := range places {
				if (i+k+l)%3 != 0 {
					continue
				}
				script := move + "; " + strings.ReplaceAll(empty, "X", place)
				furnish(t, root)
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
				left := leftIn(t, root, script)
				switch lost := len(left) < 4; {
				case lost && v.Decision < tool.Ask:
					t.Errorf("%s: %s, and leaves %v", script, v.Decision, left)
				case lost:
					losing++
				case v.Decision < tool.Ask:
					quiet++
				case k < 2 && (place == "new" && i < 7 || i > 12 && place == "n"):
					t.Errorf("%s: %s", script, v.Reason)
				}
			}
		}
	}
	if losing < 30 || quiet < 60 {
		t.Errorf("%d lose something, %d are allowed", losing, quiet)
	}
}

// furnish puts files into an empty directory, each with a text of its own.
func furnish(t *testing.T, root string) {
	t.Helper()
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"keep", "log", "d/keep", "d/sub/keep"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("mine: "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// leftIn are the lines of the user that are left in a directory after a script.
func leftIn(t *testing.T, root, script string) map[string]bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/bash", "-c", script)
	cmd.Dir, cmd.Env = root, []string{"HOME=" + root, "PATH=" + os.Getenv("PATH")}
	_ = cmd.Run() // a step may fail
	lines := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "mine: ") {
				lines[line] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
