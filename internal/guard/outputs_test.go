package guard_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// inhabited is a machine on which the project has sources, a build and nothing of any agent.
func inhabited() *tool.World {
	w := world()
	there := []string{"", "/src", "/src/app.py", "/main.go", "/README.md", "/package.json", "/dist", "/build", "/tpl", "/tpl/settings.json"}
	w.Exists = func(path string) bool {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(path, "/."), project)
		return ok && slices.Contains(there, rest) && (!strings.HasSuffix(path, "/.") || !strings.Contains(rest, "."))
	}
	w.ReadFile = func(path string) ([]byte, error) {
		if path == project+"/package.json" {
			return []byte(`{"devDependencies":{"jest":"1","eslint":"9","vite":"7","typescript":"5","typedoc":"0","vitest":"3","@playwright/test":"1","cpx":"1","@storybook/cli":"1"}}`), nil
		}
		return nil, fs.ErrNotExist
	}
	return w
}

func judged(t testing.TB, script string, edits bool, w *tool.World) tool.Verdict {
	t.Helper()
	g := builtin(t)
	v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: edits, Attended: true}, w)
	return v
}

// TestSourcesAreKept puts commands that lose what somebody wrote beside the ones that
// look like them and do not. Both are judged for a user who accepts edits: losing a
// source is no edit.
func TestSourcesAreKept(t *testing.T) {
	for _, pair := range [][2]string{
		{"mkdocs build -d src", "mkdocs build -d site"},
		{"pdm build -d src", "pdm build --no-clean -d src"},
		{"pdm build --dest=.", "pdm build -d dist"},
		{"poetry build -o src --clean", "poetry build --output dist --clean"},
		{"vercel build --output src", "vercel build"},
		{"mkdocs build --site-dir=src", "mkdocs build"},
		{"sphinx-build -M clean . src", "sphinx-build -M html . src"},
		{"sphinx-build -M clean . src", "sphinx-build -M clean . _build"},
		{"npx vite build --outDir src", "npx vite build --outDir dist"},
		{"npx jest --clearCache --cacheDirectory=.", "npx jest --cacheDirectory=.cache"},
		{"npx typedoc --out src", "npx typedoc --out docs"},
		{"npx playwright test --output=src", "npx playwright test --output=results"},
		{"npx vitest run --coverage.reportsDirectory=src", "npx vitest run --coverage.reportsDirectory=coverage"},
		{"npx cpx --clean 'a/**' src", "npx cpx --clean 'a/**' dist"},
		{"pytest --basetemp=src", "pytest --basetemp=/tmp/pt"},
		{"meson setup --wipe src", "meson setup --wipe build"},
		{"virtualenv --clear src", "virtualenv .venv"},
		{"python3 -m venv --clear src", "python3 -m venv .venv"},
		{"gradle clean -PbuildDir=src", "gradle clean -Pversion=1.2"},
		{"hugo --cleanDestinationDir -d src", "hugo --cleanDestinationDir -d public"},
		{"jekyll build -d src", "jekyll build -d _site"},
		{"cargo clean --target-dir src", "cargo clean"},
		{"go mod vendor -o src", "go mod vendor"},
		{"GOMODCACHE=$PWD/src go clean -modcache", "go clean -modcache"},
		{"uv cache clean --cache-dir src", "uv cache clean"},
		{"yarn cache clean --cache-folder src", "yarn cache clean"},
		{"bazel --output_base=src clean --expunge", "bazel clean"},
		{"swift package --scratch-path src reset", "swift package reset"},
		{"sam build -b src", "sam build"},
		{"go build -o src/app.py .", "go build -o bin/app ."},
		{"go test -coverprofile=main.go ./...", "go test -coverprofile=c.out ./..."},
		{"npx eslint -o src/app.py .", "npx eslint -o report.json ."},
		{"pytest --junitxml=README.md", "pytest --junitxml=junit.xml"},
		{"pytest --cov --cov-report=xml:src/app.py", "pytest --cov --cov-report=xml:coverage.xml"},
		{"gcc -o main.go x.c", "gcc -o main x.c"},
	} {
		if v := judged(t, pair[0], true, inhabited()); v.Decision < tool.Ask {
			t.Errorf("%s: %v, want a question", pair[0], v.Decision)
		}
		if v := judged(t, pair[1], true, inhabited()); v.Decision != tool.Allow {
			t.Errorf("%s: %v (%s), want allow", pair[1], v.Decision, v.Reason)
		}
	}
}

// TestProtectedWhoeverWrites gives every flag that names an output a place that agents,
// git or continuous integration read by themselves. None is allowed, whichever tool of
// the project it is, and also to a user who accepts edits.
func TestProtectedWhoeverWrites(t *testing.T) {
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	lib := command.Builtin()
	g := guard.Guard{Library: lib, Policy: set}
	places := []string{".claude", ".claude/settings.json", ".git/hooks", ".github"}
	outputs := []string{"write", "write-tree", "create-tree", "generate", "report", "empties", "output"}
	seen := map[string]bool{}
	tried := 0
	var look func(words []string, levels []*command.Level)
	look = func(words []string, levels []*command.Level) {
		l := levels[len(levels)-1]
		for _, f := range slices.Concat(l.Flags.All(), l.Global.All()) {
			if len(f.Values) != 1 || !slices.ContainsFunc(f.Values[0], func(u command.Use) bool { return slices.Contains(outputs, u.Name) }) {
				continue
			}
			if key := words[0] + f.Name + f.Values[0][0].Name; seen[key] {
				continue
			} else {
				seen[key] = true
			}
			place := places[tried%len(places)]
			tried++
			flag := f.Name + " " + place
			switch {
			case l.Grammar == command.KeyVal:
				flag = f.Name + "=" + place
			case f.Optional && strings.HasPrefix(f.Name, "--"):
				flag = f.Name + "=" + place
			case f.Optional:
				flag = f.Name + place
			}
			script := strings.Join(words, " ") + " " + flag
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, world())
			if v.Decision < tool.Ask {
				t.Errorf("%s: %v, want a question", script, v.Decision)
			}
		}
		met := map[string]bool{}
		for _, sub := range l.Subs.All() {
			name := sub.Names[0]
			if met[name] {
				continue // the first of a name counts
			}
			met[name] = true
			if name != "--" && !strings.ContainsAny(name, "*? ") && len(words) < 4 {
				look(append(slices.Clone(words), name), append(slices.Clone(levels), sub.Level))
			}
		}
	}
	for _, name := range lib.Programs() {
		if m := lib.Find(name); m != nil && !strings.Contains(name, "/") && m.Names[0] == name {
			look([]string{name}, []*command.Level{&m.Level})
		}
	}
	if tried < 1000 {
		t.Errorf("only %d flags were tried", tried)
	}
	t.Logf("%d flags", tried)
}

// TestOutputIsNotExpanded: what the shell leaves alone and a program may expand is a
// path that nobody knows, also where a script of the project starts the program.
func TestOutputIsNotExpanded(t *testing.T) {
	w := inhabited()
	w.ReadFile = func(path string) ([]byte, error) {
		if path == project+"/package.json" {
			return []byte(`{"scripts":{"test":"pytest","unit":"jest"},"devDependencies":{"jest":"1"}}`), nil
		}
		return nil, fs.ErrNotExist
	}
	for _, run := range []string{"pytest --junitxml=", "npm test -- --junitxml=", "npm run unit -- --outputFile="} {
		for _, file := range []string{"'$HOME/.bashrc'", "~/.bashrc", "'~/x'", "'${HOME}/x'", "out/'$X'"} {
			if v := judged(t, run+file, true, w); v.Decision < tool.Ask {
				t.Errorf("%s: %v", run+file, v.Decision)
			}
		}
		if v := judged(t, run+"out/report.xml", true, w); v.Decision >= tool.Ask {
			t.Errorf("%sout/report.xml: %v", run, v.Decision)
		}
	}
}
