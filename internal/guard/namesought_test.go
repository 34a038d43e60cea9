package guard_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestNamesSought runs searches on files of settings that have the same names and other values: what is allowed on two of them answers the same,
// so that it tells nothing of a value. Whoever asks for a name by a part of it is not asked.
func TestNamesSought(t *testing.T) {
	runsPrograms(t)
	quiet := []string{
		"grep -q API_KEY .env", "grep -q API_KEY .env && echo set", "grep -c API_KEY .env", "grep -l KEY .env", "grep -L KEY .env", "grep -qi api_key .env", "grep -c '^API' .env", "grep -qE 'API_KEY|TOKEN' .env", `grep -c 'API_KEY\|PORT=' .env`,
		"if grep -qs API_KEY .env; then echo yes; fi", "grep -vc API_KEY .env", `[ "$(grep -c API_KEY .env)" -gt 0 ] && echo set`,
	}
	others := []string{
		"grep API_KEY .env", "grep -o API_KEY .env", "grep -q K .env", "grep -q KE .env", "grep -c 'API_KEY=A' .env", "grep -qE '^API_KEY=[A-M]' .env", "grep -qw API_KEY= .env", "grep -qx API_KEY=abc .env", "grep -cF . .env", "grep -q abc .env",
		"grep -qi ABC .env", "grep -qE 'abc|API_KEY' .env", "grep -c -e API_KEY -e abc .env", "grep -q abc.*API_KEY .env", "grep -q API_KEY. .env", "grep -qz API_KEY .env", "grep -cn API_KEY .env", "grep -l KEY .env | xargs cat", "grep -q API_KEY .env && cat .env",
		"grep -c API_KEY$ .env", "grep -q more .env",
	}
	values := []string{"abcDEF", "xyz.=w", "API_KEY", `"a b"`, "3abc", "'more", "\"x\nmore=\"", "#k"}
	g := builtin(t)
	answers, allowed, asked := map[string]string{}, 0, 0
	for n, value := range values {
		home := t.TempDir()
		project := filepath.Join(home, "proj")
		if err := os.Mkdir(project, 0o755); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("# settings\nexport API_KEY=%s\nPORT=30%s\n", value, value)
		if err := os.WriteFile(filepath.Join(project, ".env"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		w := realDisk(g, home, project)
		w.ReadSecret = w.ReadFile
		for i, script := range append(quiet[:len(quiet):len(quiet)], others...) {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			if v.Decision >= tool.Ask {
				if asked++; n < 2 && i < len(quiet) {
					t.Errorf("%q: %s: %s", value, script, v.Reason)
				}
				continue
			}
			allowed++
			cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
			cmd.Dir = project
			out, err := cmd.Output()
			answer := fmt.Sprintf("%s %v", out, err)
			if before, seen := answers[script]; seen && before != answer {
				t.Errorf("%q: %s is allowed, and answers %q instead of %q", value, script, answer, before)
			}
			answers[script] = answer
		}
	}
	if allowed < 40 || asked < 100 {
		t.Errorf("%d allowed, %d asked", allowed, asked)
	}
}
