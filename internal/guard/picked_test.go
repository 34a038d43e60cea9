package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestSettingsPickedFromFiles: who picks variables out of what a cluster shows is asked about, whether it is piped to the program that picks
// them or lies in a file for a while. All else in it may be looked at.
func TestSettingsPickedFromFiles(t *testing.T) {
	g := builtin(t)
	shown := "kubectl get pod x -o yaml"
	ways := []string{ // # is what picks, with the file that it reads behind it
		shown + " | #", shown + " > f; # f", shown + " >f && cat f | #", shown + " | tee f >/dev/null; # f", shown + " > f; cp f g; # g", "cat > f < <(" + shown + "); # f",
		shown + " > env.yaml; # env.yaml", "{ date; " + shown + "; } > f; # f", shown + " >> f\nmv f env.txt\n# env.txt",
	}
	picks := map[string]bool{
		"grep -A5 env:": true, "grep -i password": true, "sed -n '/env:/,/image/p'": true, "awk '/DB_PASSWORD/'": true, "grep -e API_TOKEN": true,
		"grep image:": false, "sed -n 's/image//p'": false, "wc -l": false, "head -5": false, "cat": false,
	}
	for _, way := range ways {
		for pick, want := range picks {
			script := strings.ReplaceAll(way, "#", pick)
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: "/home/dev/proj", Script: script, Shell: true, Edits: true, Attended: true}, world())
			if v.Decision >= tool.Ask != want {
				t.Errorf("%s: %s %s", script, v.Decision, v.Reason)
			}
		}
	}
}
