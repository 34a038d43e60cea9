package guard_test

import (
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
	t    *testing.T
	root string
}

// newLossy makes one by a script.
func newLossy(t *testing.T, script string) *lossy {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	l := &lossy{t, t.TempDir()}
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
	cmd := exec.Command("/bin/sh", "-c", script)
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
	out, err := l.run(home, "git rev-list --objects --all --reflog | cut -d' ' -f1 | git cat-file --batch-check='%(objecttype) %(objectname)' | grep ^blob | cut -d' ' -f2 | while read b; do git cat-file blob $b; done")
	if err != nil {
		l.t.Fatalf("%v: %s", err, out)
	}
	for content := range before {
		if !after[content] && content != "" && !strings.Contains(string(out), content) {
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
