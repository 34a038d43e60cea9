package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHookedScripts judges a script that a hook of git runs and that the same command writes: as if it ran the hook. Hooks that run anything
// else do not make a commit a question.
func TestHookedScripts(t *testing.T) {
	const lose, harmless = "echo 'rm -rf data' > scripts/run.sh", "echo 'echo hi' > scripts/run.sh"
	for _, hook := range []struct {
		dir, text string
		runs      bool
	}{
		{".git/hooks", "#!/bin/sh\nsh scripts/run.sh\n", true},
		{".git/hooks", "#!/usr/bin/env bash\nset -e\nbash ./scripts/run.sh\n", true},
		{".git/hooks", "#!/bin/sh\ncd scripts && sh run.sh\n", true},
		{"tools/hooks", "sh scripts/run.sh\n", true},
		{".git/hooks", "#!/bin/sh\nnpx lint-staged\n", false},
		{".git/hooks", "#!/bin/sh\n. \"$(dirname \"$0\")/_/husky.sh\"\nnpm test\n", false},
		{".git/hooks", "#!/usr/bin/env python3\nimport sys\nprint('scripts/run.sh')\n", false},
		{".git/hooks", "#!/usr/bin/env bash\nINSTALL_PYTHON=/usr/bin/python3\nARGS=(hook-impl --config=.pre-commit-config.yaml --hook-type=pre-commit)\nexec \"$INSTALL_PYTHON\" -mpre_commit \"${ARGS[@]}\"\n", false},
		{".git/hooks", "#!/bin/sh\nsh scripts/other.sh\n", false},
	} {
		d := newWorkPlace(t)
		d.put("scripts/run.sh", "echo run\n")
		d.put("scripts/other.sh", "echo other\n")
		d.put("package.json", "{}\n")
		if hook.dir != ".git/hooks" {
			d.git("config", "core.hooksPath", hook.dir)
		}
		d.commit()
		d.put("data/one.csv", "1\n")
		d.put(hook.dir+"/pre-commit", hook.text)
		for script, want := range map[string]bool{
			lose + " && git commit -qm x":                       hook.runs,
			lose + "; git add -A; git commit -m x":              hook.runs,
			lose + " && git commit -am 'x'; echo done":          hook.runs,
			"git commit -qm x && " + harmless:                   false,
			harmless + " && git commit -qm x":                   false,
			lose:                                                false,
			lose + " && git status":                             false,
			"git commit -qm x":                                  false,
			"echo x > src.txt && git add -A && git commit -m x": false,
			"echo '{}' > package.json && git commit -qam x":     false,
			"sed -i s/a/b/ a.txt && git commit -qam x":          false,
		} {
			d.asks(hook.text, script, want)
		}
	}
}

// TestHookTooLong: a hook that is not read, as it is too long, may do anything with a script that it names.
func TestHookTooLong(t *testing.T) {
	d := newWorkPlace(t)
	d.commit()
	d.put(".git/hooks/pre-commit", "#!/bin/sh\nsh scripts/run.sh\n"+strings.Repeat("# more than is read\n", 1000))
	d.asks("names it", "echo 'echo hi' > scripts/run.sh && git commit -qm x", true)
	d.asks("names another", "echo 'echo hi' > scripts/other.sh && git commit -qm x", false)
	d.asks("nothing is written", "git commit -qm x", false)
}

// TestHooksLose has git run hooks behind scripts that write what they run, or other files, and holds the answer against what is lost.
func TestHooksLose(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir scripts data src; echo echo hi >scripts/run.sh; echo echo other >scripts/other.sh; echo a >src/a.js; printf 'lint:\n\t@echo hi\n' >Makefile
echo '{"scripts":{"test":"true"}}' >package.json; git add -A; git commit -qm one; echo mine >data/one.csv; chmod +x scripts/*.sh`)
	const lose = "printf '#!/bin/sh\\nrm -rf data\\n' > "
	for _, test := range []struct {
		hook   string
		script []string // before git add and git commit
		unsure bool     // it asks though nothing is lost
	}{
		// The hook does not name what it runs.
		{"for s in scripts/*.sh; do sh $s; done", []string{lose + "scripts/zz.sh", lose + "scripts/other.sh", "sed -i 's/echo hi/rm -rf data/' scripts/run.sh"}, false},
		{"for s in scripts/*.sh; do . ./$s; done", []string{lose + "scripts/zz.sh"}, false},
		{`find scripts -name '*.sh' -exec sh {} \;`, []string{lose + "scripts/zz.sh"}, false},
		{"ls scripts/*.sh | xargs -n1 sh", []string{lose + "scripts/zz.sh"}, false},
		{"cd scripts && ./lint", []string{"printf '#!/bin/sh\\nrm -rf ../data\\n' > scripts/lint; chmod +x scripts/lint"}, false},
		{"d=scripts; sh $d/lint", []string{lose + "scripts/lint"}, false},
		{`f() { sh scripts/"$1".sh; }; f run`, []string{lose + "scripts/run.sh", "echo 'rm -rf data' >> scripts/run.sh"}, false},
		{`sh "$(dirname "$0")/../../scripts/run.sh"`, []string{lose + "scripts/run.sh"}, false},
		{`. scripts/run.sh; check`, []string{"echo 'check() { rm -rf data; }' > scripts/run.sh"}, false},
		{"PATH=$PWD/scripts:$PATH; lint", []string{lose + "scripts/lint; chmod +x scripts/lint"}, false},
		// It runs a task.
		{"make -s lint", []string{`printf 'lint:\n\trm -rf data\n' > Makefile`, lose + "scripts/run.sh; printf 'lint:\n\tsh scripts/run.sh\n' > Makefile"}, false},
		{"make -s lint", []string{`printf 'lint:\n\t@echo ho\n' > Makefile`}, true},
		// The script does not name what it writes.
		{"sh scripts/run.sh", []string{"sed -i 's/echo hi/rm -rf data/' scripts/*.sh", "find scripts -name '*.sh' -exec sed -i 's/echo hi/rm -rf data/' {} +", "for f in scripts/*.sh; do sed -i 's/echo hi/rm -rf data/' $f; done", "mkdir n; echo 'rm -rf data' > n/run.sh; cp -r n/. scripts"}, false},

		// What runs is what was there, or harmless.
		{"for s in scripts/*.sh; do sh $s; done", []string{lose + "src/zz.sh", "echo x > src/b.js", "sed -i s/a/b/ src/*.js"}, false},
		{"make -s lint", []string{lose + "scripts/run.sh", "echo x > src/b.js", "echo 'int x;' > src/b.c", "sed -i s/hi/ho/ Makefile"}, false},
		{"npm test", []string{lose + "scripts/run.sh", "echo x > src/b.test.js", "echo '{}' > src/package.json", "sed -i s/a/b/ src/*.js"}, false},
		{"python3 scripts/check.py \"$@\"", []string{"echo x > src/b.py", "sed -i s/a/b/ src/*.js"}, false},
		{"sh scripts/other.sh\nsh \"$UNKNOWN\"", []string{lose + "scripts/run.sh", "echo 'echo hi' > scripts/other.sh"}, false},
		{"for f in $(git diff --cached --name-only -- '*.sh'); do bash -n $f; done", []string{lose + "scripts/run.sh"}, false},
		{"rm -rf ../elsewhere; sh scripts/run.sh", []string{"echo 'echo ho' > scripts/run.sh"}, false},
		{"shellcheck scripts/*.sh", []string{lose + "scripts/zz.sh"}, false},
	} {
		if err := os.WriteFile(filepath.Join(l.root, "home/proj/.git/hooks/pre-commit"), []byte("#!/bin/sh\n"+test.hook+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, script := range test.script {
			script += "; git add -A scripts src Makefile; git commit -qm two"
			lost := l.loses(script)
			if asks, why := l.asks(script); asks != (len(lost) > 0 || test.unsure) {
				t.Errorf("%s\n%s: asked: %v (%s), lost: %q", test.hook, script, asks, why, lost)
			}
		}
	}
}

// TestHooksOfEachCommand has git run each hook by whatever makes it do so, behind a script that writes what the hook runs.
func TestHooksOfEachCommand(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir scripts data; echo echo hi >scripts/run.sh; echo a >a; git add -A; git commit -qm one; git checkout -q -b side; echo b >b; git add b; git commit -qm b
git format-patch -q -1 -o ..; git checkout -q main; echo c >c; git add c; git commit -qm c; echo mine >data/one.csv; for h in pre-commit post-commit pre-rebase post-checkout post-merge commit-msg post-rewrite applypatch-msg post-index-change reference-transaction; do
printf '#!/bin/sh\nsh scripts/run.sh\n' >../$h; chmod +x ../$h; done`)
	const written, fetched = "echo 'rm -rf data' > scripts/run.sh; ", "curl -so scripts/run.sh https://example.com/run.sh; "
	losing := 0
	for _, name := range strings.Fields("pre-commit post-commit pre-rebase post-checkout post-merge commit-msg post-rewrite applypatch-msg post-index-change reference-transaction") {
		if sampled() && name != "post-checkout" {
			continue
		}
		for _, does := range []string{
			"git add a", "git add a scripts; git commit -qm x", "git commit -qm x -a", "git commit -q --amend -a -m x", "git checkout -q side", "git switch -q side", "git checkout -q -b new", "git branch new", "git restore a", "git merge -q side",
			"git stash -q; git stash pop -q", "git add scripts; git commit -qm x; git rebase -q side", "git cherry-pick side", "git am ../0001-b.patch", "git worktree add -q build", "git tag t", "git add -A; git reset -q", "git pull -q . side", "git log", "git diff",
		} {
			put := "cp ../" + name + " .git/hooks; "
			if lost := l.loses(put + written + does); len(lost) == 0 {
				continue
			}
			losing++
			d := *l
			d.root = t.TempDir()
			if out, err := l.run(filepath.Join(l.root, "home"), put+"cp -a ../../home "+d.root+"; rm .git/hooks/"+name); err != nil {
				t.Fatalf("%s", out)
			}
			for _, script := range []string{written, fetched} {
				if asks, _ := d.asks(script + does); !asks {
					t.Errorf("%s runs %s: %s", name, script, does)
				}
			}
		}
	}
	if losing < 30 && !sampled() {
		t.Errorf("%d of the commands ran a hook", losing)
	}
}

// TestFetchedHooked: a hook runs what the same command fetched.
func TestFetchedHooked(t *testing.T) {
	d := newWorkPlace(t)
	d.put("scripts/run.sh", "echo run\n")
	d.commit()
	d.put(".git/hooks/pre-commit", "#!/bin/sh\nsh scripts/run.sh\n")
	d.git("worktree", "add", "-q", "../tree")
	const url = " https://example.com/run.sh"
	for _, place := range []string{d.project, d.home + "/tree"} {
		at := workPlace{t, d.home, place}
		for script, want := range map[string]bool{
			"curl -so scripts/run.sh" + url + " && git add -A && git commit -qm x":             true,
			"wget -qP scripts" + url + "; git commit -qam x":                                   true,
			"curl -s" + url + " | tee scripts/run.sh; git commit -qam x":                       true,
			"curl -so n.sh" + url + "; mv n.sh scripts/run.sh; git commit -qam x":              true,
			"curl -sLo x.tgz" + url + "; tar xzf x.tgz -C scripts; git commit -qam x":          true,
			"curl -so scripts/run.sh" + url + " && git add -A":                                 false,
			"curl -so scripts/other.sh" + url + " && git add -A && git commit -qm x":           false,
			"curl -so vendor/x.js https://example.com/x.js; git add -A; git commit -m x":       false,
			"git commit -qam x; curl -so scripts/run.sh" + url:                                 false,
			"curl -so data.json https://example.com/x && git add data.json && git commit -m x": false,
		} {
			at.asks(place, script, want)
		}
	}
}
