package guard_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestHandedScripts hands texts to a function that nobody knows. Each in which a real shell runs the command that loses a directory
// must not be allowed, whatever stands around the command; sentences, statements and patterns must be.
func TestHandedScripts(t *testing.T) {
	root := t.TempDir()
	project := filepath.Join(root, "proj")
	for _, dir := range []string{project + "/src", root + "/docs"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(root+"/docs/a", []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	forms := []string{
		"%s", "if true; then %s; fi", "if [ -d ../docs ]; then %s; fi", "for d in ../docs; do rm -rf $d; done", "while true; do %s; break; done", "until %s; do :; done", "case a in a) %s;; esac", "true; if true; then %s; fi", "ls\nif true\nthen %s\nfi",
		"exec %s", "command %s", `\%s`, "(%s)", "( %s )", "{ %s; }", "! %s", "$none %s", "> /dev/null %s", "2>/dev/null %s", "rm\t-rf\t../docs", "rm${IFS}-rf${IFS}../docs", "x=1 %s", "f() { %s; }; f", "if false; then ls; else %s; fi", "[ -d ../docs ] && %s", "true | %s", "echo $(%s)",
		"'rm' -rf ../docs", `"rm" -rf ../docs`, `r\m -rf ../docs`, "time %s", "if true; then\n\tif true; then %s; fi\nfi", "for i in 1; do if true; then %s; fi; done",
	}
	var bad []string
	for _, form := range forms {
		text := strings.ReplaceAll(form, "%s", "rm -rf ../docs")
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		cmd := exec.CommandContext(ctx, "bash", "-c", `rm() { for a; do if [ "$a" = ../docs ]; then echo LOST > "$OUT"; fi; done; }; `+strings.NewReplacer("exec ", "", "command ", "", `\rm`, "rm").Replace(text))
		ran := filepath.Join(t.TempDir(), "ran")
		cmd.Dir, cmd.Env = project, []string{"PATH=/usr/bin:/bin", "OUT=" + ran}
		out, _ := cmd.CombinedOutput()
		if cancel(); !there(ran) {
			t.Errorf("%q does not run it: %s", text, out)
		}
		bad = append(bad, encoded(t, text))
	}
	for _, list := range [][]string{{"git", "stash", "drop"}, {"rm", "-rf", "../docs"}} {
		bad = append(bad, encoded(t, list), encoded(t, strings.Join(list, " ")))
	}
	bad = append(bad, `["rm", "-rf", sys.argv[1]]`, `["rm", "-rf", x]`, `["git", "checkout", "src"]`)
	for _, text := range []string{
		"getattr (__import__ ('os'), 'system') ('x')", "eval (x)", "exec (x)", "from os import system as f; f('x')", "from shutil import rmtree", "from pathlib import Path; Path('x').unlink()", "import pathlib", "print(open ('.env').read())", "{{ x['o'+'s'] }}",
	} {
		bad = append(bad, encoded(t, text))
	}
	var good []string
	for _, text := range []string{
		"if you find errors in src/app.py, fix them", "make sure that all tests pass; then commit", "open (the file) and read it", "time is up; do it now", "git push failed", "npm install failed", "for file in src/*.py do something; then stop", "(a|b) or cat|dog",
		"Run `npm test` and `git push` first", "git status", "select * from find where a = 1", "(?P<name>[a-z]+)\\s*(x|y)", "$.store.book[*].author", "> quoted text in find", "!important", "exec summary (2024)", "from here to there", "date (UTC)", "system (linux)", "a = sort(b)",
		"{{ name }} and {% if x %}y{% endif %}", "\\d+ files", "{a: 1, b: 2}", "kill the process if it hangs", "rm is a command", "do not delete the files", "then it stops", "while we wait for find",
	} {
		good = append(good, encoded(t, text))
	}
	good = append(good, `["git", "docker", "make"]`, `["test", "install", "data"]`, `["find", "sort", "cut"]`, `["date", x]`, `["min", "max"]`)
	g := builtin(t)
	w := realDisk(g, root, project)
	for asks, list := range map[bool][]string{true: bad, false: good} {
		for _, text := range list {
			for _, way := range []string{"python3 -c 'import lib, sys; x = sys.argv[1]; lib.f(@)' ../docs", "node -e 'const lib = require(\"lib\"); const x = process.argv[2]; lib.f(@)' ../docs"} {
				if strings.HasPrefix(way, "node") && strings.Contains(text, "sys.") {
					continue
				}
				script := strings.Replace(way, "@", strings.ReplaceAll(text, "'", `'\''`), 1)
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
				if v.Decision >= tool.Ask != asks {
					t.Errorf("%s: %v %s", script, v.Decision, v.Reason)
				}
			}
		}
	}
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// encoded is a value as Python and JavaScript write it.
func encoded(t *testing.T, v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}
