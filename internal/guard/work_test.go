package guard_test

import (
	"slices"
	"strings"
	"testing"
)

// TestDeletedRepositories deletes what is called like the output of a build and is a repository or a working tree, or holds one, with work
// in it that is nowhere else, and without.
func TestDeletedRepositories(t *testing.T) {
	const made = `git init -q -b main ../up; cd ../up; printf '*.log\n' >.gitignore; echo a >a; git add -A; git commit -qm one; git branch pages; git tag v1
cd ../proj; git init -q -b main .; printf 'dist\nbuild\nnode_modules\n' >.gitignore; echo p >p; git add -A; git commit -qm one; git branch pages; mkdir build node_modules dist; rmdir dist; `
	clone, tree, inside := "git clone -q ../up dist; cd dist; ", "git worktree add -q dist pages; cd dist; ", "git clone -q ../up node_modules/x; ln -s ../node_modules/x build/x; cd node_modules/x; "
	all := []string{"rm -rf dist", "rm -rf ./dist/", "rm -rf dist && mkdir dist", "npx rimraf dist", "rm -rf build dist", "python3 -c 'import shutil; shutil.rmtree(\"dist\")'", "find . -name dist -exec rm -rf {} +"}
	in := []string{"rm -rf node_modules", "rm -rf node_modules && npm ci", "rm -rf node_modules/*", "rm -rf node_modules/x", "rm -rf build node_modules"}
	for _, c := range []struct {
		begin, then string
		work        bool
		scripts     []string
	}{
		{"mkdir dist; echo x >dist/x; cd dist; ", "true", false, all},
		{"mkdir dist; cd dist; ", "echo gitdir: /nosuch >.git; echo x >x", false, all},
		{clone, "true", false, all},
		{clone, "echo more >>a", true, all},
		{clone, "echo new >new", true, all},
		{clone, "mkdir d; echo new >d/new", true, all},
		{clone, "echo new >x.log; mkdir d; echo x >d/y.log", false, all}, // ignored
		{clone, "echo more >>a; git commit -qam two", true, all},
		{clone, "echo more >>a; git add a", true, all},
		{clone, "echo more >>a; git stash -q", true, all},
		{clone, "git switch -qc topic", false, all},
		{clone, "git switch -qc topic; echo b >b; git add b; git commit -qm b; git switch -q main", true, all},
		{clone, "git checkout -q v1", false, all},
		{clone, "git checkout -q --detach; echo b >b; git add b; git commit -qm b", true, all},
		{"git clone -q --depth 1 file://$PWD/../up dist; cd dist; ", "true", false, all},
		{"git init -q dist; cd dist; ", "true", false, all},
		{"git init -q dist; cd dist; ", "echo a >a; git add a; git commit -qm a", true, all},
		{tree, "true", false, all},
		{tree, "echo more >>p", true, all},
		{tree, "echo new >new", true, all},
		{tree, "echo more >>p; git commit -qam two", false, all}, // the branch has it
		{tree, "git checkout -q --detach; echo b >b; git add b; git commit -qm b", true, all},
		{inside, "true", false, in},
		{inside, "echo more >>a", true, in},
		{inside, "echo more >>a; git commit -qam two", true, in},
		{inside, "echo more >>a; git commit -qam two", false, []string{"rm -rf build", "rm -rf build/*", "rm -rf node_modules/y", "rm -rf dist"}},
		{tree, "echo more >>a", false, []string{"rm -rf dist/*", "mv dist /tmp/x", "rm -f dist/x", "ls dist", "git -C dist status"}}, // what is published is built again
	} {
		l := newLossy(t, made+c.begin+c.then)
		for _, script := range c.scripts {
			if asks, why := l.asks(script); asks != c.work && !strings.Contains(why, "/.git/worktrees/") { // which has the name of the directory
				t.Errorf("after %s%s: %s: asked: %v (%s)", c.begin, c.then, script, asks, why)
			}
		}
	}
}

// TestRemovedModulesLose: a submodule is removed with what git ignores in it.
func TestRemovedModulesLose(t *testing.T) {
	const made = `git init -q -b main ../up; cd ../up; printf '.env\nnode_modules/\n' >.gitignore; echo a >a; git add -A; git commit -qm one
cd ../proj; git init -q -b main .; echo p >p; git add p; git -c protocol.file.allow=always submodule --quiet add ../up libs/sub; git -c protocol.file.allow=always submodule --quiet add ../up lib; git commit -qm modules; `
	for setting, scripts := range map[string]map[string]bool{
		"echo key >libs/sub/.env": {
			"git rm -q libs/sub": true, "git rm -r libs": true, "git rm -q libs/sub lib": true, "cd libs && git rm -q sub": true, "git rm -rq .": true, "git rm -r 'li*'": true,
			"git rm -q lib": false, "git rm -q p": false, "git rm -q --cached libs/sub": false, "git rm -nq libs/sub": false,
		},
		"mkdir -p libs/sub/node_modules; echo x >libs/sub/node_modules/x": {"git rm -q libs/sub": false},
		"true": {"git rm -q libs/sub": false, "git rm -rq libs lib": false},
	} {
		l := newLossy(t, made+setting)
		for script, want := range scripts {
			if asks, why := l.asks(script); asks != want {
				t.Errorf("after %s: %s: asked: %v (%s)", setting, script, asks, why)
			}
			lost := slices.DeleteFunc(l.loses(script), func(text string) bool { return strings.HasPrefix(text, "gitdir:") })
			if (len(lost) > 0) != want && setting != "mkdir -p libs/sub/node_modules; echo x >libs/sub/node_modules/x" {
				t.Errorf("after %s: %s: lost %q", setting, script, lost)
			}
		}
	}
}

// TestRemovedTreesLetGo: with a working tree go the commits that were made there on no branch.
func TestRemovedTreesLetGo(t *testing.T) {
	const made = `git init -q -b main .; echo p >p; git add p; git commit -qm one; git worktree add -q --detach ../fix; git worktree add -q -b topic ../on; cd ../fix; `
	const commit = "echo b >b; git add b; git commit -qm b; "
	gone := []string{"git worktree remove ../fix", "git worktree remove fix", "rm -rf ../fix && git worktree prune"}
	for setting, lets := range map[string]bool{
		"true": false, commit: true, commit + "git branch kept": false, commit + "git tag kept": false, commit + "git branch kept; git checkout -q kept": false, commit + "git checkout -q main~0": false,
		"cd ../on; " + commit: false,
	} {
		l := newLossy(t, made+setting)
		for _, script := range gone {
			if asks, why := l.asks(script); asks != lets && script[0] == 'g' || lets && !asks {
				t.Errorf("after %s: %s: asked: %v (%s)", setting, script, asks, why)
			}
		}
		for _, script := range []string{"git worktree remove ../on", "git worktree prune", "git worktree list", "git worktree prune -n"} {
			if asks, why := l.asks(script); asks {
				t.Errorf("after %s: %s: asked: %s", setting, script, why)
			}
		}
	}
	for setting, lets := range map[string]bool{"true": false, commit: true} {
		l := newLossy(t, made+setting+"\nmv ../fix ../moved")
		if asks, why := l.asks("git worktree prune"); asks != lets {
			t.Errorf("after %s and a move: asked: %v (%s)", setting, asks, why)
		}
		if asks, why := l.asks("git worktree prune --dry-run"); asks {
			t.Errorf("after %s and a move, only looked at: %s", setting, why)
		}
	}
}
