package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestKeptFiles: what git has as it is may be deleted; all else asks as it does without git.
func TestKeptFiles(t *testing.T) {
	g, w := builtin(t), alikeWorld()
	w.Protected = func(path string) bool { return g.Policy.Protected(w, path) }
	w.Kept = func() func(path string) bool {
		return func(path string) bool {
			return strings.HasPrefix(path, w.Project+"/src/a") || path == w.Project+"/.env"
		}
	}
	for command, want := range map[string]string{
		"rm src/a.ts":                           "pass project-delete-kept",
		"rm -f ./src/a.ts":                      "pass project-delete-kept",
		"cd src && rm a.ts":                     "pass project-delete-kept",
		"rm src/b.ts":                           "ask project-delete",
		"rm src/a.ts src/b.ts":                  "ask project-delete",
		"rm -r src":                             "ask project-delete",
		"rm -r src/a.ts":                        "ask project-delete", // it may be a directory by then
		"rm src/*":                              "ask project-delete",
		"rm .env":                               "ask secrets-write",
		"rm ~/other/x.py":                       "ask outside-project",
		"git rm --cached src/a.ts; rm src/a.ts": "ask project-delete",
		"git stash && rm src/a.ts":              "ask project-delete",
		"rm src/a.ts; git push --force":         "ask git-push-force",
		"rm src/a.ts && rm -rf .git":            "ask git-internals",
		"python3 -c 'import os; os.remove(\"src/a.ts\")'": "pass project-delete-kept",
		"rm src/a.ts && git add -A && git commit -m x":    "pass project-delete-kept",
		"go test -coverprofile=src/a.go ./...":            "ask project-delete",
		"ssh host rm src/a.ts":                            "ask remote-shell",
	} {
		for _, edits := range []bool{false, true} {
			v, _ := g.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: w.Project, Script: command, Shell: true, Edits: edits, Attended: true}, w)
			got := v.Decision.String() + " " + v.Rule
			if edits && want == "pass project-delete-kept" {
				if v.Decision != tool.Allow {
					t.Errorf("%s\n\tgot %s, want allow with edits", command, got)
				}
			} else if got != want {
				t.Errorf("%s (edits %v)\n\tgot %s, want %s: %s", command, edits, got, want, v.Reason)
			}
		}
	}
	w.Kept = nil
	v, _ := g.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: w.Project, Script: "rm src/a.ts", Shell: true, Attended: true}, w)
	if v.Rule != "project-delete" {
		t.Errorf("without git: %s %s", v.Decision, v.Rule)
	}
}
