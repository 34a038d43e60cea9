package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestLostWork deletes what is called like the output of a build, where git keeps files in it that have changed since, and where they
// have not, or git does not keep them.
func TestLostWork(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	takes := []string{
		"rm -rf build", "rm -rf ./build/", "rm -r build/webpack", "rm -rf dist build", "rm -rf build/*", "rm -rf build/webpack/*", "rm -rf */webpack", "find . -type d -name build | xargs rm -rf", "find . -name build -exec rm -rf {} +", "find build -delete",
		"cd build && rm -rf webpack", "rm -rf build && npm run build", "npx rimraf build", `python3 -c 'import shutil; shutil.rmtree("build")'`, `node -e 'require("fs").rmSync("build",{recursive:true})'`, "d=build; rm -rf \"$d\"", "git status; rm -rf build",
		"rm build/webpack/conf.js", "rm -f build/webpack/*.js", "rm build/*/conf.*", "find build -name '*.js' -delete", "cd build/webpack && rm conf.js", "mv build/webpack/conf.js /tmp/", "mv build/webpack /tmp/", "mv build /tmp/x", "mv build/*/conf.js /tmp/",
		": > build/webpack/conf.js", "truncate -s 0 build/webpack/conf.js", `python3 -c 'import os; os.remove("build/webpack/conf.js")'`,
		"git show HEAD:build/webpack/conf.js > build/webpack/conf.js", "git cat-file -p HEAD:build/webpack/conf.js > build/webpack/conf.js", "git show :build/webpack/conf.js > build/webpack/conf.js", "git show main:build/webpack/conf.js | tee build/webpack/conf.js", "cd build && git show HEAD:build/webpack/conf.js > webpack/conf.js",
		// What git is told of other files saves none of these.
		"git add src; rm -rf build", "git add src && rm -rf build && make", "git commit -qm x src/a.c; rm -rf build", "git commit -qm x; rm -rf build", "git stash push -q -- src/a.c; rm -rf build", "git stash pop; rm -rf build", "git rm -rq --cached build && rm -rf build && echo build/ >> .gitignore", "git reset -q; rm -rf build", "git restore --staged build; rm -rf build",
		"git add . ':!build'; rm -rf build", "git add -N .; rm -rf build", "git add --refresh .; rm -rf build", "git stash -S; rm -rf build", "(cd src && git add -A); rm -rf build", "git add src; git show HEAD:build/webpack/conf.js > build/webpack/conf.js", "rm -rf build; git add -A", "git add build/out; rm -rf build",
		// A version that git has comes by a detour.
		"git show HEAD:build/webpack/conf.js > /tmp/u && cp /tmp/u build/webpack/conf.js", "git show HEAD:build/webpack/conf.js > /tmp/u; mv /tmp/u build/webpack/conf.js", "git show HEAD:build/webpack/conf.js | tee /tmp/u; cat /tmp/u > build/webpack/conf.js",
		"git worktree add -q /tmp/wt HEAD && cp /tmp/wt/build/webpack/conf.js build/webpack/conf.js", "git worktree add -q /tmp/wt HEAD && cp -r /tmp/wt/build/webpack build", "git worktree add -q /tmp/wt HEAD; cp /tmp/wt/build/webpack/* build/webpack/", "git clone -q . /tmp/c && cp /tmp/c/build/webpack/conf.js build/webpack/",
		// Files by their own names, where directories may be deleted as well.
		"rm -rf build/webpack/*.js", "rm -r build/webpack/conf.*", "rm -rf build/webpack/[a-z]*", "rm -rf build/webpack/conf.js", "cd build/webpack && rm -rf conf.js", "rm -rf build/*/conf.js",
	}
	others := []string{
		"rm -rf dist", "rm -rf node_modules package-lock.json && npm install", "rm -rf build/out", "find . -name __pycache__ | xargs rm -rf", "git commit -am x; rm -rf build", "git stash; rm -rf build", "git add -A && rm -rf build", "vite build --outDir build", "make clean",
		"rm build/out/a", "rm package-lock.json", "mv build/out/a /tmp/", "mv package-lock.json /tmp/", "mv dist /tmp/", "mv build/webpack/conf.js build/webpack/old.js", "git commit -qam x; mv build /tmp/", "rm -f build/*.o", "find build -name '*.o' -delete", "git show HEAD:build/webpack/conf.js > build/webpack/old.js", "git commit -qam x; rm build/webpack/conf.js", "git show HEAD:build/webpack/conf.js",
		"git add build && rm -rf build", "git add . && rm -rf build", "git add -u; rm -rf build", "git add build/webpack/conf.js; rm -rf build", "git add src; git commit -qam x; rm -rf build", "git stash push -q -- build; rm -rf build", "git stash -u; rm -rf build/webpack/conf.js", "git commit -qm x build; rm -rf build", "git add -A; git show HEAD:build/webpack/conf.js > build/webpack/conf.js", "git add src; rm -rf dist",
		"cp -r build/webpack/conf.js /tmp/u; cp /tmp/u build/webpack/conf.js", "git show HEAD:build/webpack/conf.js > /tmp/u && diff /tmp/u build/webpack/conf.js", "git show HEAD:src/a.c > /tmp/u && cp /tmp/u build/webpack/conf.js", "git worktree add -q /tmp/wt HEAD && cp build/webpack/conf.js /tmp/wt/build/webpack/conf.js",
		"rm -rf build/out/*.js", "rm -rf package-lock.json", "rm -rf package*.json", "rm -rf build/*.js", "rm -rf node_modules/*.js",
	}
	for setting, lost := range map[string]bool{
		"true":                               false,
		"echo more >> build/webpack/conf.js": true,
		"sed -i s/one/two/ build/webpack/conf.js":                          true,
		"touch -d '2 days' build/webpack/conf.js":                          false,
		"echo more >> build/webpack/conf.js; git add -A":                   false,
		"echo more >> build/webpack/conf.js; git commit -qam two":          false,
		"echo more >> src/a.c; echo more >> package-lock.json":             false,
		"git rm -q --cached build/webpack/conf.js; echo > build/webpack/x": false,
		"rm -r build":                      false,
		"git mv build/webpack build/other": false,
		"rm -rf .git":                      false,
	} {
		root := t.TempDir()
		g := builtin(t)
		w := realDisk(g, root, filepath.Join(root, "proj"))
		if err := os.MkdirAll(w.Project, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/bin/sh", "-ec", "mkdir -p src build/webpack build/out dist node_modules; touch build/out/a dist/a; echo one > build/webpack/conf.js; echo one > src/a.c; echo {} > package-lock.json; printf 'dist\\nout\\n' > .gitignore; git init -q -b main .; git add -A; git commit -qm one; "+setting)
		cmd.Dir = w.Project
		cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		hold := func(script string, want bool) {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			if (v.Rule == "git-discard") != want {
				t.Errorf("after %s: %s: %s %s (%s)", setting, script, v.Decision, v.Rule, v.Reason)
			}
		}
		for _, script := range takes {
			hold(script, lost)
		}
		for _, script := range others {
			hold(script, false)
		}
		many := strings.Repeat("rm -rf build/out; ", 70) + "rm -rf build"
		if v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: many, Shell: true, Edits: true, Attended: true}, w); lost && v.Decision == tool.Allow {
			t.Errorf("after %s: what is deleted last of much is allowed", setting)
		}
	}
}
