package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/tool"
)

// TestOwnPackageForTheUser: what installs the project's own package puts the programs that the
// project names, be it git, among the user's. That is asked in every mode, by every installer
// and with every name of it; to install for the project alone is not.
func TestOwnPackageForTheUser(t *testing.T) {
	w := world()
	w.ReadFile = func(path string) ([]byte, error) {
		if text := map[string]string{
			"pyproject.toml": "[project]\nname = \"x\"\n[project.scripts]\ngit = \"x:main\"\n", "setup.py": "from setuptools import setup\nsetup()\n", "package.json": `{"name":"x","bin":{"git":"x.js"}}`,
			"Cargo.toml": "[package]\nname = \"git\"\n", "Makefile": "install:\n\tinstall -m755 git ~/.local/bin/git\n", "go.mod": "module x\n", "Rakefile": "require 'bundler/gem_tasks'\n",
		}[strings.TrimPrefix(path, "/home/dev/proj/")]; text != "" {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	asks := func(want tool.Decision, scripts ...string) {
		for _, script := range scripts {
			for _, edits := range []bool{false, true} {
				if v := judged(t, script, edits, w); v.Decision != want {
					t.Errorf("%s, edits accepted %v: %s (%s), want %s", script, edits, v.Decision, v.Reason, want)
				}
			}
		}
	}
	for _, pip := range []string{"pip", "pip3", "pip3.12", "python -m pip", "python3 -m pip", "python3.12 -m pip", "py -m pip", "sudo pip"} {
		asks(tool.Ask, pip+" install --user .", pip+" install --user -e .", pip+" install . --user", pip+" install --us -e .[dev]", pip+" install --break-system-packages .", pip+" install --prefix ~/.local .", pip+" install --target ~/.local/lib/x .", "PIP_USER=1 "+pip+" install .",
			"PIP_PREFIX=~/.local "+pip+" install .", pip+" install --user ./sub", pip+" install --user dist/x.whl")
	}
	for _, python := range []string{"python", "python3", "python3.11"} {
		asks(tool.Ask, python+" setup.py install --user", python+" setup.py develop --user", python+" setup.py build install --user", python+" setup.py install --prefix ~/.local", python+" setup.py install --prefix=~/.local", python+" setup.py install --home ~", python+" ./setup.py develop --user",
			python+" setup.py install --install-scripts ~/.local/bin", "./setup.py install --user")
	}
	asks(tool.Ask, "uv pip install --system .", "uv pip install --user -e .", "uv pip install --break-system-packages .", "uv pip install --prefix ~/.local .", "uv tool install .", "uv tool install -e .", "pipx install .", "pipx install -e .", "pipx inject x .", "pipx reinstall x", "hatch shell", "flit install --user", "flit install -s --user", "poetry self add .",
		"npm install -g .", "npm i -g .", "npm i --location=global .", "npm link", "npm ln", "npm install --global ./x.tgz", "pnpm add -g .", "pnpm link --global", "yarn global add file:.", "yarn link", "bun link", "bun add -g .", "deno install -g main.ts", "deno install --global -n git main.ts",
		"cargo install --path .", "cargo install --path=. --root ~/.local", "cargo install --path . --force", "go install .", "go install ./...", "GOBIN=~/.local/bin go install ./cmd/git", "gem install x.gem", "gem install --user-install ./x.gem", "rake install", "rake install:local", "bundle exec rake install",
		"make install", "make install PREFIX=~/.local", "make DESTDIR= install", "cmake --install build --prefix ~/.local", "ninja -C build install", "meson install -C build", "dotnet tool install -g --add-source . x", "luarocks make --local", "cabal install", "stack install", "dart pub global activate --source path .",
		"mix escript.install", "mix archive.install", "opam install .", "composer global require x/y", "nix profile install .", "helm plugin install .", "gh extension install .", "install -m755 git ~/.local/bin/git", "ln -s $PWD/git ~/.local/bin/git")
	asks(tool.Allow, "pip install -e .", "python -m pip install .", "uv pip install -e .", "uv sync", "poetry install", "pdm install", "npm ci", "python setup.py build_ext --inplace", "python setup.py sdist", "cargo build", "go build ./...", "rake test")
	// Under the name of longline or of an agent's program it is no question.
	asks(tool.Deny, "go install ./cmd/longline-hook", "pipx install ./longline", "pip install --user ./longline", "npm install -g ./longline", "cargo install --path longline", "uv tool install ./longline", "cargo install --path . --bin longline-hook", "deno install -g -n longline main.ts")
	for _, a := range agent.All {
		for _, program := range a.Facts().Programs {
			asks(tool.Deny, "go install ./cmd/"+program, "cargo install --path . --bin "+program, "cargo install --path="+program, "deno install -g --name="+program+" main.ts", "pip install --user ./"+program, "npm install -g ../"+program)
			asks(tool.Ask, "npm install -g "+program, "npm install -g @x/"+program, "brew install "+program, "brew upgrade "+program)
		}
	}
}
