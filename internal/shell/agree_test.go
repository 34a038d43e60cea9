package shell

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// TestShellsAgree holds what the reader believes of a value against what every shell that may run the script
// makes of it. Where they differ, the value must stand for all of theirs.
func TestShellsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, setup := range agreeSetups {
		for _, word := range agreeWords {
			list = append(list, setup+"\nrm "+word)
		}
	}
	list = append(list, agreeScripts...)
	list = append(list, integersOfThemselves()...)
	list = append(list, declaredNothing()...)
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
}

// declaredNothing are scripts that declare a variable with what may be nothing, and that read one which zsh only shows.
func declaredNothing() (list []string) {
	for _, declare := range []string{"declare", "command declare", "builtin declare", "command export", "builtin export", "command typeset", "export", "command command export"} {
		for _, given := range []string{"$(set -e; false; echo b)", `"$(set -e; false; echo b)"`, "`set -e; false; echo b`", "$(exit; echo b)", "x$(set -e; false; echo b)", "$(set -e; false; echo b)/y", "${none:+b}"} {
			list = append(list, "v=a; "+declare+" v="+given+"; rm src/$v/k")
		}
	}
	for _, options := range []string{"-e", "-re", "-er", "-r", "-e -r"} {
		for _, use := range []string{" && rm src/$v/k", "; rm src/$v/k", " || rm src/$v/k"} {
			list = append(list, "read "+options+" v <<< c"+use, "v=a; if read "+options+" v <<< c; then rm src/$v/k; fi", "v=a; ! read "+options+" v <<< c"+use)
		}
	}
	return list
}

// integersOfThemselves are scripts that make a variable an integer with an expression that names it.
func integersOfThemselves() (list []string) {
	for _, setup := range []string{"i=5", "i=5 k=i", "export i=5; k=i+1", "unset i; k=3", "((i=5))", "declare -i i=5", "i=05"} {
		for _, declare := range []string{"declare -i D", "typeset -xi D", "export i; declare -i D", "f() { local -i D; rm n $i; }; f", "f() { declare -gi D; rm n $i; }; f", "x=i; declare -i \"$x=i\"", "declare -i j=i D", "declare -i i; D"} {
			for _, given := range []string{"i=i", "i=i+1", "i=k", "i=$k", "i=$i+1", "i=2*3", "i=7", `"i=i"`} {
				list = append(list, setup+"; "+strings.ReplaceAll(declare, "D", given)+"; rm $i")
			}
		}
	}
	return list
}

// agree has shells run scripts, each in a subshell, and looks whether the reader has seen what they run.
func agree(t *testing.T, list []string, zsh bool, shells ...string) {
	agreeBy(t, testLibrary(t), list, zsh, shells...)
}

// agreeBy is agree with models of programs. It counts the scripts that could be judged.
func agreeBy(t *testing.T, lib *command.Library, list []string, zsh bool, shells ...string) (judged int) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, d := range []string{"src", "build/a"} {
		must(t, os.MkdirAll(filepath.Join(dir, d), 0o755))
	}
	return agreeIn(t, dir, lib, list, zsh, shells...)
}

// sampled says whether a sample of the scripts is enough, so that go test ends in time. make sweeps tries all.
func sampled() bool { return os.Getenv("LONGLINE_SWEEPS") != "all" }

// sample is a hundred of many scripts.
func sample(list []string) (some []string) {
	const most = 100
	if len(list) <= most || !sampled() {
		return list
	}
	for i := range most {
		some = append(some, list[i*len(list)/most])
	}
	return some
}

// agreeIn is agree in a directory.
func agreeIn(t *testing.T, dir string, lib *command.Library, list []string, zsh bool, shells ...string) (judged int) {
	t.Helper()
	list = sample(list)
	w := &tool.World{Home: filepath.Dir(dir), Project: dir, Zsh: zsh, ReadFile: os.ReadFile, Readlink: os.Readlink}
	for _, name := range shells {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		args := []string(nil)
		switch {
		case name == "zsh":
			args = []string{"-f"}
		case name == "bash" && !zsh:
			args = []string{"--posix"}
		}
		for i, calls := range ranBy(t, path, args, dir, list) {
			script := list[i]
			if !zsh {
				script = "sh -c '" + strings.ReplaceAll(script, "'", `'\''`) + "'"
			}
			res := Resolve(script, dir, w, lib)
			if !hasGap(res) {
				judged++
			}
			for _, c := range calls {
				if !hasGap(res) && !seen(res, c) {
					t.Errorf("%s runs %.300q for %q, believed%.600s", name, c.argv, list[i], believed(res))
				}
			}
		}
	}
	return judged
}

func believed(res Result) string {
	var b strings.Builder
	for _, inv := range res.Invocations {
		if len(inv.Words) > 0 && inv.Words[0].Text == "rm" {
			for _, w := range inv.Words {
				fmt.Fprintf(&b, " %q/%d", w.Text, w.Reach)
			}
			b.WriteString(" in " + inv.Dir.Text + ";")
		}
	}
	return b.String()
}

// seen says whether an invocation is the one that a shell has run.
func seen(res Result, c call) bool {
	return slices.ContainsFunc(res.Invocations, func(inv *command.Invocation) bool { return isCall(inv, c) })
}

// confines returns the program that confines what is run to a directory, if it works here.
var confines = sync.OnceValues(func() (path string, ok bool) {
	path, err := exec.LookPath("bwrap")
	return path, err == nil && exec.Command(path, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-net", "true").Run() == nil
})

// confined is a command that can only change what is below a directory, if that works here: a redirection to "$x/new" leads to the root if
// $x is empty.
func confined(ctx context.Context, dir, program string, args ...string) (cmd *exec.Cmd, is bool) {
	path, ok := confines()
	if !ok {
		return exec.CommandContext(ctx, program, args...), false
	}
	in := []string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", dir, dir, "--unshare-net", "--die-with-parent", "--", program}
	return exec.CommandContext(ctx, path, append(in, args...)...), true
}

// ranBy has a shell run scripts and returns what each of them gave to rm.
func ranBy(t *testing.T, shell string, args []string, dir string, list []string) [][]call {
	var b strings.Builder
	b.WriteString("exec 7>&1\n") // so that what rm notes goes into no pipe or value
	for i, s := range list {
		fmt.Fprintf(&b, "(rm() { printf '%%s\\0' \"\x01%d:$(($#+1))\" \"$PWD\" \"$@\" >&7; } 2>/dev/null\n", i)
		b.WriteString("ulimit -t 2; ulimit -v 4000000; eval '" + strings.ReplaceAll(s, "'", `'\''`) + "') 2>/dev/null </dev/null\n" + `printf '\001end\0'` + "\n")
	}
	file := filepath.Join(dir, "..", "all.sh")
	must(t, os.WriteFile(file, []byte(b.String()), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
	defer cancel()
	cmd, _ := confined(ctx, filepath.Dir(dir), shell, append(args, file)...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + filepath.Dir(dir), "LC_ALL=C.UTF-8", "PWD=" + dir}
	out, err := cmd.Output()
	must(t, err)
	return callsIn(t, shell, out, len(list))
}

// callsIn reads what so many scripts gave to rm.
func callsIn(t *testing.T, shell string, out []byte, scripts int) [][]call {
	t.Helper()
	all, ended := make([][]call, scripts), 0
	fields := bytes.Split(out, []byte{0})
	for len(fields) > 1 {
		at := bytes.LastIndexByte(fields[0], 1) // behind what others have printed
		if at < 0 {
			fields = fields[1:]
			continue
		}
		head := string(fields[0][at+1:])
		if head == "end" {
			fields, ended = fields[1:], ended+1
			continue
		}
		which, count, is := strings.Cut(head, ":") // a job may print when the next script runs
		if !is {
			which, count = strconv.Itoa(ended), head
		}
		i, err := strconv.Atoi(which)
		n, err2 := strconv.Atoi(count)
		if err != nil || err2 != nil || i >= scripts || n+1 > len(fields) {
			t.Fatalf("%s: damaged output %.200q", shell, fields)
		}
		c := call{dir: paths.Clean("/", string(fields[1])), argv: []string{"rm"}}
		for _, f := range fields[2 : n+1] {
			c.argv = append(c.argv, string(f))
		}
		all[i], fields = append(all[i], c), fields[n+1:]
	}
	if ended != scripts {
		t.Fatalf("%s: %d of %d scripts", shell, ended, scripts)
	}
	return all
}

var agreeSetups = []string{
	"x=a/b/c", "x=", "unset x", "x='1 2'", "x='a*'", "x=aXb", "x=010",
}

var agreeWords = []string{
	"$x", `"$x"`, "${x////-}", "${x///-}", "${x//\\//-}", "${x/\\//-}", "${x////}", "${x///}", "${x/////-}", `"${x////-}"`,
	"${x/#/p}", "${x/%/p}", "${x/#a/p}", "${x/%c/p}", "${x//#a/p}", "${x/*/p}", "${x//*/p}", "${x//?/p}", `"${x/'/'/-}"`, `"${x/a/\q}"`, "${x/a/\\q}", `"${x//"/"/-}"`,
	"${x#<->}", "${x%%<1-3>}", "${x#*/}", "${x##*/}", "${x%/*}", "${x%%/*}", "${x#a}", "${x#\"a\"}", "${x#'a'}", `"${x#'a'}"`, "${x#[a-c]}", "${x#[!a]}", "${x#[^a]}", "${x%(b|c)}", "${x#a|b}", "${x#^a}", "${x#~a}",
	"${x:-d}", "${x-d}", "${x:+d}", "${x+d}", "${x:=d}", "${x:-{p,q}}", `"${x:-{p,q}}"`, "${x:-'d e'}", `"${x:-'d'}"`, "${x:-~}", `"${x:-~}"`, "${x:-\\~}", "${x:-a b}", `${x:-"a b"}`,
	"${x:0}", "${x:1}", "${x:1:2}", "${x: -1}", "${x:0:-1}", "${x:0:0}", "${x:$((1+1))}", "${x:7}", "${#x}", "${x^^}", "${x,,}", "${x^}", "${x@Q}", "${x@U}",
	"$((x))", "$((1+x))", "$((010))", "$((1<<1+1))", "$((6&3==3))", "$((1|2==2))", "$((2**3))", "$((7/2))", "$((-7/2))", "$((-7%3))", "$((5?1:2))", "$((1,2))", "$((10#08))", "$((0x1F))", "$((2#101))", "$((!0))", "$((~0))", "$((-2**2))", "$((2**3**2))", "$((1<2<3))", "$((1^3))", "$((3^1&1))", "$((1||0&&0))",
}

// agreeScripts are about more than one word.
var agreeScripts = strings.Split(strings.TrimSpace(`
rm $'a\/b' $'\.env' $'\q' $'\cA' $'a\nb' $'\x41' $'\101' $'\u41' $'\e' $'\'' $'\?'
rm $'\/x'
rm $'\cA'
rm $'src/\c/../../../m'
rm $'\x4g' $'\x41'
set -- a b c d e f g h i j k; rm $10
x=abc; rm $#x
x=abc; rm "$#x"
set -- a b; rm $#
a=(x q); a=z; rm "${a[@]}"
a=(x q); a=z; rm ${#a[@]}
n=3; rm {1..$n}
rm {a,} q
rm {,a} q
rm {,}
rm x{,a}
rm {1..3} {c..a} {01..03} {a,b}{c,d}
rm {1..a}
rm {a..1}
rm {a..e..2}
rm {1..5..2}
rm {1..5..-2}
rm {5..1..2}
rm {1..3..0}
rm {01..010..3}
rm {-1..1}
rm {+1..3}
rm {-..0}
rm {A..c}
rm {..2} {1..}
rm {1..2..}
rm {"1"..3}
rm {a,$(echo b c)}
x=1; rm {a,$x}
rm {a,'b c'} {a,"b"} {a\,b,c}
export x={a,b}; rm "$x"
declare x={a,b}; rm "$x"
x={a,b}; rm "$x"
rm ~/a ~ "~" \~ a~ ~"/m" ~\/m
y=/m; rm ~$y
rm ~""/m
rm ~+ ~-
rm a=~/b
rm a=~
x=a=~; rm "$x"
x=a:~; rm "$x"
x=~:~; rm "$x"
x=a:; y=$x~; rm "$y"
x=a:=ls; rm "$x"
x==ls; rm "$x"
rm =ls
rm a=b =
set --; rm q "${@-build}"
set --; rm q "${@:-build}"
set -- ''; rm q "${@:-build}"
set --; rm q "$@"
unset a; rm "${a[@]}"
a=(); rm "${a[@]}"
set -- "${a[@]}"; rm $#
set -- .. m; IFS=/ x=$*; rm "$x"
set -- .. m; IFS=/; x=$*; rm "$x"
set -- .. m; IFS=/; x="$*"; rm "$x"
set -- .. m; IFS=/; x=$@; rm "$x"
set -- .. m; IFS=/; x="$@"; rm "$x"
set -- .. m; x=$*; rm "$x"
set -- .. m; x=$@; rm "$x"
f() { local IFS=/; local r=$*; rm "$r"; }; f .. m
a=(.. docs); IFS=/; y=${a[*]}; rm "$y"
set -- .. m; IFS=/; y=x${1:+$*}; rm "$y"
set + a; rm "$@"
set - a; rm "$@"
set -- a; rm "$@"
set a b; rm "$@"
IFS=: set -- a; y=q; read x y <<< "a/b ../PWN"; rm "$y"
IFS=:; read x <<< 'a:'; rm "$x"
IFS=: read -r x <<< 'a:'; rm "$x"
IFS=: read -r x y <<< 'a:b:'; rm "$x" "$y"
IFS=: read -r x y <<< 'a:b:c'; rm "$x" "$y"
read -r x y <<< ' a  b c '; rm "$x" "$y"
((y=16#f)); rm "$y"
y=$((16#f)); rm "$y"
((y=10#08)); rm "$y"
x=; declare -i x; rm "$x"
declare -i x; rm "$x"
declare -i x=3; rm "$x"
IFS=1; set -- $((121)); rm "$@"
let x=3; rm "$x"
x=a; eval -- "x=q"; rm "$x"
x=a; builtin local x=q; rm "$x"
x=build; f() { declare -x x=../docs; }; f; rm $x
x=build; f() { typeset x=../docs; }; f; rm $x
x=build; f() { local -x x=../docs; }; f; rm $x
x=q; rm "${x[-1]}"
x=q; rm "${x[0]}"
x=q; rm "${x[1]}"
x=q; rm "${x[@]}"
a=(p q); rm "${a[@]}" "${a[*]}" ${#a[@]}
a=(p q); rm "$a"
a=(p q); rm "${a[1]}"
a=(p q); rm "${a[-1]}"
a=(p q r); rm "${a[@]:1}"
a=(p q r); rm "${a[@]:1:1}"
a=(p q r); rm "${a[@]/p/z}" "${a[@]#q}"
a=(p q r); a+=(s); rm "${a[@]}"
a=(p q); a+=x; rm "${a[@]}"
a=(p '' r); rm ${a[@]}
a=(p '' r); rm "${a[@]}"
a=('p q' r); rm ${a[@]}
a=(p q); for i in "${!a[@]}"; do rm "$i"; done
set -- p q r; rm "${@:2}" "${@:1:1}" "${*:2}"
set -- p q r; rm "${@#p}" "${@/q/z}"
set -- p q r; shift; rm "$@"
set -- p q r; rm "${#@}" "${#*}" "$#"
set -- 'a b' c; rm $* $@
set -- '' c; rm $*
x='a b'; rm $x
x='a b'; rm "$x"$x
x=é; rm "${x%?}" "${x#?}" "${#x}"
x=1; rm "${x:+a\}}"
x=1; rm "${x:+a\"b}" "${x:+\$}"
x=; rm "${x:-a\}b}"
n=1; rm $[n+1]
x=a; rm "\$x" "\q" "\"" "a\
b"
y=a; x=abc; rm "${x//"$y"/z}" ${x//"$y"/z} ${x//$y/z} "${x//$y/z}"
y=a; x=abc; rm "${x#"$y"}" "${x#$y}" ${x#"$y"}
y='a*'; x=abc; rm "${x#"$y"}" "${x#$y}"
x=abc; rm "${x#a*}" "${x##a*}" "${x%c*}" "${x%%b*}" "${x%[bc]}"
x=; y=q; : ${x:=$y}; rm "$x"
x=abc; rm "${x::2}" "${x:0:2}"
x=abc; rm ${x:(-2)} ${x: -2:1}
x=abc; case $x in a*) rm y;; *) rm n;; esac
x=$(printf 'a\n\n'); rm "$x"
x=$(printf '%s' a b); rm "$x"
x=$(echo -e 'a\tb'); rm "$x"
x=$(echo -n a); rm "$x"
x=$(echo - a); rm "$x"
x=$(echo -- a); rm "$x"
x=$(echo 'a\nb'); rm "$x"
x=$(echo -e q); rm "$x"
x=$(echo -nn q); rm "$x"
x=$(echo -E q); rm "$x"
x=$(printf '..%%' 2>/dev/null); rm "$x"
x=$(printf '..%' 2>/dev/null); rm "$x"
x=$(printf %d); rm "$x"
x=$(printf '\x61'); rm "$x"
x=$(printf '\0101\101'); rm "$x"
x=$(printf '%b' '\x61\n'); rm "$x"
x=$(printf '%q' 'a b'); rm "$x"
x=$(printf '%5s|%-3s|%03d' a b 7); rm "$x"
i=0; while [ $i -lt 2 ]; do i=$((i+1)); done; rm "$i"
n=0; : $((++n)); rm "$n"
n=0; : $((n++)); rm "$n"
n=0; n=$((n+1)); rm "$n"
x=; set -- $x; rm $#
x=a; x=b y=$x; rm "$y"
x=a; x+=b; rm "$x"
x=abc; x=${x#a} y=$x; rm "$x$y"
f() { echo "$1"; }; x=$(f a); rm "$x"
x=q; f() { trap 'x=../PWN' EXIT; }; f; rm $x
x=q; x=../PWN hash -r; rm $x
x=q; x=../PWN :; rm $x
x=q; x=../PWN eval :; rm $x
set -- q; read -n 1 <<< ../PWN; rm "$1"
x=q; y=$(read -e x <<< "../PWN"; echo q); rm $y
x=../PWN; eval 'x=q; : }'; rm "$x"
y='q z=../PWN'; z=q; \export x=$y; rm $z
y='q z=../PWN'; z=q; command export x=$y; rm $z
y='q z=../PWN'; z=q; export x=$y; rm $z
watch=build; WATCH=../docs; rm $watch
x=../docs; eval 'status=$?; x=build'; rm $x
x=$(status=3; echo q); rm "src/$x"
x=$(set -e; false; echo q); rm "src/$x"
x=$(set -e; [ -d nosuch ]; echo q); rm "src/$x"
x=$(set -u; : $nosuch; echo q); rm "src/$x"
set -u; z=$(x=$nosuch; echo q); rm "src/$z"
x=$(echo q < nosuch); rm "src/$x"
x=$(echo q 2> nosuch/x); rm "src/$x"
x=$(timeout x echo q); rm "src/$x"
x=$(set -n; echo q); rm "src/$x"
x=$(set -o; echo q); rm "$x"
x=$(echo q &>/dev/null); rm "$x"
cd src &>/dev/null; rm x
x=../docs; x=build &>/dev/null; rm $x
x=$(sh -c 'echo ${x:1}'); rm "src/$x"
echo q > build/f; d=$(<build/f); rm "src/$d"
x=abc; rm ${x:1}
set -- a b; x=${#@}; rm "$x"
set -- ../m b; shift $(($#-1)); rm "$1"
set -- ../m b; shift $(( $# - 1 )); rm "$1"
OLDPWD=/home; rm ~-
declare -A a=([x]=build [x]=../docs); rm "${a[x]}"
declare -lu x=Ab; rm "$x"
a=x/../../PWN; rm "src${a[@]:1}"
a=(); x="${a[@]+q}"; rm "src/$x"
a=("${nosuch[@]}"); x="${a[@]+q}"; rm "src/$x"
a=(aa ab); y="${a[*]/a/z}"; rm "$y"
unset b; x="${b[*]/#/q}"; rm "src/$x"
x=abc; y=${#x[@]}; rm "$y"
f() { local i; for i in 1; do local y=$i; local y; done; echo q; }; x=$(f); rm "$x"
f() { local y; local y; y=2; echo q; }; x=$(f); rm "$x"
f() { local -g x=build; }; x=../docs; f; rm $x
f() { typeset +x x=../docs; }; x=build; f; rm $x
x=q; local x=../PWN; f() { local x=b; }; f; rm "$x"
readonly x=q; f() { local x; rm "src/${x:-../PWN}"; }; f
readonly x=q; f() { local x=p; rm "src/$x"; }; f
x=p; f() { true | eval return; x=q; }; f; rm "src/$x"
x=p; f() { eval 'x=r; return' | cat; x=q; }; f; rm "src/$x"
x=p; f() { true | builtin return; x=q; }; f; rm "src/$x"
x=p; f() { eval return & wait; x=q; }; f; rm "src/$x"
x=p; f() { true | return; x=q; }; f; rm "src/$x"
readonly x; f() { local x=p; rm "src/${x:-q}"; }; f
f() { local -r x=p; g; }; g() { declare x; x=q; rm "src/${x:-r}"; }; f
x=p; f() { [ -d src ] && return && x=q; }; f; rm "src/$x"
x=p; for i in 1 2; do [ $i = 2 ] && continue && x=q$i && y=r; done; rm "src/$x" "src/$y"
x=p; f() { return 1 || x=q; }; f; rm "src/$x"
x=p; f() { { return; } && (( y = 3 )) && x=q; }; f; rm "src/$x" "src/$y"
x=p; for i in 1; do break && x=$(echo q); done; rm "src/$x"
x=p; f() { eval return && [[ -n ${y:=r} ]] && x=q; }; f; rm "src/$x" "src/$y"
x=0; rm src/~"0" ~"0" ~$x ~\0
x=../PWN; eval 'export x+=/../proj/q'; rm "$x"
declare -u x; x=a eval 'y=${x#a}'; rm "src$y"
z=$(eval ': ${nosuch?}'; echo q); rm "src/$z"
z=$(eval 'y=$((1/0))'; echo q); rm "src/$z"
z=$(declare -A m=(a); echo q); rm "src/$z"
z=$(a=(1); export a=2; echo q); rm "src/$z"
z=$(OPTIND=a; echo q); rm "src/$z"
z=$(readonly r; r=1 :; echo q); rm "src/$z"
z=$(select i in a; do :; done </dev/null 2>/dev/null; echo q); rm "src/$z"
echo DIR=build > env.sh; DIR=../docs; . env.sh; rm "$DIR"
echo DIR=build > env.sh; DIR=../docs; . ./env.sh; rm "$DIR"
echo ../x > build/o | while read l; do rm "$l"; done
echo a | while read l; do rm "$l"; done <<< b
x=$(echo ../../m > build/o | cat); rm "src/$x"
x=$(hash; echo q); rm "$x"
x=$(set +o; echo q); rm "src/$x"
x=$(shopt nullglob; echo q); rm "src/$x"
x=$(cd src; echo q); rm "$x"
CDPATH=..; x=$(cd src; echo q); rm "$x"
x='\'; y='a\b'; rm "${y/$x/q}"
x=a-b_c.d; rm "${x//[^a-z0-9\-_]/}"
x='é../m'; rm "${x#?}"
x=$(sh -c 'echo "$0"'); rm "$x"
x=$(bash -c 'echo "$0" "$1"' a b); rm "$x"
echo 'echo "$0"' > build/s; x=$(bash build/s); rm "$x"
set -E; trap 'echo ../m' ERR; x=$(echo q; false); rm "src/$x"
trap 'echo ../m' ERR; x=$(echo q; false); rm "src/$x"
trap 'echo ../m' DEBUG; x=$(echo q); rm "src/$x"
set -T; trap 'echo ../m' DEBUG; x=$(echo q); rm "src/$x"
set -T; trap 'echo ../m' RETURN; f() { echo q; }; x=$(f); rm "src/$x"
trap 'echo ../m' EXIT; x=$(echo q); rm "src/$x"
trap '' ERR; x=$(trap); rm "src/$x"
trap 'ls' EXIT; x=$(trap -p); rm "src/$x"
x=$(trap -l; echo q); rm "src/$x"
x=../m; ((x=1/0)); rm "$x"
x=../m; y=0; ((x=3/y)); rm "$x"
x=../m; let x=1/0; rm "$x"
x=../m; let x=08; rm "$x"
x=../m; ((x="")); rm "$x"
x=../m; y=; ((x=$y)); rm "$x"
x=../m; ((x=2**-1)); rm "$x"
x=../m; ((y=1/0,x=1)); rm "$x"
x=2; ((x=1, y=1/0, x=2)); rm "$x"
x=../m; for ((x=1/0;0;)); do :; done; rm "$x"
x=../m; for ((i=0;i<1;x=1/0)); do i=1; done; rm "$x"
x=../m; f() { local x=../m; ((x=1/0)); rm "$x"; }; f
x=../m; let x=IFS; rm "$x"
((y=0x2)); rm "$y"
let y=0x10; rm "$y"
declare -i y=0x10; rm "$y"
x=07; declare -i x; rm "$x"
x=q; declare -f x=(../m); rm "$x"
x=q; local -f x=(../m); rm "$x"
x=q; f() { local -f x=(../m); rm "$x"; }; f
z=$(typeset -a "x="; echo q); rm "src/$z"
z=$(declare -F r="("; echo q); rm "src/$z"
declare -F z; z=; rm "src/$z"
declare -F z=; z=q; rm "src/$z"
f() { local -F z; z=3; rm "src/$z"; }; f
set -- a; set -; rm "src/$1"
set -- a; x=$(set -; echo "$@"); rm "src/$x"
rm "${#:-q}"
x=${#:+q}; rm "src/$x"
x=$(cat <<< a <<< b); rm "src/$x"
x=$(echo a | cat <<< b); rm "src/$x"
echo a | cat <<< b > build/f; rm "src/$(<build/f)"
echo a | cat > build/f | cat; rm "src/$(<build/f)"
a=x; x=b; read x < <(echo "p${!a[@]}"); rm "src/$x"
{ set -u; : $nosuch; echo q; } | { read z; rm "src/$z"; }
z=$(declare -gA x=; echo q); rm "src/$z"
x=q; builtin declare +n x=z; rm "$x"
x=q; export +x x=z; rm "$x"
read <<< ' a b '; rm "$REPLY"
n=1; x=${y:n++:1}; rm "$n"
n=1; x=${y#$((n++))}; rm "$n"
n=1; x=${y/a/$((n++))}; rm "$n"
n=1; y=abc; x=${y:5:n++}; rm "$n"
x=../m; cat <<< $((x=1)); rm "$x"
unset x; cat <<< ${x:=q}; rm "src/$x"
unset x; ls > ${x:=build/f}; rm "src/$x"
unset x; read y <<< ${x:=q}; rm "src/$x"
unset x; y=${x:=q} ls; rm "src/$x"
unset x; : > ${x:=build/f}; rm "src/$x"
n=1; x=$((n++)) ls; rm "$n"
x=../m; let y=1/0 x=3; rm "$x"
read -a a <<< q; rm "src/${a[*]}"
a=(x); read -ra a <<< q; rm "src/${a[*]}"
read -p q x <<< a; rm "src/$x"
x=b; read -p q x <<< a; rm "src/$x"
y=$(set -B; echo q); rm "src/$y"
y=$(export z+; echo q); rm "src/$y"
y=$(typeset z+; echo q); rm "src/$y"
x=$(echo q 10>/dev/null); rm "src/$x"
declare HOME; rm "$HOME"
export HOME; rm "$HOME"
readonly HOME; rm "$HOME"
x=$(declare -p HOME; echo q); rm "src/$x"
f() { echo; }; x=$(declare -f f; echo q); rm "src/$x"
f() { echo; }; x=$(typeset -f f; echo q); rm "src/$x"
z=$(echo < nosuch; echo q); rm "src/$z"
z=$(exec 1<&0; echo q); rm "src/$z"
z=$(exec 1< build; echo q); rm "src/$z"
z=$(echo q 1< /dev/null); rm "src/$z"
{ exec 1<&0; echo q; } | { read z; rm "src/$z"; }
z=$(exec 3>&1 1<&0; echo q); rm "src/$z"
z=$(exec 3>&1; exec 1>/dev/null; echo a; exec 1>&3; echo q); rm "src/$z"
z=$(for 1x in a; do :; done; echo q); rm "src/$z"
x=p; eval 'for 1x in a; do :; done; x=q'; rm "$x"
x=p; eval 'local -il HOME; x=q'; rm "$x"
x=p; eval 'typeset -ga HOME; x=q'; rm "$x"
x=p; eval 'readonly m=([k]=v); x=q'; rm "$x"
x=p; eval 'exec -a; x=q'; rm "$x"
z=$(typeset path; echo q); rm "src/$z"
z=$(local PATH; echo q); rm "src/$z"
z=$(set -e; true 3>&9; echo q); rm "src/$z"
z=$(if 2>/dev/null; then :; fi <<< q); rm "src/$z"
f() { return x=5; }; x=7; f; rm "$x"
set -- a b; x=p; shift x=1; rm "$x"
for x in a=~/m s:~/m a=b:~ x=~:~ 1=~ {a,b}=~/m; do rm "$x"; done
set -- a b; rm "${u:-$@}"
set -- a b; rm "${u:-"$@"}"
set -- a b; rm "x${u-y$@}z"
set -- a b; v=$(cat nosuch); rm "${v:+$@}"
set -- a b; v=$(cat nosuch); rm "${v+$@}"
a=(p q); k=("${u:-${a[@]}}"); rm "${#k[@]}"
set -- a ../m; set -- "${u:-$@}"; rm "${2:-q}"
a=(p); rm q "${a[@]: -2:1}"
a=(p); rm q "${a[@]: -1}"
a=(p r); rm q "${a[@]: -2}"
a=(p r); rm q "${a[@]: -5:2}"
a=(p r); rm q "${a[*]: -3}"
set -- p; rm q "${@: -1}"
set -- p; rm q "${@: -3:1}"
set -- p r; rm q "${@: -2}"
x=ab; rm q "${x: -3}"
x=ab; rm q "${x: -2}"
y=1; x=p; unset -- x=q; rm "$x" "$y"
x=p; readonly r=1; eval 'echo l | read -r r; x=q'; rm "$x"
for i in 1 2; do for j in 1; do break i; done; rm "$i"; done
v=; rm {build,$v} x{$v,}
rm "${a[@]:1}" z
rm z "${@:2}" "${a[@]/x/y}"
set - {a..C}; rm "$@"
set -- $nosuch z; rm "$@"
a=($nosuch z); rm "${a[@]}" q
x='a b'; a=($x z); rm "${a[@]}" q
x='a b'; rm "p"$x q
x=build; echo ../docs | while read -r x; do break; done <<< build; rm "$x"
echo a | read -r x <<< b; rm "$x"
x=p; shift ++x; rm "$x"
OLDPWD=build; cd - >/dev/null; rm x
cd src && true & wait; rm x
cd src || true & wait; rm x
cd src && true && true & wait; rm x
x=1 && true & wait; rm "$x"
cd src && cd .. & wait; rm x
cd src; true && cd .. && true & wait; rm x
f() { cd src; }; f && true & wait; rm x
{ cd src && true; } & wait; rm x
! cd src && true & wait; rm x
cd src | true && true & wait; rm x
x=q; for f in a b; do x=$f && true & done; wait; rm "src/$x"
set -- a b && true & wait; rm "$1"
exit 3 && true & wait; rm x
f() { return 1 && true & wait; rm y; }; f; rm x
eval 'x=\'; rm "$x"
eval 'rm q\'
typeset a; rm "${a[@]}" q
typeset a; rm ${a[@]} q
a=$(true); rm "${a[@]}" q
cd src; OLDPWD=/; cd - >/dev/null; rm "$OLDPWD"
cd src; cd ../build; unset OLDPWD; cd - >/dev/null; rm x
cd src; cd - >/dev/null && rm x "$OLDPWD"
cd src; (cd ../build); cd - >/dev/null && rm x
cd src; PWD=/; cd ../build; cd - >/dev/null && rm x
f() { local OLDPWD=/; cd - >/dev/null; rm x; }; cd src; f; cd - >/dev/null; rm y
h() { :; }; rm "$(command -v h)"
rm "$(command -v echo)" "$(command -v cd)" "$(command -v if)"
alias h=a; rm "$(command -v h)"
n=; set -- {1..$n} q; rm "$@"
n=3; i=x; for i in {1..$n}; do :; done; rm "$i"
i=x; for i in $(echo q < nosuch); do :; done; rm "$i"
rm "${!a[@]}" q
unset 'a[5]'; rm "${!a[@]}" q
vq1=a vq2=b; rm ${!vq*} "${!vq@}" x"${!vq@}"y "${!vq*}" ${!nosuch*} "${!nosuch@}" "${!nosuch*}"
vq1=a vq2=b; x=${!vq*} y=${!nosuch@}; rm "$x" "$y"
vq1=a vq2=b; a=(${!vq*} "${!vq@}"); rm "${a[@]}"
x=; rm $x~ "$x"~ ""~ $x~/a $nosuch~/b $(true)~ {,a}~
x=; rm $x=cat "$x"=cat ''=cat
x=; a=($x~ "$x"~/b $x=cat); y=$x~ z=$x=cat; rm "${a[@]}" "$y" "$z"
x=a; rm $x~ "$x"~/b $x=cat a~
rm "$ß" a$é 'b$é' "\$é"
x=a; rm "$xé" $xé/b "${x}é" "$x€" "$1é" "$x-é"
a=(); rm "${a[@]/a/b}" "${a[@]#a}" "${a[@]:0}" q
rm {1..1} x{a..a}
rm $"abc" x$"d" $""
rm $- q
y=; rm q ${y/'%'/1} ${y/'#'/1} ${y/\%/1}
y=a%b; rm ${y/'%'/1} "${y/\%/1}" ${y/%b/1} ${y/"%b"/1} ${y#'a%'} ${y%'%b'} ${y//'%'/1} ${y//\%b/1}
y=#a; p='#'; rm ${y/'#'/1} ${y/$p/1} "${y/"$p"/1}" ${y#'#'}
x=(a k); rm ${x+''} q
x=(a k); rm ${x:+''} ${x:-''} ${nosuch-''} ${nosuch:-""} q
y=q; rm "${y:+"a\b"}" "${y:+a\b}" "${nosuch:-"a\$b"}" "${y:+"$y"}"
IFS=:; a=(x '' z); rm ${a[@]} ${a[*]} q
IFS=:; set -- x '' z ''; rm $@ $* q
set -- x '' z ''; rm $@ $* q
f() { rm "$@" q; }; f {'',}; f {a,}; a=({'',} {a,}); f "${a[@]}"
IFS=:; a=(x '' z); b=(${a[@]}); rm "${b[@]}" "$#"; x=(a k); b=(${x+''}); rm "${b[@]}" q
i=x; for i in {'',}; do :; done; rm "$i"; i=x; for i in {,}; do :; done; rm "$i"
`), "\n")

// TestKeysOfScalars has shells list the keys of variables that may have no value, and of others.
func TestKeysOfScalars(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, setup := range []string{
		"j=b", "j=", "unset j", "j=b; unset j", "echo a | read -r j", "echo a | { read -r j; }", "echo a | while read -r j; do :; done", "true | { j=b; }", "true | j=b", "j=a; true | unset j", "declare j", "export j", "typeset j", "declare -i j", "declare -i j=3", "declare -x j=b", "readonly j=b", "printf -v j %d zz", "printf -v j %s b", "printf -v 'j[' b", "j=1 export k", "j=1 true", "j=1 eval :", "j=1; export j",
		"if [ -e nosuch ]; then j=b; fi", "if [ -e src ]; then j=b; fi", "[ -e nosuch ] && j=b", "for j in; do :; done", "for j in b; do :; done", "for j in *.none; do :; done", "read -r j <<< b", "read -r j </dev/null", "j=$(true)", "j=${none-}", "j=${none:-b}", "(j=b)", "f() { local j; :; }; f", "f() { j=b; }; f", "f() { local j=b; }; f", "declare -n r=j; r=b", "unset j; : ${j:=b}", "unset j; : ${j=}", "((j=1))", "((j))", "getopts a j -- -a", "getopts a j", "mapfile j <<< b", "mapfile j </dev/null", "j=(a b)", "j=()", "declare -a j", "declare -A j", "declare -A j=([k]=v)", "j[3]=x", "j=a; j[3]=x", "j=(a b); unset 'j[0]'", "j+=b", "j+=()", "let j=1", "exec {j}>/dev/null", "select j in a; do break; done </dev/null", "set -- a; j=$1", "set --; j=$1", "eval j=b", "eval unset j", "while read -r j; do break; done <<< b", "until read -r j; do break; done </dev/null",
	} {
		for _, use := range []string{`rm "x${!j[@]}y"`, `rm "${!j[@]}"`, `rm q ${!j[@]}`, `rm "x${!j[*]}y"`, `for k in "${!j[@]}"; do rm "$k"; done`, `v="${!j[*]}"; rm "x$v"`, `v="${!j[@]}"; rm "x$v"`, `v=${!j[@]}; rm "x$v"`, `f() { rm "x${!j[@]}y"; }; f`} {
			list = append(list, setup+"; "+use)
		}
	}
	for _, use := range []string{`rm "x${j[0]}"`, `rm "x${j[1]}y"`, `rm "x$j"`, `rm "x$j_PID"`, `rm "x${j[*]}"`} {
		list = append(list, "coproc j { :; }; wait; "+use, "coproc j { read -r x; }; "+use)
	}
	agree(t, list, true, "bash", "zsh")
	agreeByBash(t, list)
}

// agreeByBash is agree for a machine on which bash runs the scripts.
func agreeByBash(t *testing.T, list []string) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "src"), 0o755))
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed; install the package bash")
	}
	w := &tool.World{Home: filepath.Dir(dir), Project: dir, ReadFile: os.ReadFile, Readlink: os.Readlink}
	list = sample(list)
	for i, calls := range ranBy(t, bash, nil, dir, list) {
		res := Resolve(list[i], dir, w, testLibrary(t))
		for _, c := range calls {
			if !hasGap(res) && !seen(res, c) {
				t.Errorf("bash runs %.300q for %q, believed%s", c.argv, list[i], believed(res))
			}
		}
	}
}

// TestTildesInPatterns has shells replace what a pattern with a tilde matches: zsh expands one behind an anchor.
func TestTildesInPatterns(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, x := range []string{"$HOME/a", "$HOME", `"~/a"`, "'~'", "/a", "a~", `"a~/b"`, `"$PWD/src"`, "/r$HOME/a", "a$HOME", "~/a"} {
		for _, pattern := range []string{`/#~`, `/#~\/a`, `/#\~`, `/#"~"`, `/#'~'`, `/%~`, `/%~\/a`, `/~`, `//~`, `/~\/a`, `//~\/`, `/#~root`, `/#~+`, `/#~-`, `/#~*`, `/#~?`, `/#~\/?`, `/#$t`, `/#a~`, `//#~`, `/#~a`} {
			for _, with := range []string{"/$HOME", "/q", "/", "", `/..`} {
				list = append(list, "t='~'; x="+x+`; rm "${x`+pattern+with+`}"`, "t='~'; x="+x+"; y=${x"+pattern+with+"}; rm \"$y\"", "HOME=/r; t='~'; x="+x+`; rm "${x`+pattern+with+`}"`)
			}
		}
	}
	list = every(4, list)
	for _, op := range []string{"#~", "##~", "%~", "#~/", "%~/a", "#\\~", "#\"~\"", "%%~*", "##~*"} {
		for _, x := range []string{"$HOME/a", `"~/a"`, "a$HOME", "~/a"} {
			list = append(list, "x="+x+`; rm "${x`+op+`}"`, "x="+x+"; rm ${x"+op+"}")
		}
	}
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
}
