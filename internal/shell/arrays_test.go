package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestKeysAgree writes and reads elements of associative arrays with keys that are quoted in different ways, or have blanks beside them, and
// holds what the reader takes them for against what shells do.
func TestKeysAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	keys := []string{"k", `"k"`, "'k'", "$x", `"$x"`, `"${x}"`, `k""`, `"k"''`, " k ", "k ", " k", `\k`, "$'k'", `"$(echo k)"`, "$(echo k)", `"a b"`, `"$y"`, "$y", `"${x:-j}"`, `""`, "j"}
	var list []string
	for i, write := range keys {
		for j, read := range keys {
			list = append(list,
				"x=k y='a b'; declare -A m; m["+write+"]=v; rm \"${m["+read+"]}\" ${m["+read+"]:-none}",
				"x=k y='a b'; declare -A m=(["+write+"]=v [z]=w); rm \"${m["+read+"]}\"")
			switch (i + j) % 5 {
			case 0:
				list = append(list, "x=k y='a b'; declare -A m=([k]=u); m["+write+"]=v; m["+read+"]+=w; rm \"${m[k]}\" \"${#m[@]}\"")
			case 1:
				list = append(list, "x=k y='a b'; declare -A m=([k]=1); ((m["+write+"]++)); ((m["+read+"]+=2)); rm \"${m["+read+"]}\" \"${m[k]}\"")
			case 2:
				list = append(list, "x=k y='a b'; declare -A m=([k]=u); m["+write+"]=v; m+=(["+read+"]=w); rm \"${m[k]}\" \"${m["+read+"]}\"")
			case 3:
				list = append(list, "x=k y='a b'; declare -A m=([k]=u); m["+write+"]=v; unset 'm["+strings.ReplaceAll(read, "'", `'\''`)+"]'; rm \"${m[k]}\" \"${m["+write+"]}\"")
			case 4:
				list = append(list, "x=k y='a b'; declare -A m; m["+write+"]=v; [[ -n ${m["+read+"]} ]] && rm yes; [[ -v m["+read+"] ]] && rm set; rm \"$((m["+read+"]+1))\"")
			}
		}
	}
	agree(t, list, true, "bash", "zsh")
	agreeInBash(t, every(2, list))
	agree(t, every(7, list), false, "bash", "dash")
	t.Logf("%d scripts", len(list))
}

// TestOrderAgrees uses associative arrays in ways in which the order of their elements counts, or does not: shells have orders of their own.
func TestOrderAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	arrays := []string{
		"declare -A m=()", "declare -A m=([k]=v)", "declare -A m=([k]=v [x]=w)", "declare -A m=([a]=v [b]=w)", "declare -A m=([x]=v [k]=w)", "declare -A m=([b]='a b' [a]=c)", "declare -A m=([k]= [x]=w)", "declare -A m=([k]=k [x]=k)",
		"declare -A m=([one]=v [two]=w [three]=x)", "declare -A m=([one]=rm [two]=q [three]=rm [four]=-f [five]=z)", "typeset -A m; m[k]=v; m[x]=w", "declare -A m=([k]=v); m[x]=w; m[a]=u; unset 'm[k]'", "declare -A m=([k]=v); m+=([x]=w)", "declare -A m=([k]=\"$none\" [x]=w)", "declare -A m=([k]=src/* [x]=w)", "declare -Au m=([k]=v [x]=w)",
	}
	uses := []string{
		`for i in "${m[@]}"; do rm "$i"; done`, `for i in "${m[@]}"; do rm "$i"; break; done`, `for i in "${m[@]}"; do :; done; rm "$i"`, `for i in "${m[@]}"; do d=$d$i; done; rm "$d"`, `for i in "${m[@]}"; do [ -z "$d" ] && d=$i; done; rm "$d"`, `n=0; for i in "${m[@]}"; do n=$((n+1)); rm "$n$i"; done; rm $n`,
		`for i in q "${m[@]}" z; do rm "$i" "$last"; last=$i; done`, `for i in "${m[@]}"; do for j in "${m[@]}"; do [ "$i" = "$j" ] || { rm "$i" "$j"; break 2; }; done; done`, `for i in "${m[@]}"; do a+=("$i"); done; rm "${a[@]}"`, `for i in ${m[@]}; do rm "$i"; break; done`, `for i in ${m[*]}; do rm "$i"; break; done`, `for i in "${m[*]}"; do rm "$i"; done`,
		`for i in "${!m[@]}"; do rm "$i" "${m[$i]}"; break; done`, `for i in "${!m[@]}"; do d=${m[$i]}; done; rm "$d"`, `for i in "${!m[@]}"; do rm "$i" "${m[$i]}"; done`, `rm "${!m[@]}"`, `rm "${!m[*]}"`, `a=("${!m[@]}"); rm "${a[0]}" "${m[${a[0]}]}"`, `for i in ${!m[@]}; do rm "$i"; break; done`,
		`set -- "${m[@]}"; rm "$1"`, `set -- "${m[@]}"; rm "$#" "$@"`, `set -- "${m[@]}"; shift; rm "$@"`, `set -- "${m[@]}"; rm "$*"`, `set -- "${m[@]}"; for i; do rm "$i"; break; done`, `set -- "${m[@]}"; for i; do rm "$i"; done`, `set -- q "${m[@]}"; rm "$1" "$2"`, `set -- "${m[@]}" q; rm "$1"`, `set -- "${m[@]}"; rm "${@:1:1}"`, `set -- "${m[@]}"; rm "${@: -1}"`, `set -- "${m[@]}"; while [ $# -gt 0 ]; do rm "$1"; shift; done`,
		`f() { rm "$1"; }; f "${m[@]}"`, `f() { rm "$2" "$@"; }; f q "${m[@]}"`, `f() { for i; do rm "$i"; return; done; }; f "${m[@]}"`, `f() { local a=("$@"); rm "${a[0]}"; }; f "${m[@]}"`, `f() { g "$@"; }; g() { rm "$1"; }; f "${m[@]}"`,
		`a=("${m[@]}"); rm "${a[0]}"`, `a=("${m[@]}"); rm "${a[@]}"`, `a=("${m[@]}"); rm "${a[*]}"`, `a=("${m[@]}"); for i in "${a[@]}"; do rm "$i"; break; done`, `a=("${m[@]}"); rm "${a[@]:0:1}"`, `a=(q "${m[@]}"); rm "${a[0]}" "${a[1]}"`, `a=("${m[@]}"); rm "${a[-1]}"`, `a=("${m[@]}"); b=("${a[@]}"); rm "${b[0]}"`, `a=("${m[@]}"); a[0]=q; rm "${a[@]}"`, `a=("${m[@]}"); unset 'a[0]'; rm "${a[@]}"`, `a=("${m[@]}"); for i in "${!a[@]}"; do rm "${a[$i]}"; break; done`, `a=("${m[@]}"); a+=(q); rm "${a[2]}"`,
		`rm "${m[@]}"`, `rm ${m[@]}`, `rm "x${m[@]}y"`, `rm "${m[*]}"`, `rm x"${m[*]}"`, `IFS=,; rm "${m[*]}"`, `IFS=; rm "${m[*]}"`, `rm "${m[@]/#/p}"`, `rm "${m[@]%w}"`, `for i in "${m[@]/#/p}"; do rm "$i"; break; done`, `rm "${m[@]:1}"`, `rm "${m[@]:0:1}"`, `rm "${m[@]^^}"`, `rm "${#m[@]}"`, `rm "${m[@]:-d}"`, `rm "x${m[@]:-d}y"`, `for i in "${m[@]:-d}"; do rm "$i"; break; done`, `for i in "${m[@]+${m[@]}}"; do rm "$i"; break; done`, `rm "${m[*]:+z}"`, `rm "$m"`,
		`d="${m[*]}"; rm "$d"`, `d=${m[@]}; rm "$d"`, `d="${m[@]}"; rm "${d%% *}"`, `d=$(echo "${m[@]}"); rm "$d"`, `d=$(printf '%s,' "${m[@]}"); rm "$d"`, `printf -v d '%s,' "${m[@]}"; rm "$d"`, `printf '%s\n' "${m[@]}" | while read -r i; do rm "$i"; break; done`, `read -r d <<< "${m[*]}"; rm "$d"`, `echo "${m[@]}" | { read -r d e; rm "$d"; }`, `d=$(printf '%s\n' "${m[@]}" | head -1); rm "$d"`, `true "${m[@]}"; rm "$_"`, `case "${m[*]}" in "v w") rm y;; *) rm n;; esac`, `case v in ${m[*]}) rm y;; *) rm n;; esac`, `[ "${m[*]}" = "v w" ] && rm y || rm n`, `[[ ${m[*]} == "v w" ]] && rm y || rm n`,
		`"${m[@]}"`, `eval "${m[@]}"`, `eval rm "${m[@]}"`, `rm "${m[@]}" last`, `command rm "${m[@]}"`, `export "${m[@]}"; rm q`, `cat <<< "${m[@]}" | { read -r d; rm "$d"; }`, "d=$(cat <<E\n${m[*]}\nE\n); rm \"$d\"",
		`r='m[@]'; rm "${!r}"`, `r='m[@]'; set -- "${!r}"; rm "$1"`, `r='m[k]'; rm "${!r}"`, `declare -n r=m; rm "${r[@]}"`, `declare -n r=m; set -- "${r[@]}"; rm "$1"`, `rm "${m[@]@Q}"`, `rm "${m[@]@K}"`, `mapfile -t a < <(printf '%s\n' "${m[@]}"); rm "${a[0]}"`, `x=${m[*]} rm q; rm "$x"`, `: "${d:=${m[*]}}"; rm "$d"`, `rm {"${m[@]}",q}`, `select i in "${m[@]}"; do rm "$i"; break; done <<< 1`,
	}
	var list []string
	for _, array := range arrays {
		for _, use := range uses {
			list = append(list, array+"; "+strings.ReplaceAll(use, `\n`, "\n"))
		}
	}
	agree(t, list, true, "bash", "zsh")
	agreeInBash(t, list)
	t.Logf("%d scripts", len(list))
}

// TestListsAgree uses lists of no, one and several elements, of which some are empty, a pattern or perhaps no word, with operators and
// separators of fields.
func TestListsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	lists := []string{"", "''", "'' ''", "v", "'' v", "v ''", "v w", "'a b' c", "v '' w x", "$none v w", "src/* v w", `"$none" v`, "$(cat none) v w", "$(echo p) v w", "build/* v w", "{p,q} v", `"$PWD" v`}
	uses := []string{"A", "${A-d}", "${A:-d}", "${A+d}", "${A:+d}", "${A+A}", "${A:+A}", "${A:-}", "${A+}", "${A:?}", "${A: -1}", "${A: -2}", "${A: -1:1}", "${A:1}", "${A:0}", "${A:0:1}", "${A:2}", "${A: -9}", "${#A}", "${A#v}", "${A/v/}", "${A:+$none}", "${A+d e}", "${A:-d e}"}
	ways := []string{
		`rm "U"`, "rm U", `rm "xU"`, `rm "Ux"`, `rm ""U`, `set -- "U" p q; rm "$2"`, `for i in "U" z; do rm "$i"; done`, `d="U"; rm "$d"`, `d=U; rm "$d"`, `b=("U" z); rm "${b[0]}" "${#b[@]}"`, `f() { rm "$#" "$1"; }; f "U" y`, `cd "U" 2>/dev/null; rm q`, `b=(U); rm "${b[@]}"`,
	}
	var list []string
	n := 0
	for _, given := range lists {
		for _, use := range uses {
			for _, way := range ways {
				for _, kind := range []string{"@", "*", "a[@]", "a[*]"} {
					for _, ifs := range []string{"", "IFS=; ", "IFS=,; "} {
						if n++; n%21 != 0 && !(given == "" && strings.ContainsAny(kind, "@") && ifs == "" || given == "'' ''" && ifs == "IFS=; ") {
							continue
						}
						setup := "set -- "
						if strings.HasPrefix(kind, "a") {
							setup = "a=("
						}
						setup += given
						if strings.HasPrefix(kind, "a") {
							setup += ")"
						}
						word := strings.ReplaceAll(strings.ReplaceAll(use, "${A", "${"+kind), "A", "${"+kind+"}")
						list = append(list, ifs+setup+"; "+strings.ReplaceAll(way, "U", word))
					}
				}
			}
		}
	}
	list = slices.DeleteFunc(list, func(s string) bool { return strings.Contains(s, ":0") || strings.Contains(s, ": -9") }) // which may show $0
	agree(t, list, true, "bash", "zsh")
	agreeInBash(t, list)
	t.Logf("%d scripts", len(list))
}

// TestElementsAgree replaces, adds to and removes elements of arrays, some of which may be no word or several, and names them by a text.
func TestElementsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	arrays := []string{
		"a=()", "a=(v)", "a=(v w x)", "a=($none v w)", "a=(v $none w)", "a=($(cat none) v w)", "a=(src/* v w)", "a=(build/* v w)", "shopt -s nullglob; a=(src/* v w)", "a=(v w src/*)", "a=([2]=v [5]=w)", "a=(v); a[3]=w", "declare -a a", "unset a", "a=v", "a=(1 2)", "a=($(echo p q) v)", "a=('' v)",
		"declare -ai a=(1 2 3)", "declare -ai a; a[0]=1", "declare -ia a=(1+1 x)", "declare -i a=4", "declare -la a=(V W)", "declare -ua a=(v w)", "declare -A a=([1]=v [k]=w)", "declare -lA a=([0]=V [1]=W)", "declare -uA a=([0]=v [1]=w)", "declare -iA a=([0]=1 [1]=2+2)", "declare -l a; a=(V W)", "declare -A a; declare -l a; a=([0]=V [1]=W)",
		"declare -cA a=([0]=v [1]=w)", "declare -rA a=([0]=v [1]=w)", "declare -lA a=([0]=V); a+=([1]=W)",
	}
	changes := []string{
		"", "a[1]=q", "a[0]=q", "a[1]+=q", "a[0]+=2", "a[1]+=2; a[1]+=3", "a[-1]=q", "a[7]=q", "unset 'a[1]'", "unset 'a[0]'", "unset 'a[-1]'", "a+=(q)", "a+=(5)", "a+=q", "a=q", "((a[1]+=2))", "((a[0]++))", "a[1]=q; a[0]=p", "a[0]=Q", "a+=([1]=Q)", "i=1; a[i]=q", "i=1; unset 'a[i]'", "a[1]=", "read -r 'a[1]' <<< q", "printf -v 'a[1]' q", "a=(\"${a[@]}\" q)", "a=(q \"${a[@]}\")", "a=(\"${a[@]:1}\")",
	}
	uses := []string{
		`rm "${a[@]}"`, `rm "${a[1]}"`, `rm "${a[0]}" "${#a[@]}"`, `for i in "${a[@]}"; do rm "$i"; done`, `r='a[1]'; rm "${!r}"`, `r='a[@]'; rm "${!r}"`, `r='a[@]'; set -- "${!r}"; rm "$2"`, `r='a[@]'; b=("${!r}"); rm "${b[1]}"`, `r='a[*]'; rm "${!r}"`, `r='a[-1]'; rm "${!r}"`, `r=a; rm "${!r}"`, `rm "${a[-1]}"`, `for i in "${!a[@]}"; do rm "$i" "${a[$i]}"; done`, `b=(p q r s t u v w x); rm "${b[${a[0]}]}"`, `r='a[0]'; rm "${!r:-d}" "${!r#v}"`, `r='a[@]'; rm "${!r/v/z}"`, `r='a[@]'; for i in "${!r}"; do rm "$i"; break; done`, `rm "$a"`,
	}
	var list []string
	for i, array := range arrays {
		for j, change := range changes {
			for k, use := range uses {
				if (i+j+k)%9 == 0 || change == "" {
					list = append(list, strings.TrimSuffix(array+"; "+change, "; ")+"; "+use)
				}
			}
		}
	}
	agree(t, list, true, "bash", "zsh")
	agreeInBash(t, list)
	t.Logf("%d scripts", len(list))
}

// TestBracesAgree puts braces beside lists and quotes.
func TestBracesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	beside := []string{
		`"${a[@]}"`, `"$@"`, "${a[@]}", "$@", "$*", `"$*"`, `"${a[*]}"`, `"${a[@]:1}"`, `"${w:-"it's"}"`, `"${w:-"its"}"`, `"${w:-it\'s}"`, `"b/${w:-"it's"}"`, `"${w:-"{p,q}"}"`, `"${w:-{p,q}}"`, `"${w:-"a,b"}"`, `"${w#"it's"}"`, `"${none:-"$w"}"`, `"${none:-"it's"}"`, `"${w:+"$@"}"`, `"${w/"A'"/z}"`, `"$w"`, `$w`, `'it'`, `"it's"`, `"$(echo "it's")"`, `"${w:-'"'}"`,
	}
	words := []string{"{U,z}", "U{1..3}", "{1,2}U", "x{U,U}y", "{z,x}/U", "{U}", "{aU,b}{c,d}", "{U,{x,U}}"}
	var list []string
	for _, setup := range []string{"w=Ab; a=(x y); set -- p q", "w=; a=(x); set -- p", "w=Ab; a=(); set --", "unset w; a=(x y z); set -- p '' q"} {
		for _, b := range beside {
			for _, word := range words {
				word = strings.ReplaceAll(word, "U", b)
				list = append(list, setup+"; rm "+word+" d", setup+"; set -- "+word+` y data; rm "$3"`)
			}
		}
	}
	agree(t, list, true, "bash", "zsh")
	agreeInBash(t, list)
	t.Logf("%d scripts", len(list))
}

// agreeInBash is agree for scripts that only bash is to run.
func agreeInBash(t *testing.T, list []string) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed; install the package bash")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, d := range []string{"src", "build/a"} {
		must(t, os.MkdirAll(filepath.Join(dir, d), 0o755))
	}
	w := &tool.World{Home: filepath.Dir(dir), Project: dir, ReadFile: os.ReadFile, Readlink: os.Readlink}
	lib := testLibrary(t)
	list = sample(list)
	for i, calls := range ranBy(t, bash, nil, dir, list) {
		res := Resolve(list[i], dir, w, lib)
		for _, c := range calls {
			if !hasGap(res) && !seen(res, c) {
				t.Errorf("bash runs %.300q for %q, believed%s", c.argv, list[i], believed(res))
			}
		}
	}
}
