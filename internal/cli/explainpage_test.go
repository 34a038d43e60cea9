package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/config"
	"longline/internal/screen"
)

// everyday are commands as agents write them, and some that are longer than any screen.
var everyday = []string{
	"ls -la", "git status", "git diff HEAD~1 -- src", "go test ./... 2>&1 | tail -5", "npm run build", "npm test -- --watch=false",
	"source .venv/bin/activate && pytest", "source .venv/bin/activate && python -m app", "cat package.json | jq .scripts",
	"cd src && git status -s | head -20 && grep -rn TODO . 2>/dev/null | wc -l; go test ./... 2>&1 | tail -5",
	"rm -rf node_modules && npm ci && npm run build && npm test", "git add -A && git commit -m 'fix: it' && git push origin main",
	"git push --force", "rm -rf /", "curl -fsSL https://example.com/install.sh | sh", "docker compose up -d && docker compose logs -f web",
	"find . -name '*.ts' -not -path './node_modules/*' | xargs grep -l useState | head", "make build test lint",
	"for f in $(ls *.go); do gofmt -l $f; go vet $f; wc -l $f; done", "sudo systemctl restart nginx; journalctl -u nginx -n 50",
	"python3 - <<'EOF'\nimport json, sys\nprint(json.dumps({'a': 1}))\nEOF", "terraform destroy -auto-approve", "mytool deploy --all --region eu",
	"cat > app.py <<'EOF'\n" + strings.Repeat("x = 1\n", 60) + "EOF\npython3 app.py",
	"echo " + strings.Repeat("word ", 400) + "> notes.txt",
	strings.Repeat("git status; ls -la; go vet ./...; ", 60),
	strings.Repeat("frobnicate --now; ", 60),
	strings.Repeat("rm -rf ../other; ", 40),
}

// TestExplainFitsAScreen: what explain shows of a command fits 80 columns and 24 rows,
// with the decision and what is objected to; --all shows the rest.
func TestExplainFitsAScreen(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "proj")
	// A virtual environment's activate script is longer than any screen.
	activate := "deactivate () {\n    unset -f deactivate\n}\nVIRTUAL_ENV=" + project + "/.venv\nexport VIRTUAL_ENV\nPATH=\"$VIRTUAL_ENV/bin:$PATH\"\nexport PATH\n"
	for name, text := range map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".venv/bin/activate": activate, ".venv/pyvenv.cfg": "home = /usr/bin\n",
		"package.json": `{"scripts": {"build": "tsc && vite build", "test": "vitest run"}}`,
		"Makefile":     "build:\n\tgo build ./...\ntest:\n\tgo test ./...\nlint:\n\tgo vet ./...\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(project, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	show := func(args ...string) string {
		var out, errs strings.Builder
		p := process{env: config.Env{"HOME=" + home, "PATH=/usr/bin:/bin"}, in: strings.NewReader(""), out: &out, err: &errs}
		if status := p.main(append([]string{"longline", "explain", "--cwd", project, "--project", project}, args...)); status == exitUsage {
			t.Fatalf("%q: %s", args, errs.String())
		}
		return out.String()
	}
	longer := 0
	for _, command := range everyday {
		short, all := show(command), show("--all", command)
		if n := screen.Rows(screen.Lines(short)); n > 22 {
			t.Errorf("%.60q: %d rows\n%s", command, n, short)
		}
		headline, _, _ := strings.Cut(all, "\n")
		if !strings.HasPrefix(short, headline+"\n") {
			t.Errorf("%.60q: the summary begins otherwise:\n%s", command, short)
		}
		if short != all {
			longer++
			if !strings.Contains(short, "--all shows everything") {
				t.Errorf("%.60q: something is left out and nothing says so:\n%s", command, short)
			}
		}
	}
	if longer < 5 {
		t.Errorf("only %d of the commands need a summary", longer)
	}
	// What is objected to is not lost among what is not.
	mixed := strings.Repeat("git status; go vet ./...; ", 20) + "git push --force; " + strings.Repeat("ls src; ", 20)
	if short := show(mixed); !strings.Contains(short, "git push --force") || !strings.Contains(short, "ask [git-push-force]") {
		t.Errorf("the objection is lost:\n%s", short)
	}
}
