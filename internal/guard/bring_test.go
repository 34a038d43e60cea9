package guard_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestWhatGitBrings: a file that configures an agent or longline does not appear by
// git without a question, by whatever way, and nothing is asked where the branches
// carry the same ones.
func TestWhatGitBrings(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	root := t.TempDir()
	proj := filepath.Join(root, "home/proj")
	sh := func(script string) {
		t.Helper()
		cmd := exec.Command("/bin/sh", "-ec", script)
		cmd.Dir = proj
		cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.MkdirAll(proj, 0o755); err != nil {
		t.Fatal(err)
	}
	sh(`git init -q -b main .; mkdir .claude sub; echo '{}' >.claude/settings.json; echo a >a; git add -A; git commit -qm one
git switch -qc same; echo b >sub/b; git add -A; git commit -qm same
git switch -qc evil main; echo '{"disableAllHooks":true}' >.claude/settings.json; git add -A; git commit -qm evil
git switch -qc rules main; echo 'version: 1' >.longline.yaml; git add -A; git commit -qm rules
git switch -q --orphan bare; rm -rf .claude .longline.yaml; echo '{}' >settings.json; git add -A; git commit -qm bare
git switch -q main; git branch gone main; git switch -q gone; git rm -q .claude/settings.json; git commit -qm gone; git switch -q main
echo stashed >a; git stash -q; echo '{"a":1}' >.claude/settings.json; git stash -q; git switch -q same; git switch -q main
git update-ref refs/remotes/origin/evil evil; git update-ref refs/remotes/origin/same same
git config remote.origin.url https://example.com/r.git
git tag twofold same; git branch twofold evil; git branch stash evil
git switch -q -c comes-and-goes main; echo '{"x":1}' >.claude/settings.json; git commit -qam comes; echo '{}' >.claude/settings.json; git commit -qam goes; echo c >c; git add -A; git commit -qm later; git switch -q main
git bundle create -q evil.bundle evil`)
	out, err := exec.Command("git", "-C", proj, "rev-parse", "evil").Output()
	if err != nil {
		t.Fatal(err)
	}
	evil := strings.TrimSpace(string(out))
	g := builtin(t)
	world := realDisk(g, filepath.Join(root, "home"), proj)
	check := func(state string) {
		t.Helper()
		for _, test := range []struct {
			command string
			brings  bool
		}{
			{"git switch same", false},
			{"git checkout same", false},
			{"git switch -", false},
			{"git checkout -b new", false},
			{"git switch -c new same", false},
			{"git switch nosuch", false},
			{"git merge same", false},
			{"git cherry-pick same", false},
			{"git worktree add ../other same", false},
			{"git checkout a", false},
			{"git merge origin/same", false},
			{"git rebase origin/same", false},
			{"git fetch origin && git merge origin/same", false},
			{"git fetch origin main && git rebase origin/main", false},
			{"git fetch origin && git switch later", false}, // as a pull: the repository's own
			{"git fetch origin later:later && git switch later", false},
			{"git fetch origin later:refs/heads/later && git switch later", false},
			{"git fetch origin later:refs/remotes/origin/later && git switch -c topic origin/later", false},
			{"git fetch origin refs/heads/later:refs/remotes/origin/later && git switch -c topic origin/later", false},
			{"git fetch && git switch -c topic origin/later", false},
			{"git pull", false},
			{"git pull --rebase origin main", false},
			{"git branch backup && git switch same", false},
			{"git branch topic same", false},
			{"git tag v1 same && git switch same", false},
			{"git fetch origin pull/5/head:pr5", false},
			{"git read-tree same", false},
			{"git sparse-checkout set .claude sub", false},
			{"git merge --abort", false},
			{"git rebase --continue", false},
			{"git stash apply stash@{1}", false},
			{"git stash", false},
			{"git update-index --assume-unchanged a; git switch same", false}, // git looks at the file before it replaces it
			{"git update-index --no-assume-unchanged a; git stash", false},
			{"git update-index --assume-unchanged a; git stash list", false},

			{"git rm a", false},
			{"git rm -r sub", false},
			{"git rm 'sub/*'", false},
			{"git rm --cached -r .", false},
			{"git revert same", false},
			{"git revert evil", false}, // the file is as it was before
			{"git revert main..evil", false},
			{"git checkout --orphan new", false},
			{"git bisect start same main", false},
			{"git bisect start same main && git bisect run true", false},
			{"git bisect start", false},
			{"git bisect reset", false},

			{"git rm -r .", true},
			{"git rm -rf .", true},
			{"git rm -r .claude", true},
			{"git rm '*.json'", true},
			{"git rm -r :/", true},
			{"git switch --orphan new", true},
			{"git revert main", true},
			{"git bisect start comes-and-goes main", true},
			{"git bisect start evil main", true},
			{"git bisect start && git bisect bad comes-and-goes && git bisect good main", true},
			{"git bisect reset evil", true},
			{"git bisect replay log", true},
			// A branch that is called as a tag or a stash is.
			{"git switch twofold", true},
			{"git checkout twofold", true},
			{"git worktree add ../other twofold", true},
			{"git switch stash", true},
			// The ways in which a commit can be spelled.
			{"git checkout " + evil[:5], true},
			{"git checkout " + strings.ToUpper(evil[:9]), true},
			{"git checkout v1-12-g" + evil[:8], true},
			{"git checkout heads/evil", true},
			{"git checkout remotes/origin/evil", true},
			{"git checkout evil^0", true},
			{"git checkout evil^{commit}", true},
			{"git checkout ':/evil'", true},
			{"git checkout evil@{0}", true},
			{"git checkout worktrees/x/HEAD", true},

			{"git switch evil", true},
			{"git checkout evil", true},
			{"git switch -c new evil", true},
			{"git checkout --detach evil", true},
			{"git switch rules", true},
			{"git switch gone", true},
			{"git merge evil", true},
			{"git rebase evil", true},
			{"git cherry-pick evil", true},
			{"git reset --hard evil", true},
			{"git stash pop", true},
			{"git stash apply stash@{0}", true},
			{"git checkout evil -- .", true},
			{"git restore --source=evil .", true},
			{"git worktree add ../other evil", true},
			{"git worktree add .claude bare", true},
			{"git worktree add .claude/x/../../.claude bare", true},
			{"git read-tree --prefix=.claude/ bare", true},
			{"git update-index --add --cacheinfo 100644,8baef1b4abc478178b004d62031cf7fe6db6f903,.claude/settings.json", true},
			{`git switch "$BRANCH"`, true},
			{"git merge origin/evil", true},
			{"git rebase origin/evil", true},
			{"git checkout origin/evil", true},
			{"git reset --hard origin/evil", true},
			{"git read-tree evil", true},
			{"git read-tree evil && git checkout-index -a", true},
			{"git read-tree -m -u HEAD evil", true},
			{"git stash branch b", true},
			{"git update-index --assume-unchanged a; git stash", true}, // the change in it is lost
			{"git update-index --assume-unchanged a && git stash push -k", true},
			{"git sparse-checkout set sub", true},
			{"git sparse-checkout set --no-cone /a", true},
			// What one command makes of a name, the next puts on the disk.
			{"git branch other evil && git switch other", true},
			{"git branch other evil; git checkout other", true},
			{"git tag t evil && git checkout t", true},
			{"git tag t evil && git merge t", true},
			{"git fetch . evil && git merge FETCH_HEAD", true},
			{"git fetch . evil && git checkout FETCH_HEAD", true},
			{"git fetch . evil && git reset --hard FETCH_HEAD", true},
			{"git fetch . evil:refs/remotes/origin/x && git merge origin/x", true},
			{"git fetch ../upstream main:refs/remotes/origin/same && git merge origin/same", true},
			{"git fetch evil.bundle evil:other && git merge other", true},
			{"git fetch https://example.com/x.git && git merge FETCH_HEAD", true},
			{"git fetch origin later:other && git switch other", true},
			{"git fetch origin later:refs/remotes/mine/later && git switch -c topic mine/later", true},
			{"git fetch origin pull/5/head:pr5 && git switch pr5", true},
			{"git fetch origin pull/5/head && git checkout FETCH_HEAD", true},
			{"git fetch origin refs/pull/5/merge:same && git switch same", true},
			{"if git fetch . evil; then git merge FETCH_HEAD; fi", true},
			{"for b in x; do git branch $b evil; git switch $b; done", true},
			{"git branch -u evil && git pull", true},
			{"git checkout evil -- a; git checkout evil -- .claude", true}, // what differs is looked up once
			{"git checkout evil -- a; git checkout evil -- sub a", false},
			{"git branch --set-upstream-to=evil; git merge", true},
			{"git stash store $(git rev-parse evil) && git stash pop", true},
			{"git pull evil.bundle evil", true},
			{"git pull origin pull/5/head", true},
		} {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: test.command, Shell: true, Edits: true, Attended: true}, world)
			brought := false
			for _, f := range v.Findings {
				brought = brought || strings.Contains(f.Reason, "configures an agent") || strings.Contains(f.Reason, "unreviewed files") || strings.Contains(f.Reason, "known only at run time") ||
					strings.Contains(f.Reason, "only after the commands before it") || strings.Contains(f.Reason, "loses the changes") || strings.Contains(f.Reason, "cannot be read from the repository") || f.Rule == "git-foreign"
			}
			if brought != test.brings || test.brings && v.Decision < tool.Ask {
				t.Errorf("%s: %s is %s: %s", state, test.command, v.Decision, v.Reason)
			}
		}
	}
	check("loose")
	sh("git gc -q --prune=now")
	check("packed")
	// What the branch follows is what a bare pull or merge takes.
	for upstream, brings := range map[string]bool{"evil": true, "same": false} {
		sh("git branch -q -u " + upstream)
		for _, command := range []string{"git pull", "git merge", "git rebase", "git merge @{u}", "git reset --hard @{upstream}"} {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: command, Shell: true, Attended: true}, world)
			if brought := strings.Contains(v.Reason+fmt.Sprint(v.Findings), "configures an agent"); brought != brings {
				t.Errorf("%s, following %s, is %s: %s", command, upstream, v.Decision, v.Reason)
			}
		}
	}
	// In whatever form the repository is, and wherever its objects are: what git finds is
	// looked at, or asked about.
	borrowed, other := filepath.Join(root, "home/borrowed"), filepath.Join(root, "home/reftable")
	sh("git clone -q --shared . ../borrowed; cd ../borrowed; git switch -qc main2 origin/main")
	sh("git clone -q . ../replaced; cd ../replaced; git replace $(git rev-parse origin/same^{tree}) $(git rev-parse origin/evil^{tree})")
	sh("git init -q -b main --ref-format=reftable ../reftable 2>/dev/null || exit 0; cd ../reftable; git pull -q ../proj main; git fetch -q ../proj evil:evil same:same")
	linked := filepath.Join(root, "home/linked")
	sh("git worktree add -q --detach ../linked main")
	world.Project = world.Home
	for dir, command := range map[string]string{borrowed: "git switch -c x origin/evil", linked: "git switch -c x evil", filepath.Join(root, "home/replaced"): "git switch -c x origin/same", other: "git switch evil"} {
		if _, err := os.Stat(filepath.Join(dir, ".git/HEAD")); err != nil && dir != linked {
			continue // this git knows no such form
		}
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: dir, Script: command, Shell: true, Attended: true}, world)
		if v.Decision < tool.Ask {
			t.Errorf("%s in %s is %s", command, filepath.Base(dir), v.Decision)
		}
	}
	for dir, command := range map[string]string{borrowed: "git switch -c x origin/same", linked: "git switch -c x same"} {
		if v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: dir, Script: command, Shell: true, Attended: true}, world); v.Decision >= tool.Ask {
			t.Errorf("%s in %s, which brings nothing, is asked about: %s", command, filepath.Base(dir), v.Reason)
		}
	}
	world.Project = proj
	sh(`git fetch -q . evil`)
	if v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: "git merge FETCH_HEAD", Shell: true, Attended: true}, world); v.Decision < tool.Ask {
		t.Errorf("what was fetched is merged: %s", v.Decision)
	}
	// The end of a search goes to where it began, if nothing else is named.
	for start, back := range map[string]bool{"main": false, "evil": true} {
		sh("git switch -q " + start + "; git bisect start >&2; git checkout -q same")
		for command, brings := range map[string]bool{"git bisect reset": back, "git bisect reset same": false, "git bisect reset evil": true} {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: command, Shell: true, Attended: true}, world)
			if (v.Decision >= tool.Ask) != brings {
				t.Errorf("%s, begun at %s, is %s: %s", command, start, v.Decision, v.Reason)
			}
		}
		sh("git bisect reset >&2; git switch -q main")
	}
	sh(`git update-index --cacheinfo 100644,$(git rev-parse evil:.claude/settings.json),.claude/settings.json`)
	for _, command := range []string{"git checkout-index -a -f", "git checkout -- .", "git restore ."} {
		if v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: command, Shell: true, Attended: true}, world); v.Decision < tool.Ask {
			t.Errorf("%s is %s", command, v.Decision)
		}
	}
}

// TestGitOverwrites: git takes ignored files for expendable, and a commit that has one in their place overwrites them.
func TestGitOverwrites(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	root := t.TempDir()
	proj := filepath.Join(root, "home/proj")
	if err := os.MkdirAll(proj, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-ec", `git init -q -b main .; printf 'local.db\nsame.db\nlogs/\n' >.gitignore; echo a >a; git add -A; git commit -qm one
git switch -qc other; echo theirs >local.db; mkdir logs; echo theirs >logs/l; git add -f local.db logs/l; git commit -qm other
git switch -qc both main; echo both >same.db; git add -f same.db; git commit -qm both
git switch -qc added main; echo new >new; git add new; git commit -qm added; git switch -q main
echo mine >local.db; echo both >same.db; mkdir -p logs; echo mine >logs/l; git update-ref refs/remotes/origin/other other`)
	cmd.Dir = proj
	cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	g := builtin(t)
	for command, loses := range map[string]bool{
		"git checkout other": true, "git switch other": true, "git merge other": true, "git merge --ff-only other": true, "git cherry-pick other": true,
		"git checkout -b mine other": true, "git switch -c mine origin/other": true, "git stash; git checkout other; git stash pop": true,
		"git switch both": false, "git merge both": false, "git switch added": false, "git merge added": false, "git cherry-pick added": false,
	} {
		w := realDisk(g, filepath.Join(root, "home"), proj)
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: command, Shell: true, Edits: true, Attended: true}, w)
		if asks := strings.Contains(v.Reason, "which git does not have here") && v.Decision >= tool.Ask; asks != loses {
			t.Errorf("%s: %s, %s", command, v.Decision, v.Reason)
		}
	}
}
