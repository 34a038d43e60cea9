package guard_test

import (
	"hash/fnv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// lossy is a repository in which the same scripts are judged and run.
type lossy struct {
	t     *testing.T
	root  string
	shell string // that scripts run in
}

// runsPrograms lets a test that waits for programs run beside others. The race detector has nothing to look for in it.
func runsPrograms(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("it runs programs")
	}
	turn(t)
	t.Parallel()
}

// sampled says whether only a part of the scripts of large sweeps is tried, so that go test ends in time. make sweeps tries all.
func sampled() bool { return os.Getenv("LONGLINE_SWEEPS") != "all" }

// leftOut says whether one of many scripts is left out of a sample, which takes every sixteenth.
func leftOut(n int) bool { return sampled() && n%16 != 0 }

// turn skips most of the tests that run hundreds of scripts: each of them takes seconds, and go test runs one in six.
func turn(t *testing.T) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	if h := fnv.New32(); sampled() {
		h.Write([]byte(name))
		if h.Sum32()%6 != 0 {
			t.Skip("make sweeps runs it")
		}
	}
}

// newLossy makes one by a script.
func newLossy(t *testing.T, script string) *lossy {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	turn(t)
	l := &lossy{t, t.TempDir(), "/bin/sh"}
	if err := os.MkdirAll(filepath.Join(l.root, "home/proj"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := l.run(filepath.Join(l.root, "home"), "set -e\n"+script); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return l
}

// run runs a script in the project of a home.
func (l *lossy) run(home, script string) ([]byte, error) {
	cmd := exec.Command(l.shell, "-c", script)
	cmd.Dir = filepath.Join(home, "proj")
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
	}
	return cmd.CombinedOutput()
}

// loses runs a script in a copy of the repository, and says which contents of files are not there any more at all.
func (l *lossy) loses(script string) (lost []string) {
	l.t.Helper()
	home := l.t.TempDir()
	if out, err := exec.Command("cp", "-a", filepath.Join(l.root, "home")+"/.", home).CombinedOutput(); err != nil {
		l.t.Fatalf("%v: %s", err, out)
	}
	before := contents(home)
	_, _ = l.run(home, "git update-index -q --refresh") // for the copies look new to git
	_, _ = l.run(home, script)                          // it may well fail
	after := contents(home)
	maps.DeleteFunc(before, func(content string, _ bool) bool { return after[content] || content == "" })
	if len(before) == 0 {
		return nil
	}
	// Where the repository is gone this prints nothing, and what it held is lost.
	out, _ := l.run(home, "export GIT_WORK_TREE=.; git rev-list --objects --all --reflog | cut -d' ' -f1 | git cat-file --batch-check='%(objecttype) %(objectname)' | grep ^blob | cut -d' ' -f2 | git cat-file --batch")
	for content := range before {
		if !strings.Contains(string(out), content) {
			lost = append(lost, content)
		}
	}
	slices.Sort(lost)
	return lost
}

// contents is what the files below a home hold, without those of git.
func contents(home string) map[string]bool {
	all := map[string]bool{}
	_ = filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" && d.IsDir() {
			return filepath.SkipDir
		}
		if text, err := os.ReadFile(path); err == nil {
			all[string(text)] = true
		}
		return nil
	})
	return all
}

// asks says whether somebody is asked about a script, and why.
func (l *lossy) asks(script string) (bool, string) {
	g := builtin(l.t)
	w := realDisk(g, filepath.Join(l.root, "home"), filepath.Join(l.root, "home/proj"))
	v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
	return v.Decision >= tool.Ask, v.Reason
}

// check holds what is asked about some scripts against what they lose. Those that are marked are asked about though nothing is lost:
// that cannot be known.
func (l *lossy) check(scripts map[string]bool) {
	l.t.Helper()
	losing := 0
	for _, script := range slices.Sorted(maps.Keys(scripts)) {
		lost := l.loses(script)
		if len(lost) > 0 {
			losing++
		}
		if asks, why := l.asks(script); asks != (len(lost) > 0 || scripts[script]) {
			l.t.Errorf("%s: asked: %v (%s), lost: %q", script, asks, why, lost)
		}
	}
	if losing == 0 {
		l.t.Error("nothing was lost by any of these")
	}
}

// TestSparseLoses: git takes a directory from the disk with the files in it that it ignores.
func TestSparseLoses(t *testing.T) {
	const unsure = true
	l := newLossy(t, `git init -q -b main .; printf '*.db\n*.env\nnode_modules/\nbuild/\n' >.gitignore; mkdir -p docs/api src/sub web/a web/b web/node_modules plain kept
for f in root docs/d docs/api/x src/a src/sub/b web/a/a web/b/b plain/p kept/k; do echo $f >$f; done; git add -A; git commit -qm one
echo only >src/sub/only.db; echo mine >web/a/local.env; echo 'module.exports' >web/node_modules/m.js; echo new >kept/untracked; mkdir plain/empty; echo rootdb >root.db; echo doc >docs/d.db`)
	l.check(map[string]bool{
		"git sparse-checkout set docs":                                           false,
		"git sparse-checkout set --cone docs":                                    false,
		"git sparse-checkout set docs kept":                                      false,
		"git sparse-checkout set src":                                            false,
		"git sparse-checkout set src web":                                        false,
		"git sparse-checkout set src web docs kept":                              false,
		"git sparse-checkout set src/sub web/a docs/ ":                           unsure, // git leaves kept as it is
		"git sparse-checkout set src/sub web/a docs/ kept":                       false,
		"git sparse-checkout set /src/sub /web/a /docs kept":                     false,
		"git sparse-checkout set src/sub web/b docs kept":                        false,
		"git sparse-checkout set src/sub web docs kept":                          false,
		"git sparse-checkout set docs/api src web kept":                          false, // files right above stay
		"git sparse-checkout set":                                                false,
		"git sparse-checkout init --cone":                                        false,
		"git sparse-checkout init":                                               false,
		"git sparse-checkout init --no-cone":                                     false,
		"git sparse-checkout set --no-cone docs":                                 false,
		"git stash; git sparse-checkout set docs":                                false,
		"cd src && git sparse-checkout set sub":                                  false,
		"cd docs && git sparse-checkout set ../src":                              false,
		"cd web && git sparse-checkout set a ../docs":                            false,
		"printf 'docs\\n' | git sparse-checkout set --stdin":                     false,
		"printf 'docs\\nsrc\\nweb\\nkept\\n' | git sparse-checkout set --stdin":  false,
		"ls | git sparse-checkout set --stdin":                                   unsure,
		`D=$(ls -d docs src web kept); git sparse-checkout set $D`:               unsure,
		"git sparse-checkout disable":                                            false,
		"git sparse-checkout list":                                               false,
		"git sparse-checkout add docs":                                           unsure, // there is nothing to add to
		"git sparse-checkout set --no-cone '/*' && git sparse-checkout add docs": unsure,
		"git clone -q . ../fresh && cd ../fresh && git sparse-checkout set docs": unsure, // outside of the project
		"git clone -q . fresh && cd fresh && git sparse-checkout set docs":       false,
		"git clone -q . fresh && git -C fresh sparse-checkout set docs":          false,
	})
	inClone := newLossy(t, `git init -q -b main .; printf '*.db\n' >.gitignore; mkdir -p docs src web; for f in root docs/d src/a web/a; do echo $f >$f; done; git add -A; git commit -qm one
git sparse-checkout set docs web; git config core.x y; mkdir -p src; echo again >src/s.db; echo web >web/w.db`)
	inClone.check(map[string]bool{
		"git sparse-checkout reapply":      false,
		"git sparse-checkout init --cone":  false,
		"git sparse-checkout add src":      false,
		"git sparse-checkout add docs":     false,
		"git sparse-checkout set docs src": false,
		"git sparse-checkout set web src":  false,
	})
	patterns := newLossy(t, `git init -q -b main .; printf '*.db\n' >.gitignore; mkdir -p docs src; for f in root docs/d src/a; do echo $f >$f; done; git add -A; git commit -qm one
git sparse-checkout set --no-cone /docs/; mkdir -p src; echo again >src/s.db; echo docs >docs/d.db`)
	patterns.check(map[string]bool{
		"git sparse-checkout reapply":         false,
		"git sparse-checkout add /src/":       false,
		"git sparse-checkout set /root":       false,
		"git sparse-checkout set --cone docs": false,
	})
}

// TestUntrackedLoses: what a script takes out of the index is not git's any more for the commands behind it.
func TestUntrackedLoses(t *testing.T) {
	runsPrograms(t)
	const unsure = true
	l := newLossy(t, `git init -q -b main .; printf '*.conf\n' >.gitignore; mkdir src; for f in a src/app src/lib b c; do echo committed $f >$f; done; git add -A; git commit -qm one
git switch -qc other; echo theirs >b; echo more >d; git add -A; git commit -qm other
git switch -qc without main; git rm -q a src/app; git commit -qm without
git switch -qc moved main; echo moved >a; git commit -qam moved; git switch -q main
echo last >last; git add last; git commit -qm last; echo changed >a; echo changed too >src/app`)
	untrack := "echo a >>.gitignore; git rm -q --cached a; "
	l.check(map[string]bool{
		untrack + "git commit -qam x; git checkout other":                                                        false,
		untrack + "git commit -qam x; git switch other":                                                          false,
		untrack + "git commit -qm x && git checkout -b y other":                                                  false,
		untrack + "git commit -qm x && git checkout main~1":                                                      false,
		untrack + "git commit -qm x; git switch without":                                                         false, // it has none
		untrack + "git commit -qm x; git merge other":                                                            false,
		untrack + "git commit -qm x; git merge moved":                                                            false,
		untrack + "git commit -qm x; git cherry-pick moved":                                                      false,
		untrack + "git commit -qm x; git cherry-pick other":                                                      false,
		untrack + "git commit -qm x":                                                                             false,
		untrack + "git status; git log; git diff":                                                                false,
		"echo src/ >>.gitignore; git rm -rq --cached src; git commit -qm x; git switch other":                    false,
		"echo src/ >>.gitignore; git rm -rq --cached src/lib; git commit -qm x; git switch other":                false, // as it was committed
		"echo src/ >>.gitignore; git rm -q --cached 'src/*'; git commit -qm x; git switch other":                 false,
		"printf 'a\\nsrc\\n' >>.gitignore; git rm -rq --cached .; git add .; git commit -qm x; git switch other": false,
		"echo a >>.gitignore; git ls-files | xargs git rm -q --cached; git commit -qm x; git switch other":       unsure, // git refuses because of the others
		"echo a >.git/info/exclude; git update-index --force-remove a; git commit -qm x; git switch other":       unsure, // by the file that is written
		"echo a >>.gitignore; git update-index --force-remove a; git commit -qm x; git switch other":             false,
		"echo a >>.gitignore; git update-index --remove a; git commit -qm x; git switch without":                 false,
		"git rm -q --cached a; git commit -qm x; git switch other":                                               unsure, // git refuses
		"git rm -q --cached -n a; git switch other":                                                              false,
		"git rm -q --cached b; echo b >>.gitignore; git commit -qm x; git switch other":                          false,
		"git switch other":                                               false,
		"git reset -q HEAD~1; git switch other":                          false,
		"git reset -q; git switch other":                                 false,
		"git reset -q a; git switch other":                               false,
		"git reset -q --soft HEAD~2; git commit -qm x; git switch other": false,
		untrack + "git commit -qm x; sh -c 'git checkout other'":         false,
		"for f in a; do echo $f >>.gitignore; git rm -q --cached $f; done; git commit -qm x; git switch other": false,
		"git read-tree --empty; echo a >>.gitignore; git add .gitignore; git commit -qm x; git switch other":   unsure,
		untrack + "git add .gitignore; git commit -qm x; git stash -q; git rebase -q other":                    false,
		untrack + "git stash": false,
	})
	forced := newLossy(t, `git init -q -b main .; printf '*.conf\n' >.gitignore; echo a >a; git add -A; git commit -qm one; git branch without
echo forced >f.conf; git add -f f.conf; git commit -qm forced; git branch later; echo last >last; git add last; git commit -qm last; echo only here >f.conf`)
	forced.check(map[string]bool{
		"git reset -q HEAD~2; git switch later":                                     false,
		"git reset -q HEAD~2 -- f.conf; git commit -qm x; git switch later":         false,
		"git restore --staged -s HEAD~2 f.conf; git commit -qm x; git switch later": false,
		"git restore --staged f.conf; git commit -qm x; git switch other":           false,
		"git reset -q HEAD~1; git switch later":                                     false,
		"git reset -q HEAD~2; git switch without":                                   false,
		"git reset -q --soft HEAD~1; git switch later":                              false,
	})
}

// TestReplayedLoses: commits that are made anew, undone or searched put versions on the disk that neither end has.
func TestReplayedLoses(t *testing.T) {
	runsPrograms(t)
	const unsure = true
	// A commit had the file, and the next let go of it.
	l := newLossy(t, `git init -q -b main .; printf '.env\n*.patch\n' >.gitignore; echo a >a; git add -A; git commit -qm one
git switch -qc feat; echo theirs >.env; git add -f .env; git commit -qm added; git rm -q --cached .env; git commit -qm removed; echo f >f; git add f; git commit -qm f; echo g >f; git commit -qam g; rm .env; git branch clean HEAD~1
git switch -q main; echo m >m; git add m; git commit -qm m; git switch -qc side; echo s >s; git add s; git commit -qm side; git switch -q feat; git format-patch -q --stdout main..feat >../all.patch; git format-patch -q --stdout main..side >../side.patch
git update-ref refs/remotes/origin/main main; git update-ref refs/remotes/origin/feat feat~1; git config remote.origin.url ../none; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'; git config branch.feat.remote origin; git config branch.feat.merge refs/heads/main
git config alias.up 'rebase main'; echo mine >.env`)
	l.check(map[string]bool{
		"git rebase main":                                                      false,
		"git rebase -q main feat":                                              false,
		"git rebase --apply main":                                              false,
		"git rebase -r main":                                                   false,
		"git rebase":                                                           false,
		"git rebase @{u}":                                                      false,
		"git rebase --autostash main":                                          false,
		"git -C . rebase main":                                                 false,
		"git up":                                                               unsure,
		"cd .git/..; git rebase main":                                          false,
		"git rebase HEAD~4":                                                    false,
		"git rebase -q --autostash HEAD~4":                                     false,
		"git rebase -f HEAD~4":                                                 false,
		"git rebase --no-ff HEAD~4":                                            false,
		"git worktree add -q ../tree feat~2":                                   false,
		"git switch --no-overwrite-ignore --detach feat~2":                     false,
		"git switch --detach feat~3":                                           false,
		"git rebase feat~1":                                                    false, // nothing is made anew
		"git rebase main side":                                                 false,
		"git rebase side":                                                      false,
		"git merge main":                                                       false,
		"git merge --no-ff side":                                               false,
		"git switch main":                                                      false,
		"git checkout -q side":                                                 false,
		"git cherry-pick main~1..feat":                                         false,
		"git cherry-pick feat~2..feat":                                         false,
		"git cherry-pick main..side":                                           false,
		"git cherry-pick side":                                                 false,
		"git cherry-pick main...feat":                                          false,
		"git cherry-pick ..side":                                               false,
		"git switch -q main; git cherry-pick ..feat":                           false,
		"git switch -q main; git switch -q feat; git rebase main":              false,
		"git switch -q main; git checkout -q feat && git rebase":               false,
		"git switch -q main && git pull --rebase":                              unsure,
		"git checkout -q -b n side && git cherry-pick ..clean":                 false,
		"git switch -q main && git cherry-pick main..clean":                    false,
		"git switch -q main && git cherry-pick feat~1 feat":                    false,
		"git switch -q main && git cherry-pick feat~3":                         false,
		"git revert --no-edit main..feat":                                      false,
		"git revert --no-edit HEAD~2..":                                        false,
		"git revert --no-edit HEAD~3..HEAD":                                    false,
		"git revert --no-edit HEAD":                                            false,
		"git revert --no-edit HEAD~2":                                          false,
		"git revert -n HEAD~2":                                                 false,
		"git switch -q main; git am -3 ../all.patch":                           false,
		"git switch -q main; git am -3 <../all.patch":                          false,
		"git switch -q main; cat ../all.patch | git am -3":                     false,
		"git switch -q main; git format-patch --stdout main..feat | git am -3": false,
		"git switch -q main; git am ../side.patch":                             false,
		"git switch -q main; git am ../all.patch":                              unsure, // it fits, and git refuses
		"git bisect start feat main; git bisect good; git bisect bad":          false,
		"git bisect start feat~2 main~1 && git bisect run false":               false,
		"git bisect start feat feat~2 && git bisect run true":                  false,
		"git pull":                            false,
		"git pull --no-rebase":                false,
		"git stash":                           false,
		"git switch -q main; git rebase side": unsure, // it may be another way
	})
	// A pull brings what is there, and makes one's own anew.
	pulls := newLossy(t, `git init -q -b main ../up; cd ../up; echo .env >.gitignore; echo a >a; git add -A; git commit -qm one; cd ../proj; git clone -q ../up .; git branch old
echo theirs >.env; git add -f .env; git commit -qm added; git rm -q --cached .env; git commit -qm removed; rm -f .env; cd ../up; echo b >b; git add b; git commit -qm b; cd ../proj; git fetch -q; echo mine >.env`)
	pulls.check(map[string]bool{
		"git pull --rebase":                                false,
		"git pull -r":                                      false,
		"git -c pull.rebase=true pull":                     false,
		"git -c pull.rebase=false pull --no-edit":          false,
		"git pull --rebase=true":                           false,
		"git pull --rebase=false --no-edit":                false,
		"git pull --no-rebase":                             false,
		"git pull --ff-only":                               false,
		"git pull --rebase origin main":                    false,
		"git pull":                                         false, // git wants to be told how
		"git pull --rebase --autostash":                    false,
		"git fetch && git rebase":                          false,
		"git fetch && git rebase origin/main":              false,
		"git merge --no-edit origin/main":                  false,
		"git switch -q old; git pull --rebase origin main": unsure, // it may be another way
	})
	for _, setting := range []string{"git config pull.rebase true", "git config --global pull.rebase true", "git config branch.main.rebase merges", "mkdir -p ../.config/git; printf '[pull]\nrebase' >../.config/git/config"} {
		if out, err := pulls.run(filepath.Join(pulls.root, "home"), setting); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		pulls.check(map[string]bool{"git pull": false, "git pull --no-rebase": false, "git pull origin main": false, "git pull --rebase=false --no-edit": false})
		if out, err := pulls.run(filepath.Join(pulls.root, "home"), "git config --unset pull.rebase; git config --unset branch.main.rebase; rm -rf ../.gitconfig ../.config"); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	// The branch lets go of a file that the other one still has, and perhaps changes.
	kept := newLossy(t, `git init -q -b main .; mkdir dir; echo tracked >.env; echo t >dir/x.env; echo a >a; git add -A; git commit -qm one; git branch old
git switch -qc changed; echo changed >.env; git commit -qam changed; echo last >last; git add last; git commit -qm last; git switch -q main; echo m >m; git add m; git commit -qm m
git switch -qc feat old; git rm -q --cached .env dir/x.env; printf '*.env\n' >.gitignore; git add -A; git commit -qm untracked; echo g >g; git add g; git commit -qm g
git update-ref refs/remotes/origin/main main; git update-ref refs/remotes/origin/changed changed; git update-ref refs/remotes/origin/feat feat; git config remote.origin.url ../none; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'; git config branch.feat.remote origin; git config branch.feat.merge refs/heads/main; echo mine >.env; echo mine too >dir/x.env`)
	kept.check(map[string]bool{
		"git rebase main":               false,
		"git rebase changed":            false,
		"git rebase":                    false,
		"git merge -q --no-edit main":   false,
		"git merge changed":             false,
		"git cherry-pick changed~1":     false,
		"git cherry-pick changed":       false,
		"git cherry-pick main":          false,
		"git cherry-pick main..changed": false,
		"git revert --no-edit HEAD":     false,
		"git revert --no-edit HEAD~1":   false,
		"git switch main":               false,
		"git bisect start feat old; git bisect good; git bisect bad": unsure, // it may be another way
		"git rebase old":                   false, // it is on top of that already
		"git worktree add -q ../tree main": false,
		"git bisect start feat~1 old":      unsure, // there is nothing to search
		"git bisect start feat feat~1":     false,
	})
	// A directory takes the place of a file, and a file that of a directory.
	dirs := newLossy(t, `git init -q -b main .; printf 'cache\nlogs\n' >.gitignore; echo a >a; git add -A; git commit -qm one
git switch -qc dirs; mkdir cache; echo x >cache/x; git add -f cache; git commit -qm dirs; git switch -q main; git switch -qc file; echo l >logs; git add -f logs; git commit -qm file
git switch -qc back dirs; git rm -qr cache; git commit -qm back; git switch -q main; echo mine >cache; mkdir logs; echo log >logs/l`)
	dirs.check(map[string]bool{
		"git switch dirs": false, "git merge dirs": false, "git cherry-pick dirs": false, "git checkout -q -b n dirs": false, "git cherry-pick main..back": false, "git merge back": false, "git switch file": false, "git merge file": false,
	})
	// What was begun goes on, and what was put aside is taken up where it was.
	rest := newLossy(t, `git init -q -b main .; echo .env >.gitignore; echo a >a; git add -A; git commit -qm one; git switch -qc feat; echo f >a; git commit -qam conflict
echo theirs >.env; git add -f .env; git commit -qm added; git rm -q --cached .env; git commit -qm removed; rm .env; git switch -q main; echo m >a; git commit -qam m; git switch -q feat; git rebase -q main || true; echo both >a; git add a; echo mine >.env`)
	rest.check(map[string]bool{"git rebase --continue": false, "git status": false})
	branch := newLossy(t, `git init -q -b main .; echo theirs >.env; echo a >a; git add -A; git commit -qm one; echo b >a; git stash -q; git rm -q --cached .env; echo .env >.gitignore; git add -A; git commit -qm two; echo mine >.env`)
	branch.check(map[string]bool{"git stash branch b": false, "git stash pop": false})
}

// TestHiddenLoses: git was told to take a file for unchanged, which has changed.
func TestHiddenLoses(t *testing.T) {
	runsPrograms(t)
	const unsure = true
	const made = `git init -q -b main .; echo orig >local.conf; echo b >b; mkdir sub; echo c >sub/c; git add -A; git commit -qm one
git switch -qc other; echo changed >local.conf; git commit -qam other; git switch -qc same main; echo d >d; git add d; git commit -qm same; git switch -qc gone main; git rm -q local.conf; git commit -qm gone
git switch -q main; echo e >e; git add e; git commit -qm e; echo stashed >sub/c; git stash -q; `
	scripts := map[string]bool{
		"git stash":             false,
		"git stash -k":          false,
		"git stash -u":          false,
		"git stash push -m wip": false,
		"git stash save wip":    false,
		"git -C sub stash":      false,
		"cd sub; git stash":     false,
		"git stash && git switch same && git stash pop": false,
		"git stash list":                         false,
		"git stash show":                         false,
		"git merge --no-edit other":              false,
		"git merge --no-edit gone":               false,
		"git merge --no-edit same":               false,
		"git pull --no-rebase --no-edit . other": unsure, // a repository of somebody else
		"git rm -q local.conf":                   false,
		"git rm -q b":                            false, // git refuses
		"git rm -q sub/c":                        false,
		"git rm -q '*.conf'":                     false,
		"git rm -q --cached local.conf":          false,
		"git switch same":                        false,
		"git checkout -q same":                   false,
		"git switch other":                       false, // git refuses
		"git cherry-pick same":                   false,
		"git add -A; git commit -qm x":           false,
		"git status":                             false,
	}
	hidden := newLossy(t, made+"git update-index --assume-unchanged local.conf; echo mine >local.conf; echo changed too >b")
	hidden.check(scripts)
	for _, setting := range []string{"echo changed too >b", "git update-index --assume-unchanged local.conf; echo changed too >b", "git update-index --skip-worktree local.conf; echo mine >local.conf; echo changed too >b"} {
		l := newLossy(t, made+setting)
		for script := range scripts {
			lost := l.loses(script)
			asks, why := l.asks(script)
			if len(lost) > 0 || asks && strings.Contains(why, "takes for unchanged") {
				t.Errorf("after %s: %s: asked: %v (%s), lost: %q", setting, script, asks, why, lost)
			}
		}
	}
}

// TestRemovedTreeLoses: a working tree is removed with what git ignores in it. What a build has made there, and what was copied from
// the project, is not missed.
func TestRemovedTreeLoses(t *testing.T) {
	runsPrograms(t)
	const made = `git init -q -b main .; printf '.env\n*.db\nnode_modules/\ndist/\nlocal/\n' >.gitignore; mkdir src; echo a >src/a; git add -A; git commit -qm one; echo key >.env; git worktree add -q ../fix; git worktree add -q .trees/in; cd ../fix; `
	unsure := []string{"mkdir local; cp ../proj/.env local/.env", "echo untracked >new"}
	for setting, loses := range map[string]bool{
		"true":                 false,
		"cp ../proj/.env .env": false,
		"mkdir local; cp ../proj/.env local/.env":      false, // a copy, of another name
		"echo mine >.env":                              true,
		"echo mine >src/x.db":                          true,
		"mkdir -p local/deep; echo mine >local/deep/x": true,
		"mkdir local":                                  false,
		"echo untracked >new":                          false, // git refuses
		"echo changed >src/a":                          false,
	} {
		for _, script := range []string{"git worktree remove ../fix", "cd src && git worktree remove ../../fix", "git worktree remove fix", "git -C src worktree remove ../../fix"} {
			l := newLossy(t, made+setting)
			for _, other := range []string{"git worktree list", "git worktree add ../other", "git worktree prune"} {
				if asks, why := l.asks(other); asks {
					t.Errorf("after %s: %s: asked: %s", setting, other, why)
				}
			}
			asks, why := l.asks(script)
			home := filepath.Join(l.root, "home") // not a copy: git knows where its working trees are
			before := contents(home)
			_, _ = l.run(home, script)
			after := contents(home)
			lost := slices.DeleteFunc(slices.Collect(maps.Keys(before)), func(text string) bool {
				return after[text] || strings.HasPrefix(text, "gitdir:") || text == "changed\n"
			})
			if asks != loses && !slices.Contains(unsure, setting) || loses != (len(lost) > 0) {
				t.Errorf("after %s: %s: asked: %v (%s), lost: %q", setting, script, asks, why, lost)
			}
		}
	}
	built := newLossy(t, made+"mkdir -p node_modules/x dist; echo m >node_modules/x/m.js; echo d >dist/d")
	for _, script := range []string{"git worktree remove ../fix"} {
		if asks, why := built.asks(script); asks {
			t.Errorf("%s: asked: %s", script, why)
		}
	}
}

// TestModulesLose: an update of submodules switches each to another commit.
func TestModulesLose(t *testing.T) {
	const made = `git init -q -b main ../up; cd ../up; echo '*.db' >.gitignore; echo a >a; git add -A; git commit -qm one; echo theirs >x.db; git add -f x.db; git commit -qm two; git rm -q x.db; git commit -qm three
cd ../proj; git init -q -b main .; git -c protocol.file.allow=always submodule --quiet add ../up sub; git -c protocol.file.allow=always submodule --quiet add ../up lib; git commit -qm modules; `
	scripts := map[string]bool{
		"git submodule update": false, "git submodule update --init --recursive": false, "git submodule update sub": false, "git submodule update lib": false, "git submodule update -- sub": false, "cd sub && git status": false,
		"git submodule status": false, "git -C sub checkout -q main~1": false, "cd sub; git checkout -q main~2": false, "git pull": false,
		"git submodule --quiet foreach 'git checkout -q main~1'": false, "git submodule foreach git checkout -q main~1": false, "git submodule foreach git status": false, "git submodule foreach --recursive 'git checkout -q main~2'": false,
		"cd sub/.. && git submodule foreach 'git switch -q --detach main~1'": false, "git submodule foreach 'git fetch -q || true'": false,
	}
	l := newLossy(t, made+"git -C sub checkout -q HEAD~1; git add sub; git commit -qm back; git -C sub checkout -q main; echo mine >sub/x.db; git tag here")
	l.check(scripts)
	clean := newLossy(t, made+"git -C sub checkout -q HEAD~2; git add sub; git commit -qm back; git -C sub checkout -q main; echo mine >sub/x.db")
	for script := range scripts {
		if asks, why := clean.asks(script); asks && strings.HasPrefix(script, "git submodule update") {
			t.Errorf("%s: asked: %s", script, why)
		}
	}
}

// TestNestedModules: submodules that are nested too deeply to look at are asked about.
func TestNestedModules(t *testing.T) {
	for nested, deep := range map[string]bool{"s": false, "s/s/s": false, "s/s/s/s": false, "s/s/s/s/s": true, "s/s/s/s/s/s/s": true} {
		l := newLossy(t, "p="+nested+`; while :; do git init -q -b main $p; echo a >$p/a; git -C $p add -A; git -C $p commit -qm one; [ $p != . ] || break; p=$(dirname $p); done 2>/dev/null`)
		for script, recursive := range map[string]bool{
			"git submodule update --recursive": true, "git submodule foreach --recursive git status": true, "git submodule update": false, "git submodule status": false,
		} {
			if asks, why := l.asks(script); asks != (deep && recursive) {
				t.Errorf("%s below %s: asked: %v (%s)", script, nested, asks, why)
			}
		}
	}
}

// TestEmptiedFiles: what puts nothing in the place of a file is asked about as its deletion is, in whatever way it does so.
func TestEmptiedFiles(t *testing.T) {
	l := newLossy(t, "printf 'only\nhere\n' >notes; printf 'readme\n' >README; : >empty; : >empty2; mkdir docs; printf 'in docs\n' >docs/empty")
	scripts := []string{
		"tee notes </dev/null >/dev/null", "tee -a notes </dev/null", "tee README notes </dev/null", "tee new </dev/null", "tee empty </dev/null",
		": | tee notes", "true | tee notes", "printf '' | tee notes", "cat /dev/null | tee notes", "echo x | tee notes >/dev/null",
		"tee /dev/null new <README", "tee -a notes <README", "printf '' | tee -a notes", "tee notes <<E\nE", "dd if=/dev/null of=notes",
		"dd of=notes </dev/null", "dd of=notes conv=notrunc </dev/null", "dd of=new </dev/null", "dd if=empty of=notes", "dd if=README of=notes count=0",
		"dd of=notes oflag=append conv=notrunc </dev/null", "dd if=/dev/zero of=new bs=1 count=0 seek=9", "sponge notes </dev/null",
		"sponge -a notes </dev/null", "sort -o notes </dev/null", "sort -o notes /dev/null", "sort -o notes notes", "uniq /dev/null notes",
		"cp /dev/null notes", "cp empty notes", "cp empty new", "cp empty empty2", "cp README new", "install -m 600 /dev/null notes",
		"install -m 600 /dev/null new", "mv empty notes", "cp empty docs", "cp empty README docs", "ln -sf x new </dev/null", "sed -i d notes",
		"sed -i '1,$d' notes", "sed -i -e d notes", "sed -i.bak d notes", "sed -i 1d notes", "sed -i '/x/d' notes", "sed -n -i '/x/!p' notes",
		"sed -ni s/x/y/ notes", "sed -n -i -e s/x/y/ notes", "sed -i --quiet s/x/y/ notes", "sed d notes", "sed -i s/x/y/ notes", "sed -i Q notes",
		"sed -i '/.*/d' notes", "truncate -s 0 notes", "truncate -r empty notes", "truncate -s 9M new", "sort -u notes >notes", "grep -v x notes >notes", "sed s/x/y/ notes >notes", "tr a b <notes >notes", "cat notes >new", "cat notes >>README",
		"sort notes >new && mv new notes", "sort -u README >new", "cat new >new", "sed s/x/y/ ./notes >$PWD/notes", ": >notes", ">notes", "cat empty2 >>notes",
		"cat /dev/null >notes",
	}
	emptied := 0
	for _, script := range scripts {
		program, _, _ := strings.Cut(script, " ")
		if _, err := exec.LookPath(program); err != nil && program == "sponge" {
			continue
		}
		empties := l.empties(script)
		if empties {
			emptied++
		}
		if asks, why := l.asks(script); asks != empties {
			t.Errorf("%s: asked: %v (%s), emptied: %v", script, asks, why, empties)
		}
	}
	if emptied < 20 {
		t.Errorf("only %d files were emptied", emptied)
	}
}

// empties runs a script in a copy of the project, and says whether a file there has lost all that it held, and it is nowhere else.
func (l *lossy) empties(script string) (empties bool) {
	l.t.Helper()
	from, home := filepath.Join(l.root, "home"), l.t.TempDir()
	if out, err := exec.Command("cp", "-a", from+"/.", home).CombinedOutput(); err != nil {
		l.t.Fatalf("%v: %s", err, out)
	}
	_, _ = l.run(home, script)
	left := contents(home)
	_ = filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			now, _ := os.ReadFile(filepath.Join(home, rel))
			empties = empties || len(now) == 0 && !left[string(text)]
		}
		return nil
	})
	return empties
}

// TestMovedOut: files that leave the project for a temporary directory are judged like those that are deleted.
func TestMovedOut(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; printf 'ignored\nbuild/\n' >.gitignore; mkdir -p src build; for f in clean edited src/clean src/edited; do echo $f >$f; done; git add -A; git commit -qm one; echo more >>edited; echo more >>src/edited; echo new >new; echo mine >ignored; echo out >build/out`)
	for _, file := range []string{"clean", "edited", "new", "ignored", "src", "src/clean", "src/edited", "src/*", "clean src/clean", "clean new", "build/out", "build"} {
		deletion := "rm "
		if file == "src" || file == "build" {
			deletion = "rm -r "
		}
		deleted, _ := l.asks(deletion + file)
		for _, way := range []string{"mv %s /tmp/", "mv -t /tmp %s", "mv %s /var/tmp"} {
			script := strings.ReplaceAll(way, "%s", file)
			if moved, why := l.asks(script); moved != deleted {
				t.Errorf("%s: asked: %v (%s), if it is deleted: %v", script, moved, why, deleted)
			}
		}
	}
}

func sprintf(format, read string) string {
	return strings.ReplaceAll(strings.ReplaceAll(format, "%%", "%"), "%s", read)
}

// mayRace says whether one command of a pipeline, or of a process substitution, reads what another one empties: it may be done before.
func mayRace(script string) bool {
	return strings.Contains(script, "|") || strings.Contains(script, "<(") || strings.Contains(script, ">(")
}
