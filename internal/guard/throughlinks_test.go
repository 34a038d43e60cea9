package guard_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPatternsThroughLinks shows files by patterns that lead through a link out of the project, to a directory with a key in it, and holds
// the answer against what is shown.
func TestPatternsThroughLinks(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; mkdir -p docs/own ../papers/deep; echo text >docs/a.md; echo more >docs/own/b.md; echo KEYTEXT | tee ../papers/id_rsa ../papers/deep/id_ed25519 >/dev/null; echo thesis >../papers/t.txt; ln -s ../../papers docs/ref; git add -A; git commit -qm one`)
	shown := 0
	for _, show := range []string{"cat %s", "head %s", "cut -c 1-80 %s", "tail -n 5 %s", `for f in %s; do cat "$f"; done`, "grep -h '' %s", "cat -- %s | head"} {
		for _, pattern := range []string{"docs/*/*", "docs/r*/*", "*/*/*", "docs/ref/*", "docs/*/deep/*", "docs/*/*/*", "*/ref/i*", "docs/*/*.md", "docs/*", "docs/own/*", "docs/*/t.txt", "docs/[a-q]*/*"} {
			script := strings.ReplaceAll(show, "%s", pattern)
			out, _ := l.run(filepath.Join(l.root, "home"), script)
			prints := strings.Contains(string(out), "KEYTEXT")
			if prints {
				shown++
			}
			if asks, why := l.asks(script); asks != prints {
				t.Errorf("%s: asked: %v (%s), shown: %v", script, asks, why, prints)
			}
		}
	}
	for script, want := range map[string]bool{
		`for d in docs/*/; do cat "$d"*; done`: true, "find -L docs -type f | xargs cat": true, "find docs -type f | xargs cat": false, "find docs -type f -exec cat {} +": false, "find -L docs -type f -name '*.md' | xargs cat": false, "cp -rL docs build && cat build/*/*": true,
		`for d in docs/*/; do ls "$d"; done`: false, "ls docs/*/*": false,
	} {
		if asks, why := l.asks(script); asks != want {
			t.Errorf("%s: asked: %v (%s)", script, asks, why)
		}
	}
	if shown < 35 {
		t.Errorf("only %d show it", shown)
	}
}

// TestListsBehindLinks shows files that git lists though the directory they were in is a link now, and holds the answer against what is
// shown.
func TestListsBehindLinks(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; mkdir -p src/a src/b/deep ../.ssh; echo text | tee src/a/k src/a/m.txt src/b/k src/b/deep/m.txt >/dev/null; git add -A; git commit -qm one; echo KEYTEXT | tee ../.ssh/k ../.ssh/m.txt >/dev/null; rm -r src/a; ln -s ../../.ssh src/a`)
	shown := 0
	for _, list := range []string{"git ls-files", "git ls-files src", "git ls-files src/b", "git ls-files '*.txt'", "git ls-files -m", "git ls-files -- 'src/*'", "git ls-tree -r --name-only HEAD", "git diff --name-only", "git diff --name-only HEAD", "git ls-files | sort -r", "git ls-files | grep src", "find src -type f", "git ls-files 'src/b/*'"} {
		for _, show := range []string{"%s | xargs cat", "cat $(%s)", "for f in $(%s); do head $f; done", `%s | while read -r f; do cat "$f"; done`} {
			script := strings.ReplaceAll(show, "%s", list)
			out, _ := l.run(filepath.Join(l.root, "home"), script)
			prints := strings.Contains(string(out), "KEYTEXT")
			if prints {
				shown++
			}
			if asks, why := l.asks(script); !asks && prints || asks && strings.Contains(list, "src/b") {
				t.Errorf("%s: asked: %v (%s), shown: %v", script, asks, why, prints)
			}
		}
	}
	if shown < 20 {
		t.Errorf("only %d show it", shown)
	}
}

// TestSearchesBesideLinks edits the files that a search finds in a project in which links lead out to other files, and holds the answer
// against what happens to those.
func TestSearchesBesideLinks(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; mkdir -p src/deep lib ../other/deep; echo 'a src' | tee src/a.c src/deep/b.c lib/c.c >/dev/null; git add -A; git commit -qm one; echo 'a OUTSIDE' | tee ../other/a.c ../other/deep/b.c >/dev/null; ln -s ../other ext; ln -s ../../other src/ref; ln -s ../other/a.c one.c; ln -s src own`)
	lists := map[string]bool{ // which never ask
		"git grep -l a": false, "git grep -l a -- src": true, "grep -rl a src": true, "grep -rl a lib": true, "grep -rl --include='*.c' a src": true, "grep -rl a src lib": true,
		"grep -Rl a src": false, "grep -rl a ext": false, "grep -rl a ext/": false, "grep -rl a *": false, "grep -l a *.c": false, "grep -l a */*.c": false, "grep -l a ext/*": false, "grep -rl a src ext": false, "find -L src -name '*.c'": false, "find src ext/ -name '*.c'": false,
		"ls ext/*": false, "ls | xargs grep -rl a": false, "find . -name a.c | xargs grep -l a": false, "{ grep -rl a src; ls ext/*; }": false, "{ grep -rl a lib; ls -d ext/*.c; }": false, "git ls-files": false, "grep -rl a own/": false, "grep -rl a src/ref": false, "grep -rl a src/*": false,
	}
	edits := []string{"%s | xargs perl -pi -e s/a/b/", `for f in $(%s); do echo b >"$f"; done`, `%s | while read -r f; do echo b >"$f"; done`, "%s | xargs -I{} cp lib/c.c {}", "%s | xargs cp -t ext", "%s | xargs -I{} cp lib/c.c {}/../../other/a.c", `%s | xargs sed -i s/a/b/`}
	changed := 0
	for list, quiet := range lists {
		for i, edit := range edits {
			script := strings.ReplaceAll(edit, "%s", list)
			lost := strings.Contains(strings.Join(l.loses(script), ""), "OUTSIDE")
			if lost {
				changed++
			}
			asks, why := l.asks(script)
			if lost && !asks {
				t.Errorf("%s: changes what lies outside, and is allowed", script)
			}
			if asks && quiet && (i == 0 || i == 6) {
				t.Errorf("%s: %s", script, why)
			}
		}
	}
	if changed < 20 {
		t.Errorf("only %d change something outside", changed)
	}
}

// TestFollowedSearchesDelete deletes what searches that follow links find, and holds the answer against what lies behind the links.
func TestFollowedSearchesDelete(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; mkdir -p src/deep lib/deep obj node_modules ../other/deep; echo 'src' | tee src/a.o src/deep/b.o lib/c.o lib/deep/d.o obj/e.o >/dev/null; echo 'OUTSIDE' | tee ../other/a.o ../other/deep/b.o >/dev/null; ln -s ../../../other lib/deep/ref; ln -s ../other ext; ln -s ../../other node_modules/dep; ln -s ../../other/a.o obj/a.o; git add .; git commit -qm one; ln -s src own`)
	lost := 0
	for _, follow := range []string{"find -L %s", "find -H %s", "find %s", "find %s -follow"} {
		for _, root := range []string{"src", "lib", "lib/deep", "obj", "ext", "ext/", ".", "src lib", "node_modules", "own/"} {
			for _, act := range []string{"-name '*.o' -delete", "-name '*.o' -print0 | xargs -0 rm"} {
				script := strings.ReplaceAll(follow, "%s", root) + " " + act
				outside := strings.Contains(strings.Join(l.loses(script), ""), "OUTSIDE")
				if outside {
					lost++
				}
				asks, why := l.asks(script)
				if outside && !asks {
					t.Errorf("%s: deletes what lies outside, and is allowed", script)
				}
				if asks && strings.HasPrefix(root, "src") && !strings.Contains(root, "lib") {
					t.Errorf("%s: %s", script, why)
				}
			}
		}
	}
	if lost < 8 {
		t.Errorf("only %d delete something outside", lost)
	}
}

// A name that a pattern with a slash at its end gives has that slash, and a link is followed: an operator that takes something else away leaves it.
func TestSlashOfNamesStays(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; mkdir -p build/sub src ../other/deep; echo made >build/sub/o; echo a >src/a; echo 'OUTSIDE' | tee ../other/deep/b >/dev/null; ln -s ../../other build/ref; printf 'build/\n' >.gitignore; git add .; git commit -qm one`)
	lost, quiet := 0, 0
	for _, value := range []string{"$y", "${y%}", "${y%%}", "${y%x}", "${y%%x}", "${y%x*}", "${y%%x*}", "${y%[x]}", "${y%?x}", "${y%$none}", "${y%\"$none\"}", "${y%x/}", "${y%/}", "${y%%/}", "${y#}", "${y#x}", "${y##x*}", "${y/x/}", "${y//x}", "${y:0}", "${y,,}", "${y:-x}", "${y:+$y}", "${y%/*}/", "${y%/}/", "${y%/}/.", "${y%/*}"} {
		for _, form := range []string{`for y in build/*/; do rm -r "@"; done`, `for y in build/*/; do x=@; rm -r "$x"; done`, `y=build; for y in build/*/; do break; done; rm -rf "@"`, `f() { y=$1; rm -r "@"; }; for z in build/*/; do f "$z"; done`, `for y in build/*/; do find "@" -type f -delete; done`} {
			script := strings.ReplaceAll(form, "@", value)
			asks, why := l.asks(script)
			switch outside := strings.Contains(strings.Join(l.loses(script), ""), "OUTSIDE"); {
			case outside && !asks:
				t.Errorf("%s: deletes what lies outside, and is allowed", script)
			case outside:
				lost++
			case !asks:
				quiet++
			case value == "${y%/}" && !strings.Contains(form, "f()"):
				t.Errorf("%s: %s", script, why)
			}
		}
	}
	if lost < 60 || quiet < 4 {
		t.Errorf("%d delete something outside, %d are allowed", lost, quiet)
	}
}
