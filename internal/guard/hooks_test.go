package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestHooksPath judges changes to the directory that settings of git name for its hooks: what is there runs by itself, as in .git/hooks.
func TestHooksPath(t *testing.T) {
	g := builtin(t)
	for _, c := range []struct{ setting, dir string }{
		{"scripts/hooks", "scripts/hooks"},
		{"hooks", "hooks"},
		{".hooks", ".hooks"},
		{"tools/git", "tools/git"},
		{"./tools/git-hooks/", "tools/git-hooks"},
		{".config/husky/_", ".config/husky"},
		{".config/husky/_", ".config/husky/_"},
		{".", "."},
		{"~/app/etc", "etc"},
		{"linked", "etc"},
		{"etc", "linked"},
	} {
		for _, global := range []bool{false, true} {
			home := t.TempDir()
			project := filepath.Join(home, "app")
			file := filepath.Join(project, ".git/config")
			if global {
				file = filepath.Join(home, ".gitconfig")
			}
			for name, text := range map[string]string{
				file: "[core]\n\thooksPath = " + c.setting + "\n", filepath.Join(project, ".git/HEAD"): "ref: refs/heads/main\n",
				filepath.Join(project, "etc/x"): "x", filepath.Join(project, "run.sh"): "echo x\n", filepath.Join(project, "sub/x"): "x",
			} {
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink("etc", filepath.Join(project, "linked")); err != nil {
				t.Fatal(err)
			}
			check := func(call tool.Call, want bool) {
				t.Helper()
				call.Edits, call.Attended = true, true
				if call.Dir == "" {
					call.Dir = project
				}
				v, _ := g.Judge(call, realDisk(g, home, project))
				if got := v.Rule == "startup-files"; got != want {
					t.Errorf("hooksPath = %s, global %v: %s%v\n\tgot %s %s", c.setting, global, call.Script, call.Effects, v.Decision, v.Rule)
				}
			}
			for script, want := range map[string]bool{
				"printf '#!/bin/sh\\nrm -rf data\\n' > DIR/post-checkout && chmod +x DIR/post-checkout && git checkout wip": true,
				"echo x > DIR/pre-commit":             true,
				"cp run.sh DIR/commit-msg":            true,
				"ln -s ../run.sh DIR/pre-push":        true,
				"cd DIR && echo x > pre-commit":       true,
				"echo x > other/pre-commit":           false,
				"echo x > DIR/a.txt":                  strings.HasSuffix(c.dir, "hooks"),
				"cat DIR/pre-commit":                  false,
				"echo x > src/hooks/useThing.ts":      false,
				"mkdir -p src/hooks":                  false,
				"mkdir -p DIR":                        false,
				"git status && git commit -m x":       false,
				"for f in src/*.c; do cp $f x/; done": false,
			} {
				check(tool.Call{Tool: "Bash", Script: strings.ReplaceAll(script, "DIR", c.dir), Shell: true}, want)
			}
			check(tool.Call{Tool: "Bash", Script: "echo x > ../" + c.dir + "/pre-commit", Shell: true, Dir: filepath.Join(project, "sub")}, true)
			check(tool.Call{Tool: "Write", Effects: []tool.Effect{{Kind: tool.Write, Target: filepath.Join(project, c.dir, "pre-commit"), Reach: tool.Exact}}}, true)
			if c.dir != "." {
				check(tool.Call{Tool: "Bash", Script: "cp -r mine/. " + c.dir + "/", Shell: true}, true)
			}
		}
	}
}
