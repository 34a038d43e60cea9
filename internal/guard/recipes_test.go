package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestRecipesAreShown holds the judgement on what make prints of a recipe against make: the value of a secret that a file of settings
// holds is shown by each line without a mark, and by a rehearsal.
func TestRecipesAreShown(t *testing.T) {
	program, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed; .ci/tools installs it")
	}
	const rules = "AUTH = -u $(API_KEY)\nQ = @\nplain:\n\tAPI_KEY=$(API_KEY) true\nbraces:\n\ttrue ${API_KEY}\nthrough:\n\ttrue $(AUTH)\nneeds: plain\nmarked:\n\t@true $(API_KEY)\n" +
		"ignored:\n\t-true $(API_KEY)\nport:\n\ttrue $(PORT)\nshell:\n\ttrue $$API_KEY\nnothing:\n\techo ok\nlast:\n\techo ok\n\ttrue $(API_KEY:x=y)\nsame: ; true $(API_KEY)\n"
	targets := []string{"plain", "braces", "through", "needs", "marked", "ignored", "port", "shell", "nothing", "last", "same"}
	for include, there := range map[string]bool{"include .env\n": true, "-include .env\nexport\n": true, "ifneq (,$(wildcard .env))\ninclude .env\nendif\n": true, "-include .env\n": false, "": true, "include .env.example\n": true, "include .env\n.SILENT:\n": true} {
		root := t.TempDir()
		g := builtin(t)
		w := realDisk(g, root, filepath.Join(root, "proj"))
		w.Secret = g.Policy.Secrets(&tool.Call{}, w)
		files := map[string]string{"Makefile": include + rules, ".env": "API_KEY=HELDVALUE\nPORT=1\n", ".env.example": "API_KEY=\nPORT=1\n"}
		if !there {
			delete(files, ".env")
		}
		if err := os.Mkdir(w.Project, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(w.Project, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, target := range targets {
			for _, flag := range []string{"", "-n ", "-s "} {
				script := "make " + flag + target
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
				cmd := exec.Command(program, strings.Fields(flag+target)...)
				cmd.Dir, cmd.Env = w.Project, []string{"PATH=" + os.Getenv("PATH")}
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v: %s", script, err, out)
				}
				if shown := strings.Contains(string(out), "HELDVALUE"); shown && v.Decision < tool.Ask {
					t.Errorf("%q: %s: %s (%s), and it prints\n%s", include, script, v.Decision, v.Reason, out)
				}
			}
		}
	}
}

// TestRecipesOfEachDirectory judges the recipes of all directories that a task runner may work in, where a loop, a search or a
// recipe goes through them. What harm is reached is found out by running the scripts.
func TestRecipesOfEachDirectory(t *testing.T) {
	program, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed; .ci/tools installs it")
	}
	const root = "each:\n\tfor d in */; do $(MAKE) -C $$d clean || exit 1; done\nenter:\n\tfor d in a b; do (cd $$d && $(MAKE) clean); done\none:\n\t$(MAKE) -C a clean\n"
	scripts := []string{
		"make each", "make enter", "make one", "for d in */; do (cd $d && make clean); done", "for d in */; do cd $d; make clean; cd ..; done",
		"ls -d */ | while read -r d; do (cd \"$d\" && make clean); done", "find . -mindepth 2 -name Makefile -execdir make clean ';'",
		"for d in $(find a b -type d); do (cd $d && make); done", "for d in a b; do make -C $d clean; done", "cd b/*/ && make", "make -C a/ clean",
	}
	for _, place := range []string{"", "a", "b", "b/c"} {
		dir := t.TempDir()
		g := builtin(t)
		w := realDisk(g, dir, filepath.Join(dir, "proj"))
		for _, sub := range []string{"a", "b/c"} {
			if err := os.MkdirAll(filepath.Join(w.Project, sub), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for sub, text := range map[string]string{"": root, "a": "clean:\n\trm -rf build\n", "b": "clean:\n\trm -rf build\n", "b/c": "clean:\n\trm -rf build\n"} {
			if sub == place && sub != "" {
				text = "clean:\n\trm -rf " + filepath.Join(dir, "keep") + "\n"
			}
			if err := os.WriteFile(filepath.Join(w.Project, sub, "Makefile"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, script := range scripts {
			kept := filepath.Join(dir, "keep")
			if err := os.MkdirAll(kept, 0o755); err != nil {
				t.Fatal(err)
			}
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			cmd := exec.Command("bash", "-c", script)
			cmd.Dir, cmd.Env = w.Project, []string{"PATH=" + filepath.Dir(program) + ":" + os.Getenv("PATH")}
			_ = cmd.Run()
			_, err := os.Stat(kept)
			if lost := err != nil; lost && v.Decision < tool.Ask || place == "" && v.Decision >= tool.Ask && !strings.Contains(script, "; cd ..") && !strings.Contains(script, "-C $d") && !strings.Contains(script, "in $(find") {
				t.Errorf("%s with the harm in %q: %s (%s), lost: %t", script, place, v.Decision, v.Reason, lost)
			}
		}
	}
}
