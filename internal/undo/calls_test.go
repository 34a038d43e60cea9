//go:build unix

package undo

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The law of this package: whatever a call does to a project, undoing it leaves the project as it was. The calls are
// executed by the real programs in projects that have something of everything.

// worlds are scripts that make a project "p" in an empty directory.
var worlds = map[string]string{
	"plain": everything,
	"git": `
git init -q lib; cd lib; echo l > l; git add l; git commit -qm lib; cd ..
mkdir p; cd p; git init -q
mkdir -p src dist; printf 'package a\n' > src/a.go; seq 1 200 > src/b.txt; printf 'crlf\r\n' > win.txt; echo keep > dist/keep.js; printf '.env\n*.db\nnotes/\nnode_modules\n' > .gitignore
git add -f .; git commit -qm one; git tag -a v1 -m v1; git branch topic
git checkout -q topic; echo topic >> src/b.txt; git commit -qam topic; git checkout -q main; echo two > src/c.go; git add .; git commit -qm two
git submodule --quiet add ../lib sub; git commit -qm sub; echo dirty >> sub/l
git worktree add -q wt topic 2>/dev/null; echo wt >> wt/src/a.go
echo s1 >> src/a.go; git stash -q; echo s2 >> src/a.go; git stash -q; mkdir -p .git/hooks; echo 'exit 0' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout
git pack-refs --all; git repack -qd; git branch loose; git gc -q; echo x > src/x; git add src/x; git commit -qm x
mkdir -p tools/inner; cd tools/inner; git init -q; echo i > i; git add i; git commit -qm i; echo j > j; cd ../..
echo staged >> src/a.go; git add src/a.go; echo unstaged >> src/a.go; echo secret > .env; head -c 5000 /dev/urandom > local.db; mkdir notes; echo n > notes/n.md
` + contents,
	"rebase": `
mkdir p; cd p; git init -q; echo a > f; git add f; git commit -qm a; git checkout -qb side; echo side > f; git commit -qam side; echo more > g; git add g; git commit -qm g
git checkout -q main; echo main > f; git commit -qam main; git checkout -q side; git rebase main >/dev/null 2>&1 || true; echo half > f
`,
	"merge": `
mkdir p; cd p; git init -q; echo a > f; git add f; git commit -qm a; git checkout -qb side; echo side > f; git commit -qam side
git checkout -q main; echo main > f; git commit -qam main; git merge side >/dev/null 2>&1 || true; echo half > f; git update-index --index-version 4
`,
	"linked": `
git init -q m; cd m; echo a > f; mkdir build; echo b > build/out; git add -f .; git commit -qm a; git branch side; git worktree add -q ../p side 2>/dev/null; cd ../p; echo b >> f; echo n > new
`,
	"part": `
mkdir w; cd w; git init -q; mkdir -p ../q; echo a > a; mkdir p; echo b > p/b; git add .; git commit -qm a; echo c >> p/b; git add p/b; echo d >> p/b; cd ..; ln -s w/p p
`,
}

const everything = `mkdir p; cd p; ` + contents

const contents = `
echo one > notes.md; printf 'no end' > raw; mkdir -p data/deep/er empty 'a b'; seq 1 50 > data/list; echo x > data/deep/er/x; cp data/list 'a b/c d'; printf '\0\1\377' > bin
ln -s data/list link; ln -s nowhere dangling; ln -s data dirlink; chmod 755 raw; chmod 400 'a b/c d'; : > hollow; mkdir -p node_modules/x; echo m > node_modules/x/i.js
echo o > "$(printf 'odd\377\nname')"; ln data/list hard; tar cf arch.tar notes.md data; echo '{"a": 1}' > conf.json; sqlite3 my.db 'create table t(a)' 2>/dev/null || echo db > my.db
printf 'all:\n\trm -rf data\n\techo made > made\n' > Makefile; printf -- '--- raw\n+++ raw\n@@ -1 +1 @@\n-no end\n\\ No newline at end of file\n+patched\n' > p.diff
`

// calls are what is done to them.
var calls = map[string][]string{
	"plain": {
		`rm -rf ./* .[!.]*`, `rm notes.md`, `rm -r data`, `find . -name '*.md' -delete`, `find . -type f -exec rm {} +`, `> notes.md`, `: > data/list`, `echo lost > raw`,
		`mv notes.md raw`, `mv data moved`, `mv data/list .`, `mv link data/deep`, `cp raw notes.md`, `cp -r data notes.d; rm -r data`, `cp --remove-destination raw link`,
		`ln -sf /etc/passwd notes.md`, `ln -f raw notes.md`, `rm -r data; ln -s / data`, `rm -r data; echo f > data`, `rm notes.md; mkdir -p notes.md/x`, `sed -i s/1/2/ data/list`, `sed -i d conf.json`,
		`perl -i -pe 's/o/0/' notes.md`, `truncate -s 0 bin`, `truncate -s 100000 bin`, `dd if=/dev/zero of=bin bs=1 count=2 conv=notrunc status=none`, `shred -u notes.md`, `tee notes.md raw <bin >/dev/null`,
		`chmod 000 notes.md`, `chmod -R a-w data`, `chmod 4711 raw`, `chmod 700 empty`, `rmdir empty`, `rm dangling link`, `touch new; mkdir -p n/e/w; echo f > n/e/w/f`, `tar xf arch.tar --overwrite -C . ; echo z > data/list`,
		`tar czf data/list notes.md --remove-files`, `tar cf - notes.md | tar xf - -C data; rm notes.md`, `echo changed > data/list; tar xf arch.tar`, `make -s`, `patch -s raw p.diff`,
		`python3 -c 'import os,shutil; shutil.rmtree("data"); os.rename("raw","notes.md"); open("bin","wb").write(b"")'`, `python3 -c 'open("conf.json","w").write("{")'`,
		`python3 -c 'import os; [os.unlink(f) for f in os.listdir(b".") if os.path.isfile(f)]'`, `for f in *; do [ -f "$f" ] && echo gone > "$f"; done`, `x=data; y=notes; rm -rf "$x" "$y".*`,
		`rsync -a --delete empty/ data/ 2>/dev/null || rm -r data`, `split -l 10 data/list part; rm data/list`, `sort -r -o data/list data/list`, `awk '{print > "notes.md"}' data/list`,
		`install -m 600 raw notes.md`, `gzip notes.md`, `unlink raw`, `mkdir sub; mv [a-m]* sub`, `echo w > dirlink/list`, `echo w >> hard`, `git init -q`, `git init -q; git add .; git commit -qm a; git rm -rqf .`,
		`xargs rm < <(echo notes.md raw)`, `bash -c 'exec 3> notes.md; echo partly >&3; kill -9 $$' || true`, `mkfifo pipe`, `printf 'w\nq\n' > notes.md`, `touch .gitignore; rm -rf node_modules`,
	},
	"git": {
		`git reset -q --hard`, `git reset -q --hard HEAD~2`, `git clean -qfdx -e node_modules`, `git clean -qffdx`, `git checkout -q -f topic~0`, `git checkout -q -- .`, `git checkout -q HEAD -- src`, `git restore --staged --worktree .`,
		`git stash -q -u`, `git stash drop -q`, `git stash clear`, `git add -A; git commit -qm x; git stash pop -q || true`, `git branch -D loose`, `git branch -m main other`, `git tag -d v1`, `git update-ref -d HEAD`,
		`git rm -rqf src`, `git mv src/c.go src/d.go`, `git add -A`, `git commit -qam all`, `git commit -q --amend -m other`, `git commit -qam x; git gc -q --prune=now`, `git reflog expire --expire=now --all; git gc -q --prune=now`,
		`git stash clear; git reflog expire --expire=now --all; git prune --expire=now; git repack -qad`, `rm -rf .git`, `rm -rf .git; git init -q`, `rm -rf .git/refs .git/logs`, `rm .git/index`, `rm -r .git/objects`, `echo garbage > .git/HEAD`,
		`git switch -q -C main v1 --discard-changes`, `git rebase -q --autostash HEAD~1 --onto v1 || true`, `git merge -q --no-edit topic -X ours || true`, `git stash -q; git cherry-pick topic || true`, `git stash -q; git revert --no-edit HEAD`,
		`git worktree remove --force wt`, `git worktree prune; rm -rf wt; git worktree prune`, `git submodule --quiet deinit -f sub`, `git rm -qf sub; rm -rf .git/modules/sub`, `git -C sub checkout -q -f .`, `git -C tools/inner reset -q --hard; rm tools/inner/j`,
		`rm -rf tools`, `git config user.name B`, `git read-tree --empty`, `git update-index --assume-unchanged src/b.txt`, `git apply -R <(git diff HEAD)`, `git checkout -q --orphan o; git branch -D main`,
		`git stash -q; git format-patch -q -1 topic; git am -q 0001* || true`, `git bisect start -q HEAD v1 || true`, `rm -r dist`, `rm -r dist .git`, `git notes add -m n; git commit-graph write --reachable`,
		`sed -i s/package/x/ src/a.go wt/src/a.go sub/l`, `git sparse-checkout set --skip-checks dist 2>/dev/null`, `git remote add o ../lib; git fetch -q o`, `git symbolic-ref HEAD refs/heads/none`, `chmod u+w -R .git/objects; echo bad > .git/objects/$(git rev-parse HEAD | sed 's,..,&/,')`,
	},
	"rebase": {`git rebase --abort`, `git rebase --skip`, `git add f; git rebase --continue`, `git rebase --quit`, `git reset -q --hard`, `rm -rf .git/rebase-merge`, `git checkout -q -f main`},
	"merge":  {`git merge --abort`, `git reset -q --hard`, `git checkout -q --theirs f`, `git commit -qam merged`, `rm .git/MERGE_HEAD`, `git rerere clear; git checkout -q -f side`},
	"linked": {`git reset -q --hard; rm new`, `git commit -qam x`, `git branch -D main || git branch z`, `rm -rf ./*`, `rm .git`, `git stash -q -u`, `git worktree remove --force .`, `git -C ../m worktree prune; rm -rf build`, `git gc -q --prune=now; git branch y`},
	"part":   {`git reset -q --hard`, `git checkout -q .`, `git stash -q`, `git commit -qam x`, `rm -rf *`},
}

// look is what git says of a project: which files differ, and that all of its contents are there. What refs, logs
// and stashes say is compared byte by byte.
const look = `cd p; [ -e .git ] || [ -e ../.git ] || exit 0; git status --porcelain=v2 --branch --ignored 2>&1 | grep -v node_modules; git fsck --no-progress --no-dangling 2>&1`

func run(dir, script string) (string, error) {
	cmd := exec.Command("bash", "-ec", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return strings.ReplaceAll(string(out), dir, "DIR"), err
}

func TestCallsAreUndone(t *testing.T) {
	t.Parallel()
	for name, script := range worlds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", top).Run() })
			model := filepath.Join(top, "model")
			check(t, os.Mkdir(model, 0o755))
			if out, err := run(model, script); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			said, _ := run(model, look)
			var group sync.WaitGroup
			slots := make(chan bool, 4)
			for _, call := range calls[name] {
				group.Go(func() {
					slots <- true
					defer func() { <-slots }()
					undone(t, top, call, said)
				})
			}
			group.Wait()
		})
	}
}

// undone carries out a call in a copy of a world and undoes it. The copy has the place of the model, since
// repositories name each other by their paths.
func undone(t *testing.T, top, call, said string) {
	dir, err := os.MkdirTemp(top, "")
	check(t, err)
	w := filepath.Join(dir, "w")
	if out, err := exec.Command("cp", "-a", filepath.Join(top, "model"), w).CombinedOutput(); err != nil {
		t.Errorf("%s", out)
		return
	}
	repair(t, w, filepath.Join(top, "model"))
	root, err := filepath.EvalSymlinks(filepath.Join(w, "p"))
	check(t, err)
	s := opened(t, root, func(o *Options) { o.Dir = filepath.Join(dir, "state") })
	before := image(t, w)
	var out string
	c := around(t, s, func() { out, err = run(root, call) })
	after := image(t, w)
	changed := len(after) != len(before)
	for path, text := range before {
		changed = changed || after[path] != text
	}
	if !changed && !strings.Contains(call, "objects") && !strings.Contains(call, "assume-unchanged") && !strings.Contains(call, "node_modules") {
		t.Errorf("%s: nothing changed: %v %s", call, err, out)
	}
	p, err := s.Restore(c)
	if err != nil {
		t.Errorf("%s: %v", call, err)
		return
	}
	for _, r := range p.Remaining {
		if !strings.HasSuffix(r.Path, "node_modules") {
			t.Errorf("%s: remaining: %v", call, r)
		}
	}
	same(t, before, image(t, w), call)
	if again, _ := run(w, look); again != said {
		t.Errorf("%s: git says\n%s\nand said\n%s", call, again, said)
	}
	whole(t, s)
	if calls, err := s.List(); err != nil || p.Undone == 0 || calls[0].ID() != p.Undone {
		t.Errorf("%s: %v, calls %v", call, err, calls)
	} else if _, err := s.Restore(calls[0]); err != nil {
		t.Errorf("%s: again: %v", call, err)
	}
	// Nobody makes a pipe again, nor what could not be read, and the root itself stays.
	if !strings.Contains(call, "mkfifo") && !strings.Contains(call, "--force .") && !strings.Contains(call, "chmod 000") {
		same(t, after, image(t, w), call+", undone twice")
	}
}

// repair makes the repositories of a copy name each other where they are.
func repair(t *testing.T, dir, was string) {
	check(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() != ".git" && d.Name() != "gitdir" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(strings.ReplaceAll(string(text), was, dir)), 0o644)
	}))
}
