package guard_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// shapes are parts of scripts that are repeated, # standing for the number of the
// repetition. A shape with a bar has a part before and a part after the repetition.
var shapes = []string{
	"echo a;", "ls -la;", "v#=a;", "v=a#;", "v=$v;", "v=a; ls $v;", "cd a;", "cd a#;", "cd ..;", "pushd a#;", "popd;",
	"echo a >f#;", "echo a >>f;", "|ls |>f#|", "|ls |2>f#|", "cat <f#;", "exec 3>f#;", "exec 3>&1;", "ls && exec 3>&1;", "exec #>&1;",
	"if test -f a#; then v#=a; fi;", "if test -f a; then v=#; fi;", "if ls; then v=#; else w=#; fi;", "test -f # && v=a;", "test -f # && v#=a;", "ls || v=#;",
	"[ -n \"$A\" ] && X=#;", "[[ $a == b# ]] && c=$a;", "(( n++ ));", "n=$((n+1));", "n=$((n+#)); ls $n;", "let n+=1;",
	"case $x in a#) y=1;; *) y=2;; esac;", "|case $x in |a#) y=1;; | esac", "for i in a b; do v=$i; done;", "|for i in |a# |; do ls $i; done", "while ls; do v=#; done;", "while ls; do break; done;",
	"|for i in |a# |; do v=$v$i; done", "f#() { ls; };", "f() { ls #; }; f;", "f#() { ls; }; f#;", "|f() { v=$1; }; |f #;|",
	"(ls);", "(v=#);", "{ ls; };", "ls | cat;", "|ls|| cat|", "|ls|&& ls|", "|ls||| ls|", "ls &", "ls & wait;", "! ls;", "time ls;",
	"v=$(ls);", "v=$(echo #);", "echo $(ls);", "v=`ls`;", "echo \"$(ls $(ls))\";", "cat <(ls);", "|echo |$(ls) |", "|echo |$v |", "|echo |\"$v\"# |", "|echo |a# |", "|echo |'a'|", "|echo |\\a|",
	"read x#;", "read x;", "read x <<< #;", "mapfile -t a <f#;", "cat <<E\na#\nE\n", "bash <<E\nls\nE\n", "bash -c 'ls';", "bash -c 'ls #';", "eval 'ls';", "eval 'v#=a';", "eval v=a;",
	"a[#]=b;", "a+=(b);", "|a=(|b# |)", "unset v#;", "unset v;", "export v#=a;", "local v=a;", "declare -i v=#;", "declare -A m; m[#]=a;", "readonly r#=a;",
	"set -- a #;", "set -- \"$@\" a;", "shift;", "set -e;", "shopt -s nullglob;", "trap 'ls' EXIT;", "trap 'ls #' DEBUG;", "alias a#=ls;", "alias a=ls\n", "source f#;", ". ./f;",
	"mkdir d#;", "ln -s a# b#;", "mv a# b#;", "rm a#;", "cp a# b#;", "touch f#; ./f#;", "echo ls >f#; bash f#;", "find . -name a# | xargs rm;", "touch f#; rm f#;", "touch f#; make;", "echo a >f#; cat <$x;", "touch $x#; ./g#;", "printf %s a#;", "printf -v v %s a#;", "v=${v%a};", "v=${v//a/b};", "v=${v:-#};",
	"|echo |{a,b} |", "|ls |* |", "|ls |a*b# |", "|node -e '|[[|'", "|node -e '|f();|'", "|python3 -c '|print(#);|'", "|python3 -c '|x=[x,|'", "|awk '|a#=1;|'", "|sed '|s/a/b/;|' f", "|jq '|.a|,|.b|'", "|perl -e '|$x=#;|'", "|ruby -e '|x=#;|'", "|sqlite3 a.db '|select #;|'",
	"# comment #\n", "\\\n", ";;", "\n", "|[[ |a == b && |a ]]", "|(( |1+|1 ))", "|echo $((|1+|1))", "|git |-c a.b=# |status", "|env |A#=b |ls", "|sudo |-u a |ls", "|xargs |-n 1 |ls",
	"|echo |~/a# |", "|echo |$'a\\n'|", "|echo \"|$v|\"", "|echo \"|\\\\|\"", "|echo \"|`ls`|\"", "|grep |-e a# |f", "|tar cf x.tar |a# |", "|find . |-name a# -o |-print", "|curl |https://a#.example |",
}

func script(shape string, n int) string {
	before, part, after := "", shape, ""
	if strings.HasPrefix(shape, "|") {
		fields := strings.SplitN(shape[1:], "|", 2)
		before, part = fields[0], fields[1]
		if at := strings.LastIndexByte(part, '|'); at >= 0 {
			part, after = part[:at], part[at+1:]
		}
	}
	var b strings.Builder
	b.WriteString(before)
	for i := range n {
		b.WriteString(strings.ReplaceAll(part, "#", fmt.Sprint(i)))
	}
	b.WriteString(after)
	return b.String()
}

// TestGrowth repeats small shapes: twice the script takes at most 2.6 times the
// memory (slices grow in steps) and 2.3 times the time. The default run looks at
// small sizes and memory, which does not depend on what else the machine does;
// LONGLINE_GROWTH=all goes up to 16,000 repetitions and measures time too: each size
// in turn, and each again until the shortest times are as they should be.
func TestGrowth(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	m := newMeter(t)
	all := os.Getenv("LONGLINE_GROWTH") == "all"
	sizes, floor := []int{250, 500, 1000}, uint64(4<<20)
	if all { // where a bound is reached on the way, a shape may take a step
		sizes, floor = []int{1000, 2000, 4000, 8000, 16000}, 20<<20
	}
	for _, shape := range shapes {
		costs := make([]cost, len(sizes))
		measure := func() {
			for i, n := range sizes {
				c := m.cost(script(shape, n))
				if costs[i].bytes > 0 { // other work makes a measurement longer, never shorter
					c.time = min(c.time, costs[i].time)
				}
				costs[i] = c
			}
		}
		problem := func() string {
			for i, n := range sizes {
				c := costs[i]
				if size := len(script(shape, n)); size < 100_000 && c.time > time.Second {
					return fmt.Sprintf("%d repetitions, %d bytes take %v", n, size, c.time)
				}
				if i == 0 {
					continue
				}
				half := costs[i-1]
				switch {
				// Below these nothing is lost, and a page of memory or a tick of the clock decides.
				case c.bytes > floor && float64(c.bytes) > 2.6*float64(half.bytes):
					return fmt.Sprintf("%d repetitions allocate %d bytes, half of them %d", n, c.bytes, half.bytes)
				case all && c.time > 20*time.Millisecond && float64(c.time) > 2.3*float64(half.time):
					return fmt.Sprintf("%d repetitions take %v, half of them %v", n, c.time, half.time)
				}
			}
			return ""
		}
		measure()
		for range 14 {
			if problem() != "" {
				measure()
			}
		}
		if said := problem(); said != "" {
			t.Errorf("%q: %s", shape, said)
		}
	}
}

// outer are statements that others, in place of @, stand in, and inner such others.
var outer = []string{
	"while ls; do @ done", "for i in a b c d e; do @ done", "if ls; then @ fi;", "f() { @ }; f; f;", "( @ )", "{ @ };", "v=$(@);", "case $x in a) @;; b) @;; esac;",
	"until ls; do @ done;", "@ @ @", "ls && { @ };", "bash -c '@'", "eval \"@\"", "trap '@' DEBUG;", "cat <(@);", "ls | { @ };", "@ & wait;", "set -- a b c; for x; do @ done;", "while read x; do @ done <f;",
}

var inner = []string{"exec 3>&1;", "v=$v$v;", "a+=(\"${a[@]}\");", "cd a;", "v#=a;", "x=$(ls);", "set -- \"$@\" \"$@\";", "ls >f;", "f;", "test -f a && v=b;", "n=$((n*n));", "read v;", "ln -s a b;", "pushd a;", "printf -v v '%s%s' $v $v;", "unset v;", "local v=a;", "trap ls EXIT;", "eval \"$v\";", "x=(a b c {1..50});"}

// TestSmallScripts puts small shapes inside each other, up to a kilobyte: none
// takes more than it may. LONGLINE_GROWTH=all says that nothing else goes on, and time
// counts too.
func TestSmallScripts(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	m := newMeter(t)
	all := os.Getenv("LONGLINE_GROWTH") == "all"
	n := 0
	for i, a := range outer {
		for j, b := range outer {
			for k, c := range inner {
				if n++; n%7 != 0 && !all {
					continue
				}
				text := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(a, "@", b), "@", strings.Repeat(c, 1+(i+j+k)%4)), "#", fmt.Sprint(k))
				if deeper := strings.ReplaceAll(a, "@", text+";"); len(deeper) < maxSmall {
					text = deeper
				}
				if len(text) > maxSmall {
					continue
				}
				if c, bad := m.small(text, all); bad {
					t.Errorf("%d bytes take %v, %d kB and %d allocations:\n%s", len(text), c.time, c.bytes>>10, c.pieces, text)
				}
			}
		}
	}
}
