package guard_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestFilesMovedOnTop has a real shell move files, and holds the answer against what is left: where one of them is gone afterwards
// because another one took its place, that is a deletion.
func TestFilesMovedOnTop(t *testing.T) {
	runsPrograms(t)
	targets := []string{"new", "new/", "there", "there/", "./there/.", "deep/new", "../proj/new"}
	ways := []string{
		`for f in *.txt; do mv "$f" %s; done`, `for f in *.txt; do mv -f $f %s; done`, `for f in a.txt b.txt; do mv "$f" %s; done`, `mv a.txt %s; mv b.txt %s`,
		`find d -type f -exec mv {} %s \;`, `find d -name '*.csv' -exec mv -v {} %s \;`, `find d -type f -exec sh -c 'mv "$1" %s' _ {} \;`, `find d -type f | xargs -I{} mv {} %s`, `find d -type f | while read -r f; do mv "$f" %s; done`, `ls d | xargs -I% mv d/% %s`, `printf '%s\n' a.txt b.txt | xargs -I{} mv {} %s`,
		`m() { mv "$1" %s; }; m a.txt; m b.txt`, `for f in d/*; do { mv "$f" %s; }; done`, `for f in d/*; do (mv "$f" %s); done`, `set -- a.txt b.txt; for f; do mv "$f" %s; done`, `mv *.txt %s`, `mv a.txt %s`,
		`find d -type f -exec mv -t %s {} +`, `for f in *.txt; do mv -t %s "$f"; done`,
	}
	scripts := []string{
		"mv a.txt x; mv x y", "mv a.txt a.bak; echo x > a.txt; mv a.bak c.txt", "for f in *.txt; do mv \"$f\" \"$f.bak\"; done", "for f in *.txt; do mv \"$f\" \"${f%.txt}.md\"; done", "for f in *.txt; do sed s/q/r/ \"$f\" > tmp; mv tmp \"$f\"; done",
		"sort a.txt > tmp && mv tmp a.txt; sort -r a.txt > tmp && mv tmp a.txt", "for i in 1 2; do sort a.txt > tmp; mv tmp sorted; done", "mv d/x.csv there/; mv d/y.csv there/", "mv a.txt there/same; mv b.txt there/same", "touch x; mv a.txt x; mv b.txt x", "touch x; for f in *.txt; do mv \"$f\" x; done", "touch deep; mkdir x; mv a.txt x; mv b.txt x", "touch x/y; mv a.txt x; mv b.txt x", "mkdir x; touch x/y; mv a.txt x; mv b.txt x", "install -d x; mv a.txt x; mv b.txt x", "mkdir -p x/y; mv a.txt x; mv b.txt x",
	}
	for _, list := range []string{"find d -type f", "ls *.txt", "ls -td *.txt", "ls -t d/*"} {
		for _, cut := range []string{"head -1", "head -n1", "head -n 1", "tail -1", "tail --lines=1", "grep -m1 [ab]", "head -2", "grep -1 [xy]", "tail -n +1", "head -1 -n 2", "head -n 2 | tail -1"} {
			scripts = append(scripts, list+" | "+cut+" | xargs -I{} mv {} new", list+" | "+cut+" | xargs -I{} mv {} there/")
		}
		scripts = append(scripts, "{ "+list+" | head -1; "+list+" | tail -1; } | xargs -I{} mv {} new", "for i in 1 2; do "+list+" | head -1 | xargs -I{} mv {} new; done", list+" | head -1 | find d -type f -exec mv {} new \\;")
	}
	for _, way := range ways {
		for _, target := range targets {
			script := strings.ReplaceAll(strings.ReplaceAll(way, `'%s\n'`, `'\0'`), "%s", target)
			script = strings.ReplaceAll(script, `'\0'`, `'%s\n'`)
			scripts = append(scripts, script, "mkdir -p new deep/new; "+script)
		}
	}
	held := map[string]string{"a.txt": "text of a", "b.txt": "text of b", "d/x.csv": "text of x", "d/y.csv": "text of y", "there/z": "text of z"}
	for _, way := range []string{
		`for f in *.txt; do mv "$f" %s; done`, `mv a.txt %s; mv b.txt %s`, `for f in a.txt b.txt; do mv "$f" %s; done`, `find d -type f -exec mv {} %s \;`, `find d -name '*.csv' | while read -r f; do mv "$f" %s; done`, `find d -type f | xargs -I{} mv {} %s`,
		`D=%s; for f in *.txt; do mv "$f" "$D"; done`, `for f in *.txt; do n=%s; mv "$f" "$n"; done`, `m() { mv "$1" %s; }; m a.txt; m b.txt`, `mv a.txt %s`, `for f in d/*; do (mv "$f" %s); done`, `if [ -f a.txt ]; then mv a.txt %s; else mv b.txt %s; fi`,
	} {
		for _, name := range []string{`"there/$(date +%F).csv"`, `"new-$(hostname).txt"`, `"there/$(id -u)-x"`, `there/$(date +%F).csv`, `"there/x$(git rev-parse --short HEAD 2>/dev/null).csv"`} {
			if strings.HasPrefix(way, "D=") || strings.Contains(way, "n=") { // the variable is a part of the name
				inner := strings.Trim(name, `"`)
				if at := strings.LastIndexByte(inner, ')'); at > 0 {
					start := strings.LastIndex(inner[:at], "$(")
					scripts = append(scripts, strings.NewReplacer("%s", inner[start:at+1], `"$D"`, `"`+inner[:start]+`${D}`+inner[at+1:]+`"`, `"$n"`, `"`+inner[:start]+`$n`+inner[at+1:]+`"`).Replace(way))
				}
				continue
			}
			scripts = append(scripts, strings.ReplaceAll(way, "%s", name))
		}
	}
	scripts = append(scripts, `i=0; for f in *.txt; do i=$((i+1)); mv "$f" "there/$i-$(date +%F).csv"; done`, `i=0; for f in *.txt; do mv "$f" "there/$((i++)).csv"; done`, `for f in *.txt; do mv "$f" "there/$RANDOM$RANDOM$RANDOM.csv"; done`,
		`D=$(date +%F); mkdir -p "new/$D-x"; mv a.txt "new/$D-x"; mv b.txt "new/$D-x"`, `mkdir -p "new/$(date +%F)-x" && for f in *.txt; do mv "$f" "new/$(date +%F)-x"; done`, `mv a.txt "there/a-$(date +%F).csv"; mv b.txt "there/b-$(date +%F).csv"`)
	for _, script := range scripts {
		v, lost := moveFiles(t, held, script)
		if asks := v.Decision >= tool.Ask; lost != asks && !(asks && !lost && mayAsk.MatchString(script)) {
			t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
		}
	}
}

// moveFiles judges a script and runs it in a project with some files, and says whether the text of one is gone afterwards. A text that begins
// with an arrow is that of a link.
func moveFiles(t *testing.T, held map[string]string, script string) (v tool.Verdict, lost bool) {
	t.Helper()
	return moveFilesIn(t, held, script, "bash", 0)
}

// moveFilesIn is moveFiles in a shell, and waits for a loss behind its end for some time.
func moveFilesIn(t *testing.T, held map[string]string, script, shell string, behind time.Duration) (v tool.Verdict, lost bool) {
	t.Helper()
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, root, filepath.Join(root, "proj"))
	w.Zsh = shell == "zsh"
	for name, text := range held {
		file := filepath.Join(w.Project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, link := strings.CutPrefix(text, "-> "); link {
			if err := os.Symlink(to, file); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	v, _ = g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, shell, "-c", script)
	if w.Zsh {
		cmd = exec.CommandContext(ctx, shell, "-f", "-c", script)
	}
	cmd.Dir = w.Project
	_ = cmd.Run()
	for until := time.Now().Add(behind); ; time.Sleep(20 * time.Millisecond) {
		if lost = isLost(w.Project, held); lost || !time.Now().Before(until) {
			return v, lost
		}
	}
}

// isLost says whether the text of one of the files is in none below a directory.
func isLost(dir string, held map[string]string) bool {
	var left strings.Builder
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			left.Write(text)
		}
		return err
	})
	for _, text := range held {
		if !strings.HasPrefix(text, "-> ") && !strings.Contains(left.String(), text) {
			return true
		}
	}
	return false
}

// mayAsk matches scripts that lose nothing here, but might: where no directory is, or with a list that is another one each time;
// and where a pattern that is not quoted may be a name.
var mayAsk = regexp.MustCompile(`deep/new|grep -1|grep -m1 \[ab\]|^for i in 1 2; do .* head -1`)

// TestPatternsOnDisk judges commands with all kinds of patterns against a real disk, where names have signs of patterns themselves: each
// gets an answer.
func TestPatternsOnDisk(t *testing.T) {
	runsPrograms(t)
	root := t.TempDir()
	project := filepath.Join(root, "proj")
	for _, name := range []string{"app/(group)/page.tsx", "app/[id]/page.tsx", "app/@modal/(.)photo/page.tsx", "app/a|b/x", "app/+(x)/y", "app/**/z", "app/x)/y", "out/z"} {
		if err := os.MkdirAll(filepath.Join(project, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g := builtin(t)
	w := realDisk(g, root, project)
	names := []string{"!(x)", "+(x)", "@(x|y)", "?(x)", "*(x)", "@(x|@(y|z))", "x@(y|z)", "@(x|y)z", "@(", "'(group)'", `\(group\)`, "'[id]'", "[(]group)", "'@(x'", "'@(x|y)'", "**", "*'('*", "'x)'", "'**'", "{x,'(group)'}", "$(ls app)", "$x"}
	for _, run := range []string{"mv %s out/", "mv %s out/z", "cp %s out/", "cp -r %s out", "for f in %s; do mv $f out/; done", "for f in %s; do cp out/z $f; done", "ls %s | xargs -I{} mv {} out/", "cat %s | tee %s", "find app -path %s -exec mv {} out/ \\;", "rm -rf %s", "ln -sf %s out/"} {
		for n, name := range names {
			for i, at := range []string{"app/%s", "app/%s/*", "app/*/%s", "%s", "app/**/%s", "%s/%s"} {
				if leftOut(n + i) {
					continue
				}
				script := sprintf(run, sprintf(at, name))
				if v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true}, w); strings.Contains(v.Reason, "internal error") {
					t.Errorf("%s: %s", script, v.Reason)
				}
			}
		}
	}
}
