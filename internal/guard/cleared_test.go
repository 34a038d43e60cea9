package guard_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestClearedThroughLinks empties files in a directory of build output by what may be a link, on the disk or made by the script, to a
// file that nobody keeps. Where bash empties that file the script is not allowed; where it does not, the script stays allowed.
func TestClearedThroughLinks(t *testing.T) {
	ways := []string{
		": > %s", "true > %s", "truncate -s 0 %s", "truncate -s 1 %s", "cp /dev/null %s", "cat /dev/null > %s", "tee %s < /dev/null", "dd if=/dev/null of=%s", "dd if=/dev/null of=%s count=0", "for f in %s; do : > \"$f\"; done", "find %s -exec truncate -s 0 {} +",
		"rm %s", "rm -f %s", "mv %s build/else", "find %s -delete", "ln -sf o.o %s", "shred -n 1 %s", "touch %s", "ls -l %s > /dev/null",
	}
	places := []struct{ before, name string }{
		{"", "build/n"}, {"", "build/*"}, {"", "build/?"}, {"", "build/o.o"}, {"ln -s ../notes.txt build/m; ", "build/m"}, {"ln -s \"$PWD/notes.txt\" build/m; ", "build/[m]"}, {"cd build; ", "n"}, {"ln -s ../notes.txt build/m; cd build; ", "m"},
	}
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	lost, kept := 0, 0
	for _, place := range places {
		for _, way := range ways {
			script := place.before + sprintf(way, place.name)
			if place.name == "build/*" && (way == "mv %s build/else" || way == "ln -sf o.o %s" || way == "dd if=/dev/null of=%s" || way == "dd if=/dev/null of=%s count=0" || way == "cp /dev/null %s") {
				continue // they take several words for something else
			}
			for _, dir := range []string{"build", "notes.txt"} {
				if err := os.RemoveAll(filepath.Join(root, dir)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(filepath.Join(root, "build"), 0o755); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"notes.txt": "precious\n", "build/o.o": "made\n"} {
				if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink("../notes.txt", filepath.Join(root, "build/n")); err != nil {
				t.Fatal(err)
			}
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			cmd := exec.CommandContext(ctx, "bash", "-c", script)
			cmd.Dir, cmd.Env = root, []string{"HOME=" + root, "PATH=" + os.Getenv("PATH")}
			cmd.Run() // what is left counts
			cancel()
			text, err := os.ReadFile(filepath.Join(root, "notes.txt"))
			if err != nil {
				t.Fatal(script, err)
			}
			if string(text) != "precious\n" {
				if lost++; v.Decision < tool.Ask {
					t.Errorf("%s empties what a link points at, and is let through", script)
				}
			} else if kept++; v.Decision >= tool.Ask && place.name == "build/o.o" {
				t.Errorf("%s: %s", script, v.Reason)
			}
		}
	}
	if lost < 60 || kept < 40 {
		t.Errorf("only %d lose the file, and %d do not", lost, kept)
	}
}
