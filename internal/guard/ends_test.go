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

// TestEndsOfNothing runs statements that end well although they run nothing, or of which it is not known whether they leave, behind a
// change of directory that fails: what stands behind them is deleted in the project then, and must not be allowed.
func TestEndsOfNothing(t *testing.T) {
	runsPrograms(t)
	statements := []string{
		`eval`, `eval ""`, `eval " "`, `eval "# c"`, `eval "$1"`, `eval -- ""`, `. ./empty`, `. ./comments`, `source /dev/stdin </dev/null`, `for i in $x; do exit; done`, `for i in ""; do :; done`, `for i in *.none; do exit; done`, `for i; do exit; done`, `for i in $(true); do exit; done`, `while false; do exit; done`,
		`until true; do exit; done`, `if false; then exit; fi`, `case a in b) exit;; esac`, `case $x in ?*) exit;; esac`, `for ((; 0; )); do exit; done`, `x=`, `x=$(true)`, `: $(true)`, `>/dev/null`, `{ eval ""; }`, `(eval "")`, `bash -c ""`, `bash -c "# c"`, `sh <empty`, `command`, `builtin`, `command eval ""`, `f() { :; }`, `export x`, `true | eval ""`,
		`eval "" | cat`, `f() { eval "$1"; }; f`, `f() { for i; do return 1; done; }; f`, `f() { . ./empty; }; f`, `eval '{ eval ""; }'`, `eval "f() { :; }"`, `time eval ""`, `[ -z "$x" ]`, `[[ -z $x ]]`, `(( 1 ))`, `let 1`, `trap - EXIT`, `trap "" INT`, `alias`, `set --`, `shift 0`, `unset x`, `local x`, `select i in; do exit; done </dev/null`, `read x </dev/null || :`,
	}
	places := []string{
		`cd build/none; %s && rm -rf src`, `cd build/none || %s && rm -rf src`, `cd build/none || { %s; } && rm -rf src`, `if cd build/none || { %s; }; then rm -rf src; fi`, `f() { cd build/none; %s; }; f && rm -rf src`, `cd build/none; while %s; do rm -rf src; break; done`, `cd build/none; { %s; } || exit; rm -rf src`, `set -e; { cd build/none || %s; }; rm -rf src`, `[ -d build/none ] || %s && rm -rf src`, `(cd build/none; %s) && rm -rf src`,
		`bash -c 'cd build/none || %s && rm -rf src'`, `bash -ec 'cd build/none || %s; rm -rf src'`,
	}
	traps := []string{`cd build/none || return; %s`, `cd build/none || return 1; %s`, `cd build/none || break; %s`, `cd build/none || continue; %s`, `cd build/none || break 2; %s`, `cd build/none || { return; }; %s`, `(cd build/none || return; %s)`, `for i in 1; do cd build/none || break; done; %s`, `for i in 1; do cd build/none || break 2; %s; done`, `f() { cd build/none || return; }; f; %s`, `eval "cd build/none || return"; %s`, `cd build/none && return; %s`, `f() { cd build/none || return; %s; }; f`, `for i in 1; do cd build/none || break; %s; done`}
	scripts := []string{}
	for _, place := range places {
		for _, st := range statements {
			if !strings.Contains(place, "'") || !strings.Contains(st, "'") {
				scripts = append(scripts, sprintf(place, st))
			}
		}
	}
	for _, quiet := range []string{`cd build/none && %s && rm -rf src`, `cd build/none || exit; %s; rm -rf src`, `%s; cd build/none && rm -rf src`, `if cd build/none; then %s; rm -rf src; fi`} {
		for _, st := range []string{`eval ""`, `. ./empty`, `for i in $x; do exit; done`, `true`, `case a in b) exit;; esac`, `if false; then exit; fi`, `(exit)`} {
			scripts = append(scripts, sprintf(quiet, st))
		}
	}
	for _, text := range traps {
		text = sprintf(text, "rm -rf src")
		scripts = append(scripts, `trap '`+text+`' EXIT`, `f() { trap '`+text+`' EXIT; }; f`, `for i in 1; do trap '`+text+`' EXIT; done`, `bash -c "trap '`+strings.ReplaceAll(text, `"`, `\"`)+`' EXIT"`, `f() { `+text+`; }; trap f EXIT`, `trap '`+text+`' EXIT; exit`)
	}
	root := t.TempDir()
	project, stubs := filepath.Join(root, "proj"), filepath.Join(root, "stubs")
	for name, text := range map[string]string{
		"proj/src/f": "f", "proj/empty": "", "proj/comments": "# c\n\n",
		"stubs/rm": "#!/bin/sh\nfor a; do case $a in -*) ;; *) if [ -e \"$a\" ]; then echo LOST >&2; fi ;; esac; done\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	g := builtin(t)
	losing, quiet := 0, 0
	shells := bothShells()
	for _, shell := range shells {
		w := realDisk(g, root, project)
		w.Zsh = shell == "zsh"
		lost := losersIn(t, shell, project, stubs, scripts)
		for j, script := range scripts {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			switch asks := v.Decision >= tool.Ask; {
			case lost[j] && !asks:
				t.Errorf("%s: %s deletes something, and it is allowed", script, shell)
			case lost[j]:
				losing++
			case !asks:
				quiet++
			}
		}
	}
	if losing < 250*len(shells) || quiet < 30*len(shells) {
		t.Errorf("%d delete something, %d are allowed", losing, quiet)
	}
}

// losersIn is losers for a shell, without a client around it.
func losersIn(t *testing.T, shell, dir, stubs string, scripts []string) []bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 120*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/bash", append([]string{"-c", `for s; do timeout 5 "$0" -c "$s" 2>&1 </dev/null | grep -q LOST && echo 1 || echo 0; done`, shell}, scripts...)...)
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + stubs + ":/usr/bin:/bin"}
	out, err := cmd.Output()
	answers := strings.Fields(string(out))
	if err != nil || len(answers) != len(scripts) {
		t.Fatal(err, len(answers))
	}
	lost := make([]bool, len(scripts))
	for i, answer := range answers {
		lost[i] = answer == "1"
	}
	return lost
}
