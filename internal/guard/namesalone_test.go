package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestNamesAlone runs programs on files of settings whose values and continued lines hold a mark: who would see it is asked, and who sees
// nothing but names is not.
func TestNamesAlone(t *testing.T) {
	runsPrograms(t)
	quiet := []string{"cut -d= -f1 .env", "cut -d '=' -f 1 .env", "cut -d= -f1 -s .env", "awk -F= '{print $1}' .env", "sed 's/=.*//' .env", "sed 's/=.*$//' .env", "grep -o '^[A-Z_]*' .env", "grep -oE '^[A-Z_]+=' .env", "grep -o '^[^=]*' .env", "cut -d= -f1 .env | sort", "cut -d= -f1 .env .env.local"}
	others := []string{"cut -d= -f2 .env", "cut -d= -f1,2 .env", "cut -d= -f1- .env", "cut -d: -f1 .env", "cut -c1-20 .env", "cut --complement -d= -f1 .env", "awk -F= '{print $2}' .env", "awk -F= '{print $1}' FS=@ .env", "awk '{print $1}' .env", "awk -F: '{print $1}' .env", "sed 's/#.*//' .env", "sed -n 's/=.*//;p' .env", "sed -e p -e 's/=.*//' .env", "sed 's/=.*//;l' .env", "grep -o '[A-Za-z_]*' .env", "grep -o '^.*' .env", "grep -o '^[A-Z_=]*[A-Za-z]*' .env", "grep -v '^[A-Z_]*' .env", "grep '^[A-Z_]*' .env", "cut -d= -f1 .env; cat .env", "grep -oi '[^=]*$' .env"}
	settings := map[string]bool{ // whether every line has a name
		"A_KEY=MARK\nB=MARK2\n":                                 true,
		"# remark\n\nexport A_KEY=\"MARK x\"\nb.c='MARK'\nD=\n": true,
		"A_KEY=\"MARK\nMARK\nMARK=\"\n":                         false,
		"A_KEY='-----BEGIN\nMARK=\nMARK\n'\n":                   false,
		"A_KEY=x \\\nMARK=x\n":                                  false,
		"MARK\n":                                                false,
		"https://a:MARK@b/?x=1\n":                               false,
		"A=x\nMARK x=1\n":                                       false,
	}
	g := builtin(t)
	allowed, asked := 0, 0
	for text, named := range settings {
		home := t.TempDir()
		project := filepath.Join(home, "proj")
		if err := os.Mkdir(project, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{".env", ".env.local"} {
			if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w := realDisk(g, home, project)
		w.ReadSecret = w.ReadFile
		for i, script := range append(quiet[:len(quiet):len(quiet)], others...) {
			cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
			cmd.Dir = project
			out, _ := cmd.Output()
			shown := strings.Contains(string(out), "MARK")
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			switch asks := v.Decision >= tool.Ask; {
			case shown && !asks:
				t.Errorf("%q: %s shows %q, and is allowed", text, script, out)
			case asks && named && i < len(quiet):
				t.Errorf("%q: %s: %s", text, script, v.Reason)
			case asks:
				asked++
			default:
				allowed++
			}
		}
	}
	if allowed < 20 || asked < 100 {
		t.Errorf("%d allowed, %d asked", allowed, asked)
	}
}
