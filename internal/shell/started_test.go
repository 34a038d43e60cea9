package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestVariablesOfNewShells gives each variable that a shell knows by itself to a new shell: in it the variable is what the reader holds it
// for. Many shells give it a value of their own, or are not handed one.
func TestVariablesOfNewShells(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "src"), 0o755))
	must(t, os.Symlink(".", filepath.Join(dir, "link")))
	var list []string
	for i, name := range namesOfShells(t) {
		for j, shell := range []string{"bash", "zsh", "sh"} {
			for k, form := range []string{"V=x S -c 'rm \"$V\"'", "env V=x S -c 'rm \"$V\"'", "export V=x; S -c 'rm \"$V\"'"} {
				if (i+j+k)%3 == 0 {
					list = append(list, strings.NewReplacer("V", name, "S", shell).Replace(form))
				}
			}
		}
	}
	at := 0
	for _, name := range []string{"PWD", "OLDPWD", "_", "PS2", "GROUPS", "argv", "TTY", "other"} {
		for _, form := range []string{
			"V=@ S -c 'rm \"$V\"'", "V=@ S -c 'rm \"$V\"/x'", "V=@ S -c 'rm \"${V:-q}\"'", "V=@ S <<< 'rm \"$V\"'", "V=@ env S -c 'rm \"$V\"'", "V=@ find . -maxdepth 0 -exec S -c 'rm \"$V\"' ';'",
			"V=@ S -c 'cd src; rm \"$V\"'", "V=@ S -c 'cd src && cd -- - >/dev/null && rm \"$V\"'", "V=@ S -c 'S -c '\\''rm \"$V\"'\\'", "cd src; V=@ S -c 'rm \"$V\"'", "V=@ S -c 'V=z; rm \"$V\"'", "V=@ S -c 'V=z S -c '\\''rm \"$V\"'\\'", "export V=@; S -c 'rm \"$V\"'", "export V; V=@; S -c 'rm \"$V\"'", "V=@; S -c 'rm \"$V\"'",
		} {
			for _, shell := range []string{"bash", "zsh", "sh"} {
				for _, given := range []string{"/tmp", "/nosuch", "$PWD", "$PWD/src", "$PWD/link", "$PWD/.", ".", "''"} {
					if at++; at%5 == 0 || name == "PWD" && at%3 == 0 {
						list = append(list, strings.NewReplacer("V", name, "S", shell, "@", given).Replace(form))
					}
				}
			}
		}
	}
	list = sample(list)
	run := make([]string, len(list))
	for i, script := range list {
		run[i] = strings.ReplaceAll(script, "rm ", `printf "\0012\0%s\0%s\0" "$(/bin/pwd)" `)
	}
	lib, ran := command.Builtin(), 0
	for _, name := range []string{"bash", "zsh"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		w := &tool.World{Home: filepath.Dir(dir), Project: dir, Zsh: name == "zsh", ReadFile: os.ReadFile, Readlink: os.Readlink}
		args := map[string][]string{"zsh": {"-f"}}[name]
		for i, calls := range ranBy(t, path, args, dir, run) {
			res := Resolve(list[i], dir, w, lib)
			for _, c := range calls {
				if ran++; !hasGap(res) && !seen(res, c) {
					t.Errorf("%s runs %.200q for %q, believed%s", name, c.argv, list[i], believed(res))
				}
			}
		}
	}
	t.Logf("%d scripts, %d calls", len(list), ran)
}

// namesOfShells are the variables that the shells of this machine have by themselves, and others that mean something to one.
func namesOfShells(t *testing.T) []string {
	names := strings.Fields("BASH_ENV CDPATH COPROC FUNCNAME HOST LANG MAPFILE OLDPWD OPTARG PROMPT_COMMAND PS0 PS1 PS2 PS3 REPLY TIMEFORMAT TMPDIR TMOUT USER argv other")
	for _, ask := range [][]string{{"bash", "-c", "compgen -v"}, {"zsh", "-f", "-c", "print -l ${(k)parameters}"}} {
		cmd := exec.Command(ask[0], ask[1:]...)
		cmd.Env = []string{"PATH=/usr/bin:/bin"}
		out, err := cmd.Output()
		if err != nil {
			t.Logf("%s: %v", ask[0], err)
		}
		for _, name := range strings.Fields(string(out)) {
			if isName(name) && name != "PATH" && name != "path" { // by which the next shell is found
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
