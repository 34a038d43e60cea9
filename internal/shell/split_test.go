package shell

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// splitTree are the files that the patterns of TestPatternsAreSplitAsNamesAre match.
var splitTree = []string{"a", "b", "a.c", "b.h", ".e", "x/a", "x/b.c", "x/.e", "x/y/a", "x/y/b.h", "[z/a", "]", "x/]", "z]/a"}

// Patterns are taken apart at slashes, and a slash among alternatives or in a set takes nothing apart. Whatever bash
// matches, its last name matches what is taken for the last name of the pattern, a copy goes where the pattern says, and a
// walk over the disk meets the file.
func TestPatternsAreSplitAsNamesAre(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed; install the package bash")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, name := range splitTree {
		must(t, os.MkdirAll(filepath.Join(dir, path.Dir(name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	r := rand.New(rand.NewPCG(13, 1))
	var patterns []string
	for range 1500 {
		patterns = append(patterns, randomPattern(r, 0))
	}
	var script strings.Builder
	script.WriteString("shopt -s extglob nullglob\n")
	for _, p := range patterns {
		script.WriteString("printf '%s\\0' " + p + " ''; printf '\\1\\0'\n")
	}
	cmd := exec.Command(bash, "--norc", "-s")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(script.String())
	out, err := cmd.Output()
	must(t, err)
	matched := strings.Split(string(out), "\x01\x00")
	if len(matched) != len(patterns)+1 {
		t.Fatalf("%d results of %d patterns", len(matched), len(patterns))
	}
	lib, hits := testLibrary(t), 0
	for i, p := range patterns {
		for name := range strings.SplitSeq(matched[i], "\x00") {
			if name == "" || paths.Climbs(name) {
				continue
			}
			hits++
			splits(t, lib, dir, p, name)
		}
	}
	if hits < 1000 {
		t.Errorf("only %d matches", hits)
	}
}

// splits holds one match of a pattern against what is made of the pattern.
func splits(t *testing.T, lib *command.Library, dir, pattern, name string) {
	t.Helper()
	base := path.Base(name)
	if last, sure := paths.GlobBase(pattern); sure {
		if is, known := paths.Match(last, base); known && !is {
			t.Errorf("%s matches %s, whose last name is not one of %q", pattern, name, last)
		}
	}
	if !mayBeNamed(pattern, base) && base[0] != '.' {
		t.Errorf("%s matches %s, and its last name is ruled out", pattern, name)
	}
	file := filepath.Join(dir, name)
	if info, err := os.Stat(file); err != nil || info.IsDir() || strings.HasSuffix(name, "/") {
		return
	}
	w := testWorld()
	w.Entries = entriesOnDisk
	w.Exists = nil
	w.Secret = func(e tool.Effect) bool { return e.Target == file }
	if found := newReader(w, lib).secretsOf(aim{pattern: firstWild(paths.Escape(dir) + "/" + pattern), hidden: true}); !slices.Contains(found, file) && isWild(pattern) {
		t.Errorf("%s matches %s, and a walk finds %q", pattern, name, found)
	}
}

func entriesOnDisk(dir string) (list []tool.Entry, whole bool) {
	found, err := os.ReadDir(dir)
	for _, e := range found {
		list = append(list, tool.Entry{Name: e.Name(), Dir: e.IsDir()})
	}
	return list, err == nil
}

// randomPattern is a pattern of paths.
func randomPattern(r *rand.Rand, deep int) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		switch n := r.IntN(12); {
		case n < 3:
			b.WriteString(pick(r, []string{"a", "b", "x", "y", ".c", "z", ".e"}))
		case n < 6:
			b.WriteString(pick(r, []string{"*", "?", "*.c", "**", "x/"}))
		case n < 8 && deep == 0:
			b.WriteByte('/')
		case n == 8:
			b.WriteString(pick(r, []string{"[a/]", "[/]", "[!/]", "[ab]", "[x]/", "[z"}))
		case deep < 2:
			b.WriteString(pick(r, []string{"@", "?", "*", "+", "!"}) + "(" + randomPattern(r, deep+1) + pick(r, []string{"|", "/", "|*|"}) + randomPattern(r, deep+1) + ")")
		}
	}
	return strings.TrimLeft(b.String(), "/")
}

// TestSeparatorsOfManyBytes has shells divide and join with separators that are letters of more than one byte.
func TestSeparatorsOfManyBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, ifs := range []string{"é", "→", ":é", "é:", "\u00a0", "a", ":"} {
		for _, use := range []string{
			"IFS=@ read -r a b <<< 'x@y'; rm \"$a\" \"$b\"", "while IFS=@ read -r a b; do rm \"$b\"; done <<< 'x@../y'", "IFS=@ read -r a <<< 'x@'; rm \"$a\"", "IFS=@ read -ra a <<< 'x@y'; rm \"${a[@]}\"", "IFS=@ read -r <<< 'x@y'; rm \"$REPLY\"", "f() { local IFS=@; read -r a b; rm \"$b\"; }; f <<< 'x@y'",
			"IFS=@; a=('x@y'); rm \"${a[@]}\"", "IFS=@; a='x@y'; rm \"${a[@]}\"", "IFS=@; set -- 'x@y'; rm \"$@\"", "IFS=@; set -- 'x@y'; rm \"${@:1}\"", "IFS=@; set -- x y; rm \"$*\"", "IFS=@; set -- x y; rm $*", "IFS=@; v=x@y; for i in $v; do rm \"$i\"; done", "IFS=@; v=x@y; set -- $v; rm \"$2\"", "IFS=@; v=x@y; a=($v); rm \"${a[1]}\"", "IFS=@; rm $(echo x@y)", "IFS=@; set -- x y; v=$*; rm \"$v\"",
			"a=('x@y'); IFS=@ eval 'rm \"${a[@]}\"'", "f() { rm \"${@:1}\" \"$*\"; }; IFS=@ f x@y z", "export IFS=@; a=('x@y'); rm \"${a[@]}\"", "IFS=; IFS+=@; a=('x@y'); rm \"${a[@]}\"", "read -r IFS <<< '@'; a=('x@y'); rm \"${a[@]}\"", "printf -v IFS %s @; a=('x@y'); rm \"${a[@]}\"", "for IFS in @; do a=('x@y'); rm \"${a[@]}\"; done", "f() { local IFS=@; rm \"${@:1}\"; }; f x@y", "f() { local IFS=@ a; a=('x@y'); rm \"${a[@]}\" \"${a[*]}\"; }; f", "IFS=@; rm q",
			"unset IFS; : ${IFS=@}; a=('x@y'); rm \"${a[@]}\"", "IFS=@ a=('x@y'); rm \"${a[@]}\"", "set -- x y; IFS=@ v=\"$*\"; rm \"$v\"", "set -- x@y z; (IFS=@; rm \"${@:1}\" \"$*\")", "x=@; IFS=$x; a=(x@y); rm \"${a[@]}\"", "IFS=$'\\303'; a=(x@y); rm \"${a[@]}\"", "set -- 'x@y'; IFS=@; while read -r a b; do rm \"$a\" \"$b\"; done <<< \"$1\"",
		} {
			list = append(list, strings.ReplaceAll(use, "@", ifs))
		}
	}
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
}

// TestFirstSeparators has shells count, cut, compare and hand on the separators that they begin with, which end with a zero byte in zsh.
func TestFirstSeparators(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, use := range []string{
		"n=${#@}; rm \"$n\"", "v=xxxs..; n=${#@}; rm \"build/${v:$n}/data\"", "v=xxxs..; rm \"build/${v:${#@}}/data\"", "rm \"$((${#@}))\"", "rm \"x${@:3}y\"", "rm \"x${@: -1}y\"", "rm \"x${@#?}y\"", "rm \"x${@%?}y\"", "rm \"x${@%?}\"", "rm \"${@%?}x\"", "rm \"x${@//?/z}y\"", "rm \"x${@/?/z}\"", "v=\"${@//[! ]/z}\"; rm \"$v\"", "rm \"a$@\"", "rm \"a${@}b\"", "rm a\"$@\"b", "v=\"a$@\"; rm \"${v}b\"", "v=\"a$@\"; v=\"$v\"b; rm \"$v\"", "v=$@; rm \"${#v}\"", "v=\"$@\"; w=$v; n=${#w}; rm \"$n\"", "a=(\"$@\"); rm \"${#a[0]}\"", "f() { rm \"${#1}\"; }; f \"$@\"", "f() { rm \"${1:3}x\"; }; f \"$@\"", "set -- \"$@\"; rm \"${#1}\" \"$#\"",
		"if [ \"$@\" = $' \\t\\n' ]; then rm a; else rm b; fi", "if [[ \"$@\" == $' \\t\\n' ]]; then rm a; else rm b; fi", "case \"$@\" in $' \\t\\n') rm a;; *) rm b;; esac", "case \"$@\" in ???) rm a;; *) rm b;; esac", "[[ $@ == ??? ]] && rm a || rm b", "case x\"$@\" in x???) rm a;; *) rm b;; esac", "v=\"$@\"; case $v in ????) rm a;; *) rm b;; esac", "for c in \"$@\"; do rm \"${#c}\"; done", "rm \"${@:+s}\" \"${@-q}x\"", "rm \"${@+s}\"", "old=$@; @=:; v=a:b; @=$old; w='c d'; rm $(echo \"$w\")", "v=${@:-x}; rm \"${#v}\"", "v=$(printf '%s' \"$@\" | wc -c); rm $v", "v=\"$@$@\"; rm \"${#v}\"", "rm \"$@$@x\"", "x=y; v=$@$x; rm \"$v\"", "read -r v <<< \"$@\"; rm \"${#v}\"", "v=${#@}; while [ $v -gt 3 ]; do rm a; break; done; rm b", "(( ${#@} == 3 )) && rm a || rm b", "let n=${#@}; rm $n", "declare -i n=${#@}; rm $n",
	} {
		list = append(list, strings.ReplaceAll(use, "@", "IFS"), "x=$IFS; "+strings.ReplaceAll(strings.ReplaceAll(use, "@=", "IFS="), "@", "x"), "IFS=,; "+strings.ReplaceAll(use, "@", "IFS"), "IFS=$' \\t\\n'; "+strings.ReplaceAll(use, "@", "IFS"))
	}
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
}
