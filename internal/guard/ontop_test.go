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

// TestFilesMovedOnTop has a real shell move files, and holds the answer against what is left: where one of them is gone afterwards
// because another one took its place, that is a deletion.
func TestFilesMovedOnTop(t *testing.T) {
	targets := []string{"new", "new/", "there", "there/", "./there/.", "deep/new", "../proj/new"}
	ways := []string{
		`for f in *.txt; do mv "$f" %s; done`, `for f in *.txt; do mv -f $f %s; done`, `for f in a.txt b.txt; do mv "$f" %s; done`, `mv a.txt %s; mv b.txt %s`,
		`find d -type f -exec mv {} %s \;`, `find d -name '*.csv' -exec mv -v {} %s \;`, `find d -type f -exec sh -c 'mv "$1" %s' _ {} \;`, `find d -type f | xargs -I{} mv {} %s`, `find d -type f | while read -r f; do mv "$f" %s; done`, `ls d | xargs -I% mv d/% %s`, `printf '%s\n' a.txt b.txt | xargs -I{} mv {} %s`,
		`m() { mv "$1" %s; }; m a.txt; m b.txt`, `for f in d/*; do { mv "$f" %s; }; done`, `for f in d/*; do (mv "$f" %s); done`, `set -- a.txt b.txt; for f; do mv "$f" %s; done`, `mv *.txt %s`, `mv a.txt %s`,
		`find d -type f -exec mv -t %s {} +`, `for f in *.txt; do mv -t %s "$f"; done`,
	}
	scripts := []string{
		"mv a.txt x; mv x y", "mv a.txt a.bak; echo x > a.txt; mv a.bak c.txt", "for f in *.txt; do mv \"$f\" \"$f.bak\"; done", "for f in *.txt; do mv \"$f\" \"${f%.txt}.md\"; done", "for f in *.txt; do sed s/q/r/ \"$f\" > tmp; mv tmp \"$f\"; done",
		"sort a.txt > tmp && mv tmp a.txt; sort -r a.txt > tmp && mv tmp a.txt", "for i in 1 2; do sort a.txt > tmp; mv tmp sorted; done", "mv d/x.csv there/; mv d/y.csv there/", "mv a.txt there/same; mv b.txt there/same",
	}
	for _, way := range ways {
		for _, target := range targets {
			script := strings.ReplaceAll(strings.ReplaceAll(way, `'%s\n'`, `'\0'`), "%s", target)
			script = strings.ReplaceAll(script, `'\0'`, `'%s\n'`)
			scripts = append(scripts, script, "mkdir -p new deep/new; "+script)
		}
	}
	for _, script := range scripts {
		root := t.TempDir()
		g := builtin(t)
		w := realDisk(g, root, filepath.Join(root, "proj"))
		held := map[string]string{"a.txt": "text of a", "b.txt": "text of b", "d/x.csv": "text of x", "d/y.csv": "text of y", "there/z": "text of z"}
		for name, text := range held {
			file := filepath.Join(w.Project, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		cmd := exec.CommandContext(ctx, "/bin/bash", "-c", script)
		cmd.Dir = w.Project
		_ = cmd.Run()
		cancel()
		var left strings.Builder
		_ = filepath.WalkDir(w.Project, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				text, _ := os.ReadFile(path)
				left.Write(text)
			}
			return err
		})
		lost := false
		for _, text := range held {
			lost = lost || !strings.Contains(left.String(), text)
		}
		if asks := v.Decision >= tool.Ask; lost != asks && !(asks && !lost && strings.Contains(script, "deep/new")) {
			t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
		}
	}
}
