package guard_test

import (
	"os/exec"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestVariablesThatAreHidden runs scripts that print all variables into a program: who would see the value of a secret one, or could guess it,
// is asked, and who sees others or counts lines is not.
func TestVariablesThatAreHidden(t *testing.T) {
	runsPrograms(t)
	quiet := []string{
		"env | grep '^PATH='", "env | grep -E '^(PATH|HOME)='", `env | grep '^\(PATH\|HOME\)='`, "env | grep -E '^PATH=|^HOME='", "env | grep -i '^path='", "printenv | grep ^NODE_ENV= | head -1", "env | wc -l", "env |grep -c .", "env | grep -q '^API_TOKEN=' && echo set",
		"export NODE_ENV=test; env | grep '^NODE_ENV='", "env | grep -n '^PATH=' | cut -d: -f1", `test "$(env | grep -c '^API_TOKEN=')" -gt 0`,
	}
	others := []string{
		"env", "env | cat", "env | sort", "env | grep TOKEN", "env | grep '^API_TOKEN='", `env | grep '^API_TOKE\w='`, "env | grep '^API_TOKE.='", "env | grep '^A'", "env | grep -E '^(PATH|.*)='", "env | grep -E '^(PATH|API_TOKEN)='", "env | grep -E '^(PATH|HOME)=|MARK'",
		"env | grep -v '^PATH='", "env | grep -A99 '^PATH='", "env | grep -B99 -A99 '^HOME='", "env | grep -99 '^PATH='", "env -0 | grep -az '^API'", "env | grep -z '^PATH='", "env | grep -e '^PATH=' -e MARK", "env | tee x | grep '^PATH='; cat x", "env >x | grep '^PATH='; cat x",
		"(env) | (grep '^PATH='; cat)", "env | { cat; grep '^PATH='; }", "env; true | grep '^PATH='", "env || grep '^PATH='", "env & echo | grep '^PATH='; wait", "grep() { cat; }; env | grep '^PATH='", "env | (grep -q '^HOME='; env)", "env | grep -qc 'TOKEN=M'",
		"env | grep -q '^API_TOKEN=M' && echo begins with M", "for c in L M; do env | grep -q \"^API_TOKEN=$c\" && echo $c; done", "env | grep -o 'MARK.*'", "env | awk /MARK/", "env | cut -d= -f2", "wc -l; env", "env | wc -l - x", "env | grep -c K", "sh -c env | grep '^PATH='",
	}
	g := builtin(t)
	home := t.TempDir()
	w := realDisk(g, home, home)
	shown := 0
	for i, script := range append(quiet[:len(quiet):len(quiet)], others...) {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: home, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if asks := v.Decision >= tool.Ask; asks != (i >= len(quiet)) {
			t.Errorf("%s: asks: %v (%s)", script, asks, v.Reason)
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
		cmd.Dir, cmd.Env = home, []string{"PATH=/usr/bin:/bin", "HOME=" + home, "API_TOKEN=MARK1", "NODE_ENV=test", "AWS_SECRET=MARK2"}
		out, _ := cmd.Output()
		if strings.Contains(string(out), "MARK") {
			if shown++; v.Decision < tool.Ask {
				t.Errorf("%s shows %q, and is allowed", script, out)
			}
		}
	}
	if shown < 15 {
		t.Errorf("only %d scripts show a secret", shown)
	}
}
