package shell

import (
	"strings"
	"testing"
)

// TestOperandsAgree lets what stands behind an operator count, or give a variable its first value: it does so whatever becomes of the
// expansion, if the shell looks at it.
func TestOperandsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	setups := []string{"a=()", "a=(x)", "a=(x y)", `a=("")`, `a=("" "")`, "declare -A a=([k]=1 [j]=2)", "declare -A a=()", "unset a", "a=x", "a=", "a=(src/*)", "a=($none x)", "set --", "set -- x y", `set -- ""`}
	subjects := []string{"a[@]", "a[*]", "a", "a[1]", "!a[@]"}
	operators := []string{
		":-N", "-N", ":+N", "+N", ":=N", "=N", "?N", ":?N", "#N", "%%N", "/N/x", "/x/N", "^N", ":N", ":1:N", ":n++:1", ":0:n++", ":0:-1", ": -1:n++", ":-Y", "#Y", "/x/Y", ":+Y", "/Y/x",
	}
	var list []string
	n := 0
	for _, setup := range setups {
		subjects := subjects
		if strings.HasPrefix(setup, "set") {
			subjects = []string{"@", "*", "1"}
		}
		for _, subject := range subjects {
			for _, operator := range operators {
				for _, word := range []string{`"${U}"`, "${U}", `"p${U}q"`} {
					if n++; n%5 == 0 {
						word = strings.NewReplacer("U", subject+operator).Replace(word)
						list = append(list, "n=1 y=; "+setup+"; : "+strings.NewReplacer("N", "$((n++))", "Y", "${y:=z}").Replace(word)+`; rm "$n,$y,${#a[@]},$#"`)
					}
				}
			}
		}
	}
	agree(t, list, true, "bash", "zsh")
	agreeInBash(t, list)
	t.Logf("%d scripts", len(list))
}

// TestSubscriptsAgree lets subscripts and the elements of lists change what others of them are made of, declares arrays anew, and takes elements for
// the names of variables.
func TestSubscriptsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	changes := []string{
		"((a[n++]++))", "((a[n++]+=1))", "((++a[n++]))", "((a[++n]-=1))", "((a[n++]=7))", "((a[n=2]*=3))", "let 'a[n++]+=1'", "a[n++]+=5", "a[n++]=5", `: "${a[n++]@a}"`, `: "${zz[n++]@Q}"`, `: "${zz[n++]:-x}"`, `: "${#a[n++]}"`, "q=$((a[n++]+=2))",
		"a=([n]=$((n=1)) [n]=$((n=2)))", "a=([n=1]=x$n [n]=y$n)", "a=([n++]=x [n++]=y)", "a=(x$((n++)) [n]=y$n)", "a+=([n++]+=x [3]=$n)", "a=([0]=x [1]=${a[0]})", "a=([n]=x [n+1]=y)", "a=([1]=z [++n]=w [$n]=v)", "a=([0]=$((n++)) [1]=$((n++)))",
		"declare -i a", "declare -ai a", "declare -i a; a[0]+=1", "declare +i a", "declare 'a=(p q)'", `declare "a=($n q)"`, `x=p; declare "a=($x)"`, `declare "a=p"`, "declare -a 'a=(p q)'", `export "a=(p)"`, `f() { local "a=(p q)"; rm "${a[0]}" "${#a[@]}"; }; f`,
		`: "${a[@]:=z}"`, `: "${a[*]=z}"`, `: "${b[@]:=z}"; a=("${b[@]}")`, "declare -A m=([a[0]]=v); a=(\"${!m[@]}\")", "declare -A m; m[a[0]]=v; a=(\"${!m[@]}\")", "declare -A m=([2]=v); q=${m[a[0]]}; a=(\"$q\")",
		`q=('x[$(rm hidden)]'); : "${!q[@]:-k}"`, `q=('x[$(rm hidden)]'); : "${!q[@]#k}"`, `q=(a); : "${!q[@]:-k}"`, `q=(a); n=${!q[@]:0:1}`, `q=(v); v=7; n=${!q[*]#k}`, `set -- 'x[$(rm hidden)]'; : "${!1}"`, `set -- 'x[$(rm hidden)]'; : "${!@:-k}"`, `set -- 'x[$(rm hidden)]'; : "${!*}"`, `set -- a; n=${!1}`, `declare -a "q=(<(rm hidden))"`, `q='x[$(rm hidden)]'; declare -i q`, `q='1+1'; declare -i q; n=$q`,
		`q='x[$(rm hidden)]'; declare -A a; : "${a[q]}"`, `q='x[$(rm hidden)]'; declare -A a=([q]=1)`, `q='x[$(rm hidden)]'; declare -A a; a[q]=1`, `q='x[$(rm hidden)]'; f() { local -A a; : "${a[q]}"; }; f`, "declare -A a; a[n+1]=v", "declare -a a; a[1]=v", `q=([n++]=x [n++]=y)`,
	}
	var list []string
	for _, setup := range []string{"a=(1 2 3 4)", "a=()", "a=(v w)", "a=(2)", "declare -a a", "unset a", "a=([2]=5 [4]=6)", "declare -A a=([1]=2 [2]=3)", "a=5", "declare -ai a=(1 2 3)"} {
		for _, change := range changes {
			list = append(list, "n=1; "+setup+"; "+change+`; rm "$n" "${#a[@]}" "${a[*]}"`, "n=0; "+setup+"; "+change+`; rm "$n" "${a[0]:-d}" "${a[1]-e}"`)
		}
	}
	agree(t, list, true, "bash", "zsh")
	agreeInBash(t, list)
	t.Logf("%d scripts", len(list))
}
