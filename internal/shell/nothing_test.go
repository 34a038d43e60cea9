package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestOperatorsOfNothing holds every operator on a word against the shells: where the word is empty in one of them, the reader must have
// held that possible, whatever the value was and whichever way it went.
func TestOperatorsOfNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for i, from := range emptySources {
		for j, to := range emptyOperators {
			for k, way := range emptyWays {
				if k > 0 && (i*3+j*5+k)%31 != 0 { // each operator of each source, and some of the ways to hand it on
					continue
				}
				list = append(list, strings.ReplaceAll(from, "USE", strings.ReplaceAll(way, "OP", to)))
			}
		}
	}
	list = append(sample(list), emptyScripts...)
	dir := emptyDir(t)
	lib := testLibrary(t)
	empty := 0
	for _, name := range []string{"bash", "zsh"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		args := map[string][]string{"zsh": {"-f"}}[name]
		for i, calls := range ranBy(t, path, args, dir, list) {
			for _, zsh := range []bool{false, true} {
				if name == "zsh" && !zsh {
					continue
				}
				w := &tool.World{Home: filepath.Dir(dir), Project: dir, Zsh: zsh, ReadFile: os.ReadFile, Readlink: os.Readlink}
				res := Resolve(list[i], dir, w, lib)
				for _, c := range calls {
					if !slices.Contains(c.argv, "") {
						continue
					}
					if empty++; !hasGap(res) && !heldEmpty(res, c) {
						t.Errorf("%s runs %q for %q, believed%s (zsh: %v)", name, c.argv, list[i], believed(res), zsh)
					}
				}
			}
		}
	}
	if empty < 500 && !sampled() {
		t.Errorf("only %d words were empty", empty)
	}
}

// emptyDir is a project with lists that hold little or nothing.
func emptyDir(t *testing.T) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range map[string]string{"none": "", "one": "a\n", "two": "ab\n", "blank": "\n", "src/a": "", "src/ab": ""} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

// heldEmpty says whether each empty word of a call is one that the reader holds for one that may be empty.
func heldEmpty(res Result, c call) bool {
	return slices.ContainsFunc(res.Invocations, func(inv *command.Invocation) bool {
		if inv.Name != "rm" && (len(inv.Words) == 0 || inv.Words[0].Text != "rm") {
			return false
		}
		for i, arg := range c.argv {
			if arg == "" && !slices.ContainsFunc(inv.Words[min(i, len(inv.Words)-1):], mayBeEmpty) {
				return false
			}
		}
		return true
	})
}

// emptySources give x a value of which the reader knows little, and use it.
var emptySources = []string{
	"x=$(cat none); USE", "x=$(cat one); USE", "x=$(cat two); USE", "USE", "x=$nosuch; USE", "read -r x < blank; USE", "for x in $(cat one); do USE; done", "for x in $(cat two); do USE; done",
	"for x in src/*; do x=${x##*/}; USE; done", "cd src; for x in *; do USE; done", "f() { x=$1; USE; }; f", "f() { local x=$1; USE; }; f $(cat none)", "f() { x=$1; USE; }; f \"$(cat one)\"", "x=a$(cat none); USE",
	"while IFS= read -r x; do USE; done < one", "x=$(printf '%s\\n' \"$(cat none)\"); USE", "printf -v x %s \"$(cat none)\"; USE", "x=${nosuch:-}; USE", "x=$(cat one) || exit; USE", "[ -n \"$x\" ] || x=$(cat two); USE",
	"x=a; USE", "x=; USE", "x=ab; USE", "x=$(git tag | tail -1); USE", "x=$(echo $nosuch); USE", "IFS=, read -r y x < one; USE",
	"unset x; USE", "typeset +u x; USE", "f() { local x; USE; }; f",
}

// emptyOperators are words made of x.
var emptyOperators = strings.Fields(`$x ${x} ${x#a} ${x##*} ${x%b} ${x%%*} ${x/a/} ${x/a/b} ${x//a/} ${x//[a-z]/} ${x//[a-z]/_} ${x/#a/} ${x/%b/} ${x//$nosuch/} ${x/*/b} ${x/#/b} ${x//*/b} ${x/a/$nosuch} ${x/$x/} ${x/a} ${x//?}
	${x:0} ${x:1} ${x:0:1} ${x:0:0} ${x:1:1} ${x:2} ${x:(-1)} ${x:(-9)} ${x:$nosuch} ${x:0:$nosuch} ${x:0:-1} ${x:0:2} ${x:$((1+0))}
	${x^} ${x^^} ${x,} ${x,,} ${x^^a} ${x@U} ${x@L} ${x@u} ${x@Q} ${x@E} ${x@a} ${x@A} ${x@K}
	${x:-} ${x-} ${x:-$nosuch} ${x:+a} ${x+a} ${x:+$x} ${x:-${x/a/}} ${#x} ${x[0]} ${x[@]} ${x[*]} ${x[1]} ${x[0]/a/} ${x[@]/a/} ${x[*]:1} ${x[@]:0} ${!x} ${x:h} ${x:t} ${x:r} ${x:e} ${x:u} ${(U)x} ${x//a/}$x $x${x#a}
	$(echo${IFS}$x) $(echo${IFS}-n${IFS}$x) $(printf${IFS}%s${IFS}$x) $(printf${IFS}%.0s${IFS}$x) $(printf${IFS}%s%s${IFS}$x${IFS}$x)`)

// emptyWays hand on a word before it is used.
var emptyWays = []string{
	`rm "OP"`, `y="OP"; rm "$y"`, `f() { rm "$1"; }; f "OP"`, `set -- "OP"; rm "$1"`, `set -- "OP"; rm "$*"`, `set -- "OP"; rm "${*:1}"`, `a=("OP"); rm "${a[@]}"`, `a=("OP"); rm "${a[*]/a/}"`, `a=("OP"); rm "${a[@]:0}"`,
	`for y in "OP"; do rm "$y"; done`, `y=$(echo "OP"); rm "$y"`, `y=$(printf %s "OP"); rm "$y"`, `y=$(printf '%s\n' "OP"); rm "$y"`, `printf -v y %s "OP"; rm "$y"`, `printf -v y "OP"; rm "$y"`, `y=; y+="OP"; rm "$y"`,
	`read -r y <<< "OP"; rm "$y"`, `y="OP"; rm "${y//b/}"`, `y="OP"; rm "${y:0:2}"`, `y="OP"; rm "${y^}"`, `declare y="OP"; rm "$y"`, `export y="OP"; rm "$y"`, `f() { local y="OP"; rm "$y"; }; f`, `f() { rm "${1//a/}"; }; f "OP"`,
	`f() { rm "${*:2}"; }; f "OP"`, `f() { rm "${@: -1}"; }; f "OP"`, `eval 'rm "OP"'`, `while read -r y; do rm "$y"; done <<< "OP"`, `y=$(echo "OP" | cat); rm "$y"`, `case "OP" in *) rm "OP";; esac`, `printf -v 'y' '%.0s' "OP"; rm "$y"`,
	`declare -l y="OP"; rm "$y"`, `declare -u y="OP"; rm "$y"`, `declare -A m=([k]="OP"); rm "${m[k]}"`, `mapfile -t a <<< "OP"; rm "${a[0]}"`, `y="OP" rm "$y"`, `rm "$(echo "OP")"`, `y=$(cat <<< "OP"); rm "$y"`, `y=${z:="OP"}; rm "$y"`,
}

// emptyScripts are other ways to a word that is empty.
var emptyScripts = strings.Split(strings.TrimSpace(`
b=a export c; rm "$b"
b=a eval ''; rm "$b"
b=a :; rm "$b"
b=a . /dev/null; rm "$b"
b=a set --; rm "$b"
b=a unset c; rm "$b"
b=a readonly c; rm "$b"
b=a declare c; rm "$b"
b=a typeset c; rm "$b"
b=a trap - INT; rm "$b"
b=a shift 0; rm "$b"
b=a times; rm "$b"
b=a true; rm "$b"
b=a eval 'rm "$b"'; rm "$b"
f() { b=a local c; rm "$b"; }; f
f() { b=a return; }; f; rm "$b"
b=a builtin :; rm "$b"
b=a command :; rm "$b"
f() { :; }; b=a f; rm "$b"
getopts ab d x; rm "$d"
d=; getopts ab d x; rm "$d"
set --; getopts ab d; rm "$d"
set -- -a; getopts a: d; rm "$d" "$OPTARG"
set -- -a; getopts ab d; rm "$OPTARG"
set -- a; shift; rm "$1"
set -- a; shift $(cat one | wc -l); rm "$1"
set -- $(cat none); rm "$1"
set -- $(cat one); rm "$2"
f() { rm "${*:2}"; }; f a
f() { rm "${*:2}"; }; f $(cat one)
f() { rm "${*:1}"; }; f $(cat none)
f() { local m=${1//./\/}; rm "$m"; }; f
f() { local m=${2//./\/}; rm "$m"; }; f $(cat one)
f() { rm "$*"; }; f $(cat none)
f() { rm "${*/a/}"; }; f $(cat one)
f() { rm "${*//a/}"; }; f a
f() { rm "${*^^}"; }; f $(cat none)
set -- ''; rm "${@^}"
set -- $(cat none); rm "${*@Q}"
a=($(cat none)); rm "${a[*]}"
a=($(cat none)); rm "$a"
a=($(cat none)); rm "${a[*]:1}"
a=($(cat one)); rm "${a[*]:1}"
a=(''); rm "$a"
a=("$(cat none)"); rm "$a"
mapfile -t a < none; rm "${a[*]}"
mapfile -t a < none; rm "$a"
mapfile -t a < blank; rm "$a"
rm "${!nosuch*}"
y=nosuch; rm "${!y}"
y=nosuch; rm "${!y/a/}"
declare -n y=nosuch; rm "$y"
declare -n y=nosuch; rm "${y//a/b}"
select y in a; do rm "$y"; break; done < blank
y=a; read -r y < none; rm "$y"
y=a; read -r y < blank; rm "$y"
read -ra a < blank; rm "${a[0]}"
read -ra a < blank; rm "${a[*]}"
coproc cat none; read -r y <&${COPROC[0]}; rm "$y"
[[ a =~ (b)?(a) ]]; rm "${BASH_REMATCH[1]}"
[[ a =~ (b)?(a) ]]; rm "${BASH_REMATCH[*]:3}"
x=$(cat one); x=${x:+}; rm "$x"
x=$(( $(cat one | wc -l) )); rm "${x//1/}"
rm "${RANDOM//[0-9]/}"
rm "${$//[0-9]/}"
x=$$; rm "${x//[0-9]/}" "${x:0:0}" "${x:90}"
x=$(date +%s); rm "${x//[0-9]/}" "${x:90}"
x=$(pwd); rm "${x//*/}" "${x:9999}"
x=$PWD; rm "${x//*/}" "${x##*}"
x=$(basename none .x); rm "${x#none}" "${x/none/}"
x=$(dirname one); rm "${x/./}" "${x:1}" "${x#.}"
for x in src/*; do rm "${x/src*/}" "${x:99}" "${x//*/}"; done
for x in a b; do rm "${x/a/}" "${x:1}"; done
for x in $(cat one); do for y in ${x//a/}; do rm "$y"; done; rm "${y}"; done
cd src; for x in *; do rm "${x//a/}" "${x%%a*}" "${x:0:0}"; done
x=$(ls src | head -1); rm "${x/a/}"
ls src | while read -r x; do rm "${x//a/}" "${x:1}" "${x^}"; done
find src -type f | while read -r x; do y=${x##*/}; rm "${y//a/}" "${y/ab/}"; done
printf -v y '%.0s' a; rm "$y"
printf -v y ''; rm "$y"
y=$(printf '%.0s' a); rm "$y"
y=$(printf '%s' "$nosuch"); rm "$y"
y=$(printf '%b' "$nosuch"); rm "$y"
y=$(printf '%s\n' "$nosuch"); rm "$y"
y=$(printf '%s\n' "$nosuch" "$nosuch"); rm "$y"
y=$(printf '%s' "$nosuch" "$nosuch"); rm "$y"
y=$(printf "$nosuch"); rm "$y"
y=$(printf -- "$nosuch"); rm "$y"
y=$(printf '%-0s' "$nosuch"); rm "$y"
y=$(printf '%c' ''); rm "$y"
y=$(printf '%*s' 0 ''); rm "$y"
y=$(printf '\0'); rm "$y"
y=$(printf '\c'); rm "$y"
y=$(printf '%b' '\c'); rm "$y"
y=$(echo -e '\c'); rm "$y"
y=$(echo "$nosuch$nosuch"); rm "$y"
y=$(echo -n $nosuch $nosuch); rm "$y"
y=$(echo $nosuch $nosuch); rm "$y"
if [ -f one ]; then y=; else y=a; fi; rm "$y"
y=a; for i in 1 2 3; do [ -f none$i ] || y=; done; rm "$y"
y=a; for i in $(cat one two); do rm "$y"; y=${y%a}; done
y=a; while [ -n "$y" ]; do y=${y#?}; rm "$y"; done
y=a; [ -f none ] && y=; rm "${y^}"
y=a; f() { y=; }; f || true; rm "$y"
y=a; f() { y=; }; [ -f one ] && f; rm "$y"
case $(cat one) in a) y=;; *) y=b;; esac; rm "$y"
set -- $(cat one two); while [ $# -gt 0 ]; do shift; rm "$1"; done
a=(); [ -f one ] && a+=(''); rm "${a[0]}"
a=(x ''); for i in 0 1; do rm "${a[$i]}"; done
a=(x); i=$(cat one | wc -l); rm "${a[$i]}"
declare -A m=([a]=); rm "${m[$(cat one)]}"
y=$(cat one); unset y; rm "$y"
y=a; unset $(cat one | tr a y); rm "$y"
y=a; declare $(cat one | tr a y)=; rm "$y"
y=a; declare "$(cat one | tr a y)="; rm "$y"
y=a; eval "$(cat one | tr a y)="; rm "$y"
y=a; read -r $(cat one | tr a y) < blank; rm "$y"
y=a; printf -v "$(cat one | tr a y)" ''; rm "$y"
y=a; (( $(cat one) )) || y=; rm "$y"
printf '%s\n' "$nosuch" | while read -r y; do rm "$y"; done
printf '%s\n' a "$nosuch" | while read -r y; do rm "$y"; done
printf '%s\n' "$nosuch" a | while read -r y; do rm "$y"; done
printf '%s,%s\n' a "$nosuch" | while IFS=, read -r x y; do rm "$y"; done
echo "$nosuch" | while read -r y; do rm "$y"; done
echo "a $nosuch" | while read -r x y; do rm "$y"; done
cat blank | while read -r y; do rm "${y//a/b}"; done
f() { y=$(echo "$@"); rm "$y"; }; f $(cat none)
f() { y=$(printf %s "$@"); rm "$y"; }; f $(cat none)
f() { y=$(printf '%s' "${@:2}"); rm "$y"; }; f $(cat one)
a=($(cat none)); y=$(echo "${a[@]}"); rm "$y"
a=($(cat none)); y=$(printf %s "${a[@]}"); rm "$y"
y=$(printf '%d' "$nosuch"); rm "$y"
y=$(printf '%.0d' 0); rm "$y"
y=$(printf '%0.0d' 0); rm "$y"
y=$(printf '%.0x' 0); rm "$y"
y=$(printf '%03d' 'x y'); rm "$y"
y=$(printf '%-3s' ''); rm "$y"
y=$(printf '%+s' ''); rm "$y"
y=$(printf '%' ''); rm "$y"
y=$(printf '%1$s' ''); rm "$y"
y=$(printf '%q' ''); rm "$y"
y=$(printf '\n%s' "$nosuch"); rm "$y"
y=$(printf '\n%s\n' a); rm "${y/a/}"
x=a; rm "${x/a/''}" "${x/a/""}" "${x//a/$''}"
x=$(cat one); rm "${x/a/''}" "${x/a/""}" "${x/a/${nosuch}}"
x=/; rm "${x////}" "${x///}"
x=$(cat one); rm "${x////}" "${x//\//}"
for x in src/*/; do rm "${x##*/}"; done
for x in src/; do rm "${x##*/}"; done
for x in */; do rm "${x##*/}"; done
for x in src/*; do rm "${x##*/}" "${x#*/}" "${x##src/a*}"; done
setopt markdirs 2>/dev/null; for x in s*; do rm "${x##*/}"; done
for x in s*(M); do rm "${x##*/}"; done
find src/ | while read -r x; do rm "${x##*/}"; done
xargs -a blank -I{} echo {} | while read -r y; do rm "${y^}"; done
`), "\n")
