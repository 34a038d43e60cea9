package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestOperatorsOfNames has shells put names that patterns match through operators that take something away: what is left is what the
// reader holds it for.
func TestOperatorsOfNames(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, pattern := range []string{
		"src/*", "src/*.css", "src/?*", "src/*/", "src/*/*", "src/**", "src/**/*.css", "*/*", "*", "*/", "src/.*", "src/[a-d]*", "src/@(a|b)*", "src/{a,b}*", "./src/*", "src//*", "src/../src/*", "none/*", "none/*.css", "src/a*", "src/*.", "src/..*", "src.d/*", "src.d/*.css", "s*.d/*", "src.d/*/", "src/d/*", "src/d*/", "sr[c/]/*", "src/[a/d]*", "src/[$d/]*", "src/[/a]", "src/[\"a/\"]*", "src/a?css", "'src/'*", `src/\[*`, "$PWD/src/*", "src/*b*",
	} {
		for _, op := range []string{
			"##*/", "#*/", "#src/", "#src", "#./", "#none/", "##src/", "#src/d/", "#s", "#src/a", "#'src/'", "#\"$d\"/", "#$d/", "%", "%%", "%.css", "%.*", "%%.*", "%/", "%/*", "%%/*", "%x", "%?", "%[x]", "%$none", "%%*", "%css", "%b*", "%%c*", "%%[./]*", "%%?d*",
		} {
			for _, use := range []string{`rm "@"`, `rm "dist/@"`, `rm "dist/@.x"`, `rm "x@"`, `y=@; rm "${y##*/}"`, `y=@; rm "dist/${y%.css}"`} {
				list = append(list, "d=src; for x in "+pattern+"; do "+strings.ReplaceAll(use, "@", "${x"+op+"}")+"; done")
			}
		}
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, name := range []string{"src/a.css", "src/.h.css", "src/-x.css", "src/b c.css", "src/d/e.css", "src.d/g.css", "src.d/h/i.x", "src/d/f", "src/d.", "src/...", "src/[", "src/a", "none.css", "s"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	agreeIn(t, dir, testLibrary(t), every(3, list), true, "bash", "zsh")
	agreeIn(t, dir, testLibrary(t), every(5, list), false, "bash", "dash")
	t.Logf("%d scripts", len(list))
}

// TestOperatorsOfLists does the same with names from lists, with what programs print and with what is known in part, and puts something in
// front of it and behind it. It takes one of eleven; what was found in all of them stands below.
func TestOperatorsOfLists(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, source := range []string{
		"for x in $(ls src); do USE; done", "for x in $(ls -d src/*); do USE; done", "for x in $(find src -type f); do USE; done", "find src -name '*.css' | while read -r x; do USE; done", "find . -name '*.css' | while IFS= read -r x; do USE; done", "ls src.d | while read -r x; do USE; done", "for x in $(find src.d -type f); do USE; done", "x=$(ls src | head -1); USE", "x=$(find src -name '*.css' | head -n 1); USE", "x=$(basename src/*.css); USE", "x=$(dirname $(find src.d -name 'i*')); USE", "find src.d -mindepth 1 | while read -r x; do USE; done",
		"for x in $(find $PWD/src.d -type f); do USE; done", "for x in $PWD/src.d/*; do USE; done", "cd src.d; for x in *; do USE; done", "for x in src/*.css; do USE; done", "for x in src.d/*/; do USE; done", "for x in */*; do USE; done", "x=$(cat n); USE", "x=v$(cat n)/y; USE", "x=src/$(cat n); USE", "x=src.d/$(wc -l < n).css; USE", "x=$(git rev-parse --show-toplevel 2>/dev/null || pwd); USE", "x=$(pwd)/src.d; USE", "x=$(realpath src.d); USE", "read -r x < n; USE", "x=$(date +%Y.%m.%d); USE", "x=$RANDOM.d; USE", "x=src/$RANDOM; USE",
		"x=$(echo src.d/*); USE", "x=$(ls -1 src.d/*.css | sort | tail -n1); USE", "while read -r x; do USE; done < <(find src.d -type f)", "x=$(find src.d -type d -name h); USE", "ls src.d/* | xargs -n1 dirname | while read -r x; do USE; done", "x=${PWD##*/}; USE", "x=$(id -u); USE", "x=$(ls src.d/); USE", "cd src.d; for x in $(find ../src/d -type f); do USE; done", "for x in $(find ./src.d/../src/d -type f); do USE; done", "cd src; for x in ../src.d/h/*; do USE; done",
	} {
		for _, op := range []string{
			"$x", "${x##*/}", "${x#*/}", "${x#src/}", "${x#src}", "${x#./}", "${x##*.}", "${x#*.}", "${x#?}", "${x##[a-s]}", "${x#$PWD/}", "${x%}", "${x%.css}", "${x%.*}", "${x%%.*}", "${x%/}", "${x%/*}", "${x%%/*}", "${x%x}", "${x%?}", "${x%%c*}", "${x%[a-z]}", "${x%$none}", "${x/src/dist}", "${x/.css/}", "${x//./}", `${x//\//}`, "${x//[a-r]/}", "${x/#src/..}", "${x/%css/..}", "${x//?/.}", "${x:0}", "${x:1}", "${x:0:2}", "${x: -2}", "${x:3:4}", "${x^^}", "${x,,}", "${x:-y}", "${x:+z}", "${x:+$x}", "${#x}",
		} {
			for _, use := range []string{`rm "@"`, `rm "dist/@"`, `rm "@.x"`, `rm "@/x"`, `rm "x@"`, `rm "..@"`, `y=@; rm "a/${y##*/}" "${y%.*}"`, `cd "@" 2>/dev/null && rm q`, `rm @`} {
				list = append(list, strings.ReplaceAll(source, "USE", strings.ReplaceAll(use, "@", op)))
			}
		}
	}
	list = append(every(11, list), `x=$(id -u); rm "${x//?/.}"`, `for x in $(ls src); do rm "dist/${x%.css}"; done`, `find . -name '*.css' | while IFS= read -r x; do rm "${x%/*}.x"; done`, `for x in $(find src -type f); do rm "..$x"; done`, `for x in src.d/*; do rm "${x%%.*}"; done`)
	listed(t, list)
}

// TestUsesOfValues hands such values on: to arrays, parameters, functions, other programs, loops and children.
func TestUsesOfValues(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, source := range []string{
		"for x in $(ls src); do USE; done", "for x in $(find src -type f); do USE; done", "find src -name '*.css' | while read -r x; do USE; done", "find . -name '*.css' | while IFS= read -r x; do USE; done", "for x in src.d/*; do USE; done", "for x in src/*.css; do USE; done", "for x in src.d/*/; do USE; done", "for x in */*; do USE; done", "x=$(cat n); USE", "x=src/$(cat n); USE", "x=$(git rev-parse --show-toplevel 2>/dev/null || pwd); USE", "x=$(date +%Y.%m.%d); USE", "x=$RANDOM.d; USE", "x=$(find src.d -type d -name h); USE", "x=$(basename $PWD); USE", "x=a.css; USE", "x='a b/c.d'; USE", "x=; USE", "x=$none; USE", "x=$1; USE", "x=-n; USE", "x='../q'; USE", "x='a*'; USE", "x='$HOME/é'; USE",
	} {
		for _, use := range []string{
			`a=("$x"); rm "${a[0]}" "${a[-1]}" "${a[@]}"`, `a=($x); rm "${a[0]}"`, `a+=("$x"); rm "${a[@]}"`, `set -- "$x"; rm "$1"`, `set -- $x; rm "$1"`, `set -- $x y; shift; rm "$@"`, `printf -v y '%s.bak' "$x"; rm "$y"`, `y=$(printf '%s' "$x"); rm "$y"`, `y=$(printf '%q' "$x"); rm "$y"`, `y=$(echo "$x" | sed 's/a/b/'); rm "$y"`, `y=$(echo "$x"); rm "$y"`, `IFS=/ read -r y z <<< "$x"; rm "$y" "$z"`, `IFS=. read -r y z <<< "$x"; rm "$y" "$z"`, `read -r y <<< "$x"; rm "$y"`, `read y z <<< "$x"; rm "$y" "$z"`, `case $x in *.css) rm "$x";; src*) rm "s$x";; *) rm n "$x";; esac`, `y=$(dirname "$x"); rm "$y" "$y/z"`, `y=$(basename "$x"); rm "$y" "d/$y"`, `y=$(basename "$x" .css); rm "$y" "d/$y.z"`, `y="${x}"; y+=.bak; rm "$y"`, `y=$x; y=$y/z; rm "$y"`, `[[ $x =~ (.*)\.css ]] && rm "${BASH_REMATCH[1]}"`, `[[ $x == */* ]] && rm "$x" || rm n "$x"`, `eval "y=$x"; rm "$y"`, `eval "rm $x"`, `bash -c 'rm() { :; }; rm "$1"' _ "$x"`, `f() { rm "$1" "$#"; }; f "$x"`, `f() { local y=$1; rm "${y:-d}"; }; f "$x"`, `y=$(cut -d. -f1 <<< "$x"); rm "$y"`, `y=$(tr a-z A-Z <<< "$x"); rm "$y"`, `mapfile -t a <<< "$x"; rm "${a[0]}"`, `for y in ${x//// }; do rm "$y"; done`, `set -- ${x//./ }; rm "$1"`, `y=$(realpath -m "$x"); rm "$y"`, `y=$(readlink -f "$x"); rm "$y"`, `printf '%s\n' "$x" | while read -r y; do rm "$y"; done`, `while IFS=: read -r y z; do rm "$y" "$z"; done <<< "$x:k"`, `y=${x:-d}; rm "$y"`, `y=${x:=d}; rm "$y" "$x"`, `y=${x:+d}; rm "$y"`, `y=${x%%/*}${x##*/}; rm "$y"`, `y=${x##*.}; rm "f.$y"`, `y="$x$x"; rm "$y"`, `y="$x/$x"; rm "$y"`, `y=${#x}; rm "$y"`, `y=${x/.*/}; rm "$y"`, `y=${x,,}; rm "$y"`, `y=${x@Q}; rm "$y"`, `y=$(head -c 3 <<< "$x"); rm "$y"`, `y=$(wc -c <<< "$x"); rm "$y"`, `y=$(sed 's|/|_|g' <<< "$x"); rm "$y"`, `y=$(awk -F/ '{print $1}' <<< "$x"); rm "$y"`, `y=$(grep -o '[a-z]*' <<< "$x" | head -1); rm "$y"`, `for y in "$x"{,.bak}; do rm "$y"; done`, `rm "$x"{a,b}`, `rm ~/"$x"`, `rm "$PWD/$x"`, `rm "${x}x" "x${x}"`, `rm -- "$x"`, `cd "$(dirname "$x")" && rm q`, `(cd "$x" && rm q)`, `y=$(cd "$(dirname "$x")" && pwd); rm "$y"`, `declare y=$x; rm "$y"`, `export y="$x"; rm "$y"`, `readonly y=$x; rm "$y"`, `local y=$x 2>/dev/null; rm "$y"`, `declare -n r=x; rm "$r"`, `y=x; rm "${!y}"`, `unset x; rm "$x" d`, `trap 'rm "$x"' EXIT`, `(x=z; rm "$x"); rm "$x"`, `x=$x rm "$x"`, `if [ -n "$x" ]; then rm "$x"; else rm n; fi`, `[ -d "$x" ] && rm "$x"`, `test -f "$x" || rm "$x"`, `y=$(test -n "$x" && echo "$x"); rm "$y"`, `until [ -n "$x" ]; do x=k; done; rm "$x"`, `i=0; while [ $i -lt 2 ]; do x=$x$i; i=$((i+1)); done; rm "$x"`, `for i in 1 2; do x=$i$x; done; rm "$x"`, `for i in 1 2; do y+=$x; done; rm "$y"`, `a=("$x" b); for y in "${a[@]}"; do rm "$y"; done`, `a=("$x" b); rm "${a[@]:1}" "${a[@]/b/$x}"`, `declare -A m; m[k]=$x; rm "${m[k]}"`, `declare -A m; m[$x]=v; rm "${!m[@]}"`, `IFS=,; a=("$x" b); rm "${a[*]}"`, `y=$(IFS=,; echo "$*"); rm "$y"`, `cat <<E | while read -r y; do rm "$y"; done
$x
E`,
		} {
			list = append(list, strings.ReplaceAll(source, "USE", use))
		}
	}
	listed(t, every(5, list))
}

// listed has shells run scripts over a tree of files, and looks whether the reader has seen what they run.
func listed(t *testing.T, list []string) {
	t.Helper()
	list = sample(list)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, name := range []string{"src/a.css", "src/.h.css", "src/-x.css", "src/d/e.css", "src/d/f", "src/d.", "src.d/g.css", "src.d/h/i.x", "src/a", "none.css", "s", "dist/a.css"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	must(t, os.WriteFile(filepath.Join(dir, "n"), []byte("../z.y\n"), 0o644))
	isThere := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	w := &tool.World{Home: filepath.Dir(dir), Project: dir, Zsh: true, ReadFile: os.ReadFile, Readlink: os.Readlink, Exists: isThere}
	lib, ran := command.Builtin(), 0
	for _, shell := range [][]string{{"bash"}, {"zsh", "-f"}} {
		path, err := exec.LookPath(shell[0])
		if err != nil {
			continue
		}
		for i, calls := range ranBy(t, path, shell[1:], dir, list) {
			res := Resolve(list[i], dir, w, lib)
			if hasGap(res) {
				continue
			}
			for _, c := range calls {
				if ran++; !seen(res, c) {
					t.Errorf("%s runs %.200q for %q, believed%s", shell[0], c.argv, list[i], believed(res))
				}
			}
		}
	}
	if ran < 1000 && !sampled() {
		t.Errorf("only %d calls were seen", ran)
	}
	t.Logf("%d scripts, %d calls", len(list), ran)
}
