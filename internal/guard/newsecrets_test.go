package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestSecretsComeToBe runs scripts in a project without and with a file of secrets: who makes one that holds none, or leaves the one that is there
// as it is, is not asked; who changes it is.
func TestSecretsComeToBe(t *testing.T) {
	runsPrograms(t)
	const always, missing, never = 2, 1, 0 // when a script runs without a question
	scripts := map[string]int{
		"touch .env": always, "touch -c .env": always, "[ -f .env ] || touch .env": always, "touch .env.local config/secrets.json": always, "touch -d yesterday .env": always,
		"cp -n .env.example .env": always, "cp -nv .env.example .env": always, "[ -f .env ] || cp -n .env.example .env": always,
		"cp .env.example .env": missing, "test -f .env || cp .env.example .env": missing, "cp -f .env.example .env": missing, "cp -nf .env.example .env": missing, "cp -n -b .env.example .env": missing,
		"cp .env.example .env.local": always, "if [ ! -e .env ]; then cp .env.example .env; fi": missing,
		"cp -n other .env": never, "touch .env; cp other .env": never, "touch .env; echo B=2 >>.env": never, "touch .env; : >.env": never, "touch .env; rm .env": missing, "touch ../.netrc": never, "touch ../.ssh/id_rsa": never,
		"truncate -s 0 .env": never, "cp other .env": never, "mv other .env": never, "touch .env; mv .env.example .env": missing, "install -m 600 other .env": never,
	}
	g := builtin(t)
	for script, free := range scripts {
		for with, text := range map[bool]string{false: "", true: "KEY=secret\n"} {
			home := t.TempDir()
			project := filepath.Join(home, "proj")
			for _, dir := range []string{filepath.Join(home, ".ssh"), filepath.Join(project, "config")} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			files := map[string]string{".env.example": "KEY=\n", "other": "KEY=other\n"}
			if with {
				files[".env"] = text
			}
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, realDisk(g, home, project))
			asks := v.Decision >= tool.Ask
			if want := free == never || free == missing && with; asks != want {
				t.Errorf("%s, with a file there: %v: asks: %v (%s)", script, with, asks, v.Reason)
			}
			cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
			cmd.Dir = project
			_ = cmd.Run() // some fail
			if now, _ := os.ReadFile(filepath.Join(project, ".env")); with && string(now) != text && !asks {
				t.Errorf("%s makes %q of what was there, and is allowed", script, now)
			}
		}
	}
}
