package guard_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestCodeInValues: text that arithmetic, a subscript, a pattern of zsh or the first line of a script makes code of is judged as code. Each
// script runs in bash and zsh with a home of its own.
func TestCodeInValues(t *testing.T) {
	runsPrograms(t)
	var scripts []string
	for _, value := range []string{"a[$(rm -rf ~/other)]", "$(rm -rf ~/other)"} {
		for _, word := range []string{"${y:-$z}", "${y-$z}", "${y:=$z}", "${HOME:+$z}", "${y:+$z}", "${y:-z}", "${y:-${z}}", "${y:-${w:-$z}}", "${1:-$z}", "${y[0]:-$z}", "${HOME//\\//$z}", "$z", "${y:-\"$z\"}"} {
			for _, use := range []string{
				"echo $(( @ ))", "(( q = @ ))", "(( q = @ + 1 ))", "[[ @ -eq 1 ]]", "x[@]=1", "x=([@]=1)", "declare -a x=([@]=1)", "x+=([@]=1)", "let q=@", "declare -i q=@", "w=@; echo $((w))", "echo ${HOME:@}", "echo ${x[@]}",
				"for ((i=@; i<1; i++)); do :; done", "f() { local n=@; echo $((n)); }; f", "[ @ -eq 1 ]", "printf %d @", "unset x[@]", "echo $(( 1 + @ * 2 ))",
			} {
				scripts = append(scripts, "z='"+value+"'; "+strings.ReplaceAll(use, "@", word))
			}
		}
	}
	scripts = append(scripts, `x=([${y:-\$(rm -rf ~/other)}]=1)`, "x=([${y:-\"\\`rm -rf ~/other\\`\"}]=1)", `x=([${z:=\$(rm -rf ~/other)}]=1)`)
	for _, qualifier := range []string{"(e:'rm -rf ~/other':)", "(oe:'rm -rf ~/other':)", `(.e:"rm -rf ~/other":)`, `(e:rm\ -rf\ ~/other:)`, "(+rm\\ -rf\\ ~/other)"} {
		for _, form := range []string{"ls ${y:-*@}", "ls ${y-*@}", "ls ${HOME:+*@}", "ls ${y:-${w:-*@}}", "echo *${y:-@}", "for f in ${y:-*@}; do :; done", "a=(${y:-*@})", "echo R${y:-*@}", "echo <->@", "ls -d ./<1->@", "echo ${y:-<->@}", "echo ${y:=*@}"} {
			scripts = append(scripts, strings.ReplaceAll(form, "@", qualifier))
		}
	}
	for _, line := range []string{
		`/usr/bin/env -S bash -c "rm -rf ~/other"`, "/bin/sh ./wipe", "/bin/sh wipe", "/usr/bin/env -S bash -e ./wipe", `/usr/bin/env -S sh -c "rm -rf ~/other"`, "/bin/sh -s", "/usr/bin/env -S bash -s", "/bin/bash --init-file", "/bin/bash --rcfile",
		`/usr/bin/env -S bash -c rm\_-rf\_~/other`, `/usr/bin/env -S bash -c "rm -rf ${HOME}/other"`, `/usr/bin/env --split-string=sh -c 'rm -rf ~/other'`, `/usr/bin/env -vS sh -c 'rm -rf ~/other'`, `/usr/bin/env -S -i HOME=${HOME} sh -c 'rm -rf ~/other'`,
		"/bin/bash -es", "/bin/sh -e", "/bin/sh -", "/bin/sh -eu", "/usr/bin/env -S bash -euo pipefail", "/usr/bin/env bash", "/bin/bash --login", "/bin/bash +x",
	} {
		scripts = append(scripts, "echo 'rm -rf ~/other' | ./first "+line)
	}
	quiet := map[string]bool{}
	for _, script := range []string{
		"echo $(( ${y:-0} ))", "echo $(( ${y:-} + 1 ))", "echo $(( ${PORT:-3000} + 1 ))", "[ ${y:-3} -eq 3 ]", "[[ ${y:-3} -eq 3 ]]", "x=([${y:-1}]=1)", "ls ${y:-src}", "ls ${y:-./src}", `echo "${y:-(none)}"`, "echo ${y:-none}", "cat <wipe >/dev/null", "exec 3<&-",
		"echo 'rm -rf ~/other' | ./first /bin/sh -e", "echo 'rm -rf ~/other' | ./first /usr/bin/env -S bash -euo pipefail", "echo 'rm -rf ~/other' | ./first /usr/bin/env bash",
	} {
		scripts, quiet[script] = append(scripts, script), true
	}
	g, ran := builtin(t), 0
	for n, script := range scripts {
		if leftOut(n) && !quiet[script] {
			continue
		}
		lost := false
		for _, shell := range []string{"bash", "zsh"} {
			if _, err := exec.LookPath(shell); err == nil {
				home, line := layOut(t, script)
				lost = deletesOther(t, shell, home, line) || lost
			}
		}
		home, line := layOut(t, script)
		w := realDisk(g, home, filepath.Join(home, "proj"))
		w.Zsh = true
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: line, Shell: true, Edits: true, Attended: true}, w)
		switch {
		case lost && v.Decision < tool.Ask:
			t.Errorf("%s deletes, and is %s", script, v.Decision)
		case quiet[script] && v.Decision != tool.Allow:
			t.Errorf("%s is %s (%s)", script, v.Decision, v.Reason)
		case lost:
			ran++
		}
	}
	if ran < 150 && !sampled() {
		t.Errorf("only %d of %d delete", ran, len(scripts))
	}
}

// layOut makes a home for a script, in which ./first is a file with the first line that stands behind it.
func layOut(t *testing.T, script string) (home, line string) {
	t.Helper()
	home = t.TempDir()
	files := map[string]string{"other/notes": "notes\n", "proj/README": "readme\n", "proj/7": "seven\n", "proj/src/a": "a\n", "proj/wipe": "rm -rf ~/other\n"}
	before, first, ok := strings.Cut(script, "./first ")
	if line = before; ok {
		files["proj/first"] = "#!" + first + "\necho hi\n"
		line += "./first"
	}
	for name, text := range files {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	return home, line
}

// deletesOther runs a script, and says whether it deletes a file of the home.
func deletesOther(t *testing.T, shell, home, script string) bool {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, shell, "-c", script)
	cmd.Dir, cmd.Env = filepath.Join(home, "proj"), []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
	_ = cmd.Run()
	_, err := os.Stat(filepath.Join(home, "other/notes"))
	return err != nil
}
