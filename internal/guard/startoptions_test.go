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

// TestOptionsOfAShell starts zsh and bash with each of their options: where words become something else by one, the shell that is started
// so must not be allowed to read what they name.
func TestOptionsOfAShell(t *testing.T) {
	runsPrograms(t)
	root := t.TempDir()
	project := filepath.Join(root, "proj")
	for _, name := range []string{".env", "README.md", "data/one.csv", "build/x", "src/sub/f.txt"} {
		if err := os.MkdirAll(filepath.Join(project, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, name), []byte("API_KEY=sk_live_0123456789abcdef\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(root, filepath.Join(project, "build/up")); err != nil {
		t.Fatal(err)
	}
	words := []string{`*`, `.{e}nv`, `.E*`, `R*`, `data/*.csv none*`, `src/**/f.txt`, `{R,S}*`, `$v`, `"$v"`, `"$(cd build/up/.. && pwd)"/x`, `~README.md`, `.e(n)v`, `=x`, `data/one.csv~`}
	g := builtin(t)
	w := realDisk(g, root, project)
	run := func(shell string, args ...string) string {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, shell, args...)
		cmd.Dir, cmd.Env = project, []string{"HOME=" + root, "PATH=/usr/bin:/bin", "LC_ALL=C"}
		out, _ := cmd.Output()
		return string(out)
	}
	changed, quiet := 0, 0
	for shell, list := range map[string]string{"zsh": `print -rl -- ${(k)options}`, "bash": `shopt | cut -f1 | sed "s/ *$//"; set -o | sed "s/ .*//;s/	.*//"`} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		var flags [][]string
		for _, name := range strings.Fields(run(shell, "-c", list)) {
			if name == "exec" || name == "noexec" || name == "interactive" || name == "shinstdin" || name == "restricted" || name == "privileged" || name == "singlecommand" || name == "onecmd" {
				continue
			}
			flags = append(flags, []string{"-o", name})
			if shell == "zsh" {
				flags = append(flags, []string{"-o", "no" + name})
			} else {
				flags = append(flags, []string{"-O", name})
			}
		}
		for letter := range strings.SplitSeq("0123456789ABCDEFGHIJKLMNPQRSTUVWXYZabdefghkmuvxy", "") {
			flags = append(flags, []string{"-" + letter})
		}
		all := strings.Builder{} // each word by itself: one that fails ends the shell
		all.WriteString(`v="README.md .env"; `)
		for _, word := range words {
			all.WriteString(`(eval 'printf "%s\n" ` + word + `') 2>/dev/null; echo @; `)
		}
		usual := strings.Split(run(shell, "-c", all.String()), "@")
		if len(usual) != len(words)+1 {
			t.Fatalf("%s: %q", shell, usual)
		}
		for n, flag := range flags {
			if sampled() && n%4 != 0 {
				continue
			}
			got := strings.Split(run(shell, append(flag, "-c", all.String())...), "@")
			if len(got) != len(usual) {
				continue
			}
			for i, word := range words {
				script := shell + " " + strings.Join(flag, " ") + " -c 'v=\"README.md .env\"; cat " + word + "'"
				for _, zsh := range []bool{false, true} {
					w.Zsh = zsh
					v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
					switch asks := v.Decision >= tool.Ask; {
					case got[i] != usual[i] && strings.Contains(got[i], ".env") && !strings.Contains(usual[i], ".env") && !asks:
						t.Errorf("%s is allowed: %q, without the option %q", script, got[i], usual[i])
					case got[i] != usual[i]:
						changed++
					case !asks:
						quiet++
					}
				}
			}
		}
	}
	if (changed < 50 || quiet < 200) && !sampled() {
		t.Errorf("%d words become something else by an option, %d are allowed", changed, quiet)
	}
}

// TestFilesOfAShell: files that bash itself shows, cuts or translates by are asked about, however a variable comes to name them.
func TestFilesOfAShell(t *testing.T) {
	for _, zsh := range []bool{false, true} {
		w := world()
		w.Zsh = zsh
		for _, way := range []string{
			`V=.env; USE`, `V=.env W=1 true; V=.env USE`, `export V=.env; USE`, `declare V=.env; USE`, `f() { local V=.env; USE; }; f`, `printf -v V .env; USE`, `read V <<< .env; USE`, `for V in .env; do USE; done`, `: ${V:=.env}; USE`, `bash -c 'V=$1; USE' _ .env`, `env V=.env bash -c 'USE'`, `V=.env bash -c 'USE'`, `V=~/.ssh/id_ed25519; USE`,
		} {
			for name, use := range map[string]string{"HISTFILE": "HISTFILESIZE=0", "HOSTFILE": "compgen -A hostname"} {
				script := strings.ReplaceAll(strings.ReplaceAll(way, "V", name), "USE", use)
				if v := judged(t, script, true, w); v.Decision < tool.Ask {
					t.Errorf("%s: %v %s", script, v.Decision, v.Reason)
				}
			}
		}
		for _, script := range []string{`rm -rf $"build/x"`, `cat $"README.md"`, `eval $"ls"`, `$"ls"`, `echo $"$(ls)"`} {
			if v := judged(t, script, true, w); v.Decision < tool.Ask {
				t.Errorf("%s: %v %s", script, v.Decision, v.Reason)
			}
		}
		for _, script := range []string{`HISTFILE=/dev/null; ls`, `HISTFILE=; ls`, `unset HISTFILE; ls`, `HISTSIZE=0; ls`, `HISTFILESIZE=0; ls`, `echo $"hello"`} {
			if v := judged(t, script, true, w); v.Decision >= tool.Ask {
				t.Errorf("%s: %v %s", script, v.Decision, v.Reason)
			}
		}
	}
}

// TestAnchoredInZsh: zsh knows two anchors in front of a pattern, of which bash takes the second for a letter.
func TestAnchoredInZsh(t *testing.T) {
	w := world()
	w.Zsh = true
	for _, script := range []string{`x=build; rm -rf ${x/#%build/..\/docs}`, `x=build; rm -rf ${x/%#build/..\/docs}`, `x=README.md; cat "${x/#%README.md/.env}"`, `x=/tmp/a; rm -rf ${x/#%*/$HOME/docs}`, `printf '[include]\npath=~/.pypirc\n' | git config --includes -f - -l`} {
		if v := judged(t, script, true, w); v.Decision < tool.Ask {
			t.Errorf("%s: %v %s", script, v.Decision, v.Reason)
		}
	}
	if v := judged(t, `git config -l`, true, w); v.Decision >= tool.Ask {
		t.Errorf("%v %s", v.Decision, v.Reason)
	}
}
