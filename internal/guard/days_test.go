package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/paths"
	"longline/internal/tool"
)

// The projects in which the days are replayed. They are real directories.
var dayProjects = map[string]map[string]string{
	"typescript": {
		"package.json":  `{"name":"web","scripts":{"build":"tsc -p .","dev":"vite","test":"vitest run","lint":"eslint src","storybook":"storybook dev","gen":"node scripts/gen.mjs","e2e":"playwright test"},"dependencies":{"zod":"^3.0.0"}}`,
		"tsconfig.json": "{}", "src/index.ts": "export const a = 1\n", "src/old.ts": "export {}\n", "src/search/index.ts": "export {}\n", "scripts/gen.ts": "await import(process.argv[2])\n",
		"scripts/gen.mjs": "await import(process.argv[2])\n", ".env": "KEY=x\n", ".env.example": "KEY=\n", "compose.yaml": "services:\n  db:\n    image: postgres\n    volumes:\n      - ./data:/data\n",
	},
	"go": {
		"go.mod": "module example.com/svc\n", "Makefile": "build:\n\tgo build ./...\ntest:\n\tgo test ./...\nlint:\n\tgo vet ./...\n", "internal/parse/parse.go": "package parse\n",
		"cmd/svc/main.go": "package main\n", "scripts/check.sh": "#!/bin/sh\nset -e\ngo vet ./...\ngo test ./...\n", "data.json": "{\"name\":\"x\"}\n", "Dockerfile": "FROM scratch\n", "bin/run": "#!/bin/sh\n",
	},
	"python": {
		"pyproject.toml": "[project]\nname = \"app\"\ndependencies = [\"flask\"]\n", "requirements.txt": "flask==3.0\nrequests>=2\n", "app/__init__.py": "__version__ = '1'\n",
		"app/main.py": "import requests\n\ndef build():\n    return requests.get('http://localhost').text\n", "scripts/load.py": "import sys, app\nexec(sys.argv[1])\n",
		"Makefile": "test:\n\tpytest -q\n", "justfile": "check:\n    ruff check .\n    pytest -q\n", ".env": "KEY=x\n", "manage.py": "import django\n", "dev.db": "x", "config.ini.example": "a=1\n", "data.zip": "x",
		".venv/bin/activate": "VIRTUAL_ENV=@PROJECT@/.venv\nexport VIRTUAL_ENV\nPATH=\"$VIRTUAL_ENV/bin:$PATH\"\nexport PATH\nhash -r 2> /dev/null\n",
	},
	"rust": {
		"Cargo.toml": "[package]\nname = \"cli\"\n", "src/main.rs": "fn main() {}\n", "src/lib.rs": "", "src/lex.rs": "", "scripts/gen.py": "import sys\nexec(sys.argv[1])\n",
		"scripts/gen.mjs": "await import(process.argv[2])\n", "scripts/check.sh": "#!/usr/bin/env bash\ncargo test\n", "Makefile": "notes-check:\n\tgrep -q x notes.txt\n", "justfile": "check:\n    cargo test\n",
	},
}

// TestDays replays made-up days in four projects. A command may ask only if its line
// says so and why; what is said to ask must ask, so that the list stays true.
func TestDays(t *testing.T) {
	g, total, asked := builtin(t), 0, 0
	for name, files := range dayProjects {
		root := t.TempDir()
		home := filepath.Join(root, "home")
		project := filepath.Join(home, "work", name)
		for path, text := range files {
			full := filepath.Join(project, path)
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(strings.ReplaceAll(text, "@PROJECT@", project)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		w := realDisk(g, home, project)
		w.Undo = func(path string) bool { return paths.Within(path, project) }
		entries := w.Entries
		w.Entries = func(dir string) ([]tool.Entry, bool) {
			if !paths.Within(dir, root) {
				return nil, true // whatever lies in /tmp is not what the days are about
			}
			return entries(dir)
		}
		day, err := os.ReadFile("testdata/days/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(strings.TrimSpace(string(day)), "\n") {
			if strings.HasPrefix(line, "#") {
				continue
			}
			command, asks := strings.CutPrefix(line, "? ")
			if asks {
				i := strings.LastIndex(command, " | ")
				if i < 0 {
					t.Errorf("%s: %s: a question without a reason", name, line)
					continue
				}
				command = command[:i]
				asked++
			}
			total++
			command = strings.ReplaceAll(command, `\n`, "\n")
			v, _ := g.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: project, Script: command, Shell: true, Edits: true, Attended: true}, w)
			if got := v.Decision >= tool.Ask; got != asks {
				t.Errorf("%s: %s\n\tgot %s: [%s] %s", name, command, v.Decision, v.Rule, v.Reason)
			}
		}
	}
	if total < 250 || asked*100 > total*14 {
		t.Errorf("%d questions in %d commands; want at least 250 commands, and at most 14 questions in a hundred", asked, total)
	}
}
