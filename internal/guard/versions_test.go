package guard_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestVersionsLose has real shells and git put what git has over files, by many ways, and holds the answer against what is lost: the
// changes in a file that git has otherwise, and in no other.
func TestVersionsLose(t *testing.T) {
	runsPrograms(t)
	ways := []string{
		// By a stream that is not right there.
		"git show HEAD:F > F", "{ git show HEAD:F; } > F", "(git show HEAD:F) > F", "if git show HEAD:F; then :; fi > F", "timeout 5 git show HEAD:F > F", "env git show HEAD:F > F",
		"bash -c 'git show HEAD:F' > F", "eval 'git show HEAD:F' > F", "exec > F; git show HEAD:F", `g() { git show HEAD:"$1"; }; g F > F`, "git show HEAD:F | cat | tee F", "git show HEAD:F | dd of=F",
		"cat <(git show HEAD:F) > F", "cp <(git show HEAD:F) F", "cat < <(git show HEAD:F) > F", `git show HEAD:F | while IFS= read -r l; do printf '%s\n' "$l"; done > F`, "for f in F; do git show HEAD:$f > $f; done",
		"{ echo head; git show HEAD:F; } > F", "git show HEAD:F | sed s/x/y/ > F",
		"exec 3> F; git show HEAD:F >&3", "git show HEAD:F 1<> F",
		// By a value.
		`o=$(git show HEAD:F); printf '%s\n' "$o" > F`, `echo "$(git show HEAD:F)" > F`, "o=`git show HEAD:F`; cat <<< \"$o\" > F", "o=$(git show HEAD:F)\ncat > F <<E\n$o\nE\n",
		// By other files.
		"git show HEAD:F > build/a; cp build/a build/b; cp build/b F", "git show HEAD:F > build/a; { cat build/a; } > F", "git show HEAD:F > F.new && mv F.new F", `t=$(mktemp); git show HEAD:F > "$t"; cp "$t" F; rm "$t"`,
		"echo x > build/b; git show HEAD:F > build/a; cp build/a build/b; cp build/b F",
		// In loops over patterns and lists.
		"for f in src/*.py; do git show HEAD:$f > build/t && mv build/t $f; done", `for f in src/*.py; do git show "HEAD:$f" > build/t; cp build/t "$f"; done`, `for f in src/*; do git cat-file -p HEAD:"$f" > build/t; cat build/t > "$f"; done`,
		"for f in src/*.py; do git show HEAD:$f > build/t; install -m 644 build/t $f; done", "for f in src/*.py; do git show HEAD:$f > build/t; [ -s build/t ] && mv build/t $f; done", "for f in src/*.py; do t=$(mktemp build/XXXXXX); git show HEAD:$f > $t && mv $t $f; done",
		"for f in $(ls src/*.py); do git show HEAD:$f > build/t && mv build/t $f; done", `find src -name '*.py' -exec sh -c 'git show HEAD:"$1" > build/t && mv build/t "$1"' _ {} \;`, "ls src/*.py | xargs -I{} sh -c 'git show HEAD:{} > build/t; cp build/t {}'",
		`rev=$(git rev-parse HEAD); for f in src/*.py; do git show $rev:$f > build/t && mv build/t $f; done`, `rev=$(git rev-parse HEAD); for f in src/*.py; do git show "$rev:$f" > build/t; cp build/t "$f"; done`,
		`for f in src/*.py; do git show HEAD:$f | tee "$f"; done`, `for f in src/*.py; do o=$(git show HEAD:$f); echo "$o" > $f; done`, "for f in src/*.py; do { git show HEAD:$f; } > $f; done", "for f in src/*.py; do git show :$f > build/t; cp build/t $f; done",
		"cd src; for f in *.py; do git show HEAD:./$f > ../build/t && mv ../build/t $f; done", "cd src; for f in *.py; do git show HEAD:src/$f > ../build/t && mv ../build/t $f; done", "for f in src/*.py; do git show HEAD:$f > build/t; done; git show HEAD:F > build/t; cp build/t F",
		// By code.
		`python3 -c 'import subprocess; open("F","wb").write(subprocess.check_output(["git","show","HEAD:F"]))'`,
		// By copies of trees.
		"git clone -q . build/c && cp -r build/c/src/. src/", "git clone -q . build/c && cp -r build/c/src .", "git clone -q . build/c && cd build/c && cp -r src/. ../../src/", "git worktree add -q --detach build/w && cp -r build/w/src/. src/",
		"git worktree add -q --detach build/w; cp build/w/F F", "git clone -q . build/c; cp -r build/c/src build/d; cp build/d/a.py build/d/b.py src/",
		"git clone -q .git build/c; cp build/c/F F", "git clone -q --bare . build/c.git; git clone -q build/c.git build/c; cp build/c/F F", "git clone -q -c user.name=c . build/c; cp build/c/F F", "git bundle create build/b HEAD; git clone -q build/b build/c; cp build/c/F F",
		"mkdir build/x; git archive HEAD | tar x -C build/x; cp build/x/F F", "mkdir build/x; git archive -o build/a.tar HEAD src; tar xf build/a.tar -C build/x; cp -r build/x/src/. src/",

		// These lose nothing.
		"git stash -q; bash -c 'git show HEAD:F' > F", "git show HEAD:F > build/a; diff build/a F > build/p", "{ git show HEAD:F; } > F.old", `o=$(git show HEAD:F); echo "$o" > src/new.py`,
		"git show HEAD:F > build/o; git show HEAD:F > build/n; git merge-file -p F build/o build/n > build/m; mv build/m F", "cp F build/m; git show HEAD:F > build/o; git merge-file build/m build/o build/o; cp build/m F",
		"git show HEAD:F > build/o; git merge-file F build/o build/o", `o=$(mktemp); t=$(mktemp); cp F "$o"; git show HEAD:F > "$t"; cp "$o" F; rm "$o" "$t"`,
		"git clone -q . build/c && cp -r src/. build/c/src/", "git clone -q . build/c && cp -r build/c/docs/. docs/", "git clone -q . build/c && cp -r build/c/src/. docs/",
		"for f in src/*.py; do git show HEAD:$f > build/t; diff build/t $f; done", "for f in docs/*.md; do git show HEAD:$f > build/t && mv build/t $f; done", "for f in src/*.py; do git show HEAD:$f | wc -l; done > build/n",
		"for f in src/b*.py; do git show HEAD:$f > build/t && mv build/t $f; done", "for f in src/*.py; do git show HEAD:$f > build/t; done; cp build/t docs/a.md", "for f in src/*.py; do git show HEAD:$f > build/t; sed s/x/y/ $f > build/u; cp build/u $f; done",
		"exec 3> build/log; git show HEAD:F >&3", "git clone -q .git build/c; cp build/c/docs/a.md docs/a.md", "git bundle create build/b HEAD; git clone -q build/b build/c; diff build/c/F F",
		"git archive HEAD > build/a.tar", "mkdir build/x; git archive HEAD | tar x -C build/x", "git show HEAD:docs/a.md > build/a; cp build/a docs/a.md",
	}
	kept := []string{ // in what it is added to, or in the index
		"git add -A; { git show HEAD:F; } > F",
		"git show HEAD:F >> F", "{ git show HEAD:F; } >> F", "git show HEAD:F > build/a; cat build/a >> F",
		"cat F > build/x; git show HEAD:F >> build/x; cp build/x build/y; cat build/y > F", "{ cat F; git show HEAD:F; } > build/x; mv build/x F",
	}
	for shell, files := range map[string][]string{"bash": {"src/a.py", "src/b.py"}, "zsh": {"src/a.py"}} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		l := newLossy(t, "git init -q -b main .; mkdir src docs build; echo build > .gitignore; for f in src/a.py src/b.py docs/a.md; do echo one $f > $f; done; git add -A; git commit -qm one; echo two src/a.py > src/a.py")
		l.shell = path
		scripts := map[string]bool{}
		for _, file := range files { // only the first is another than git has it
			in := strings.NewReplacer("IFS", "IFS", "F", file)
			for _, way := range ways {
				scripts[in.Replace(way)] = false
			}
			for _, way := range kept {
				if asks, why := l.asks(in.Replace(way)); asks {
					t.Errorf("%s: %s", in.Replace(way), why)
				}
			}
		}
		l.check(scripts)
	}
}
