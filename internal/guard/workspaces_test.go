package guard_test

import "testing"

// TestWorkspaceScripts: where a package manager runs the scripts of packages in the project, theirs are judged, by whatever list
// the packages are found, and not the one of the root.
func TestWorkspaceScripts(t *testing.T) {
	const packages = `mkdir -p data packages/sub packages/ok tools/deep/x; echo d >data/x
echo '{"name":"@me/sub","scripts":{"test":"rm -rf ../../data","clean":"rm -rf ../../data","start":"rm -rf ../../data"}}' >packages/sub/package.json
echo '{"name":"ok","scripts":{"test":"jest","clean":"rm -rf dist .turbo node_modules","build":"tsc -b","start":"node x.js"}}' >packages/ok/package.json
echo '{"name":"x","scripts":{"gen":"rm -rf ../../../data"}}' >tools/deep/x/package.json
`
	asked := []string{
		"npm test -w sub", "npm test -w packages/sub", "npm test --workspace=@me/sub", "npm test --workspaces", "npm test -w ok -w sub", "npm run test -w packages", "npm start -w sub", "npm run clean -ws --if-present", `npm test -w "$X"`,
		"pnpm --filter sub test", "pnpm -F @me/sub run clean", "pnpm -r test", "pnpm --filter './packages/*' test", "pnpm --filter '...ok' test", "pnpm --filter ./packages/sub run clean", "pnpm recursive run clean",
		"yarn workspace sub test", "yarn workspace @me/sub clean", "yarn workspace @me/sub run clean", "yarn workspaces foreach -A run clean", "yarn workspaces run clean", "bun run --filter sub test",
		"npx turbo test", "npx turbo run build clean", "turbo run sub#clean", "npx lerna run clean", "npx lerna run deploy", "npx nx run sub:clean", "npm --prefix packages/sub test", "cd packages/ok && npm test -w sub", "turbo run gen",
	}
	allowed := []string{
		"npm test", "npm test -w ok", "npm run build -w ok", "npm run clean -w packages/ok", "npm run build --workspaces --if-present", "pnpm --filter ok run clean", "pnpm -r build", "pnpm -r --filter ok test", "pnpm test", "yarn workspace ok test", "yarn workspace ok build",
		"bun run --filter ok clean", "npx turbo build", "npx turbo run build lint --filter=ok", "turbo run test --filter=ok", "turbo run ok#clean", "npx lerna run build", "npx lerna run clean --scope ok", "npx nx run ok:build", "npm test -w nosuch", "npm run build -w ok -- --watch",
	}
	for name, list := range map[string]string{
		"array":  `echo '{"name":"root","workspaces":["packages/*","tools/**"],"scripts":{"test":"echo ok"}}' >package.json`,
		"object": `echo '{"name":"root","workspaces":{"packages":["./packages/sub","packages/ok/","!x","tools/*/*"]},"scripts":{"test":"echo ok"}}' >package.json`,
		"yaml":   `echo '{"name":"root","scripts":{"test":"echo ok"}}' >package.json; printf 'catalog:\n  - "no"\npackages:\n  # all\n  - "packages/*" # here\n  - tools/**\n' >pnpm-workspace.yaml`,
		"json":   `echo '{"name":"root","scripts":{"test":"echo ok"}}' >package.json; echo '{"packages":["packages/*","tools/deep/*"]}' >lerna.json`,
	} {
		l := newLossy(t, "git init -q .\n"+packages+list)
		for want, scripts := range map[bool][]string{true: asked, false: allowed} {
			for _, script := range scripts {
				if asks, why := l.asks(script); asks != want {
					t.Errorf("%s: %s: asked: %v (%s)", name, script, asks, why)
				}
			}
		}
	}
	for script, want := range map[string]bool{"npm publish --dry-run": true, "npm pack --dry-run": true, "pnpm publish --dry-run": true, "npm test": false} {
		l := newLossy(t, `git init -q .; mkdir data; echo d >data/x; echo '{"name":"root","scripts":{"test":"echo ok","prepack":"rm -rf data"}}' >package.json`)
		if asks, why := l.asks(script); asks != want {
			t.Errorf("%s: asked: %v (%s)", script, asks, why)
		}
	}
	l := newLossy(t, `git init -q .; echo '{"name":"root","scripts":{"prepack":"tsc -b"}}' >package.json`)
	for _, script := range []string{"npm publish --dry-run", "npm pack --dry-run", "npm pack"} {
		if asks, why := l.asks(script); asks {
			t.Errorf("%s: asked: %s", script, why)
		}
	}
}

// TestPythonTasks: tasks that are plain lines of pyproject.toml are read.
func TestPythonTasks(t *testing.T) {
	l := newLossy(t, `git init -q .; mkdir data; echo d >data/x; cat >pyproject.toml <<'E'
[project]
name = "x"
[tool.poetry.scripts]
serve = "x.cli:main"
[tool.pdm.scripts]
clean = "rm -rf data"
test = "pytest -q"
lint = {cmd = "ruff check ."}
[tool.hatch.envs.default.scripts]
clean = "rm -rf data"
check = "mypy src"
[tool.pixi.tasks]
clean = "rm -rf data"
build = "python -m build"
E
`)
	for script, want := range map[string]bool{
		"pdm run clean": true, "hatch run clean": true, "pixi run clean": true,
		"pdm run test": false, "pdm run lint": false, "hatch run check": false, "pixi run build": false, "pdm run pytest -q": false, "uv run pytest": false, "hatch run test": false,
	} {
		if asks, why := l.asks(script); asks != want {
			t.Errorf("%s: asked: %v (%s)", script, asks, why)
		}
	}
}
