package guard_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"longline/internal/differ/grammar"
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
	"a[#]=b;", "a+=(b);", "|a=(|b# |)", "unset v#;", "unset v;", "export v#=a;", "local v=a;", "local v#=a;", "|f() { |local v#=a;|}; f", "declare -i v=#;", "declare -A m; m[#]=a;", "readonly r#=a;",
	"set -- a #;", "set -- \"$@\" a;", "shift;", "set -e;", "[ -f a# ] || exit 1; v#=a;", "return\nv#=a\n", "|f() { |[ a ] || return; v#=a;|}; f", ": $((1/#)); v#=a;", "v+=/a;", "shopt -s nullglob;", "trap 'ls' EXIT;", "trap 'ls #' DEBUG;", "alias a#=ls;", "alias a=ls\n", "source f#;", "source f; v#=a;", "a#[$(eval \"$x\")0]=1; trap 'set +e' ERR;", "false || f() { v#=a; };", ". ./f;",
	"mkdir d#;", "ln -s a# b#;", "mv a# b#;", "rm a#;", "cp a# b#;", "touch f#; ./f#;", "echo ls >f#; bash f#;", "find . -name a# | xargs rm;", "find / -name '*a#*' | xargs rm;", "rm /*/*a#*;", "rm -rf /**/*a#*;", "mv ~/*/*#* /tmp;", "cat ~/*{a,b,c}*{d,e,f}#;", "ls >x#*/y;", "cat src/*#.go;",
	"g#() { ls; }; g# >out#.txt;", "echo a >b#; ls >$x;", "rm a# &", "(cd a#; rm b) &", "rsync a#/ b#/;", "cp -r a# b#; cp -r b# c#;", "echo a >b#; chmod a-w $x;", "cp a# b#; ls >$x;", "ln -s a# b#; echo a >b#;", "make & echo a >f#;", "mv $x b#; cd d#;", "touch f#; rm f#;", "touch f#; make;", "echo a >f#; cat <$x;", "touch $x#; ./g#;", "printf %s a#;", "printf -v v %s a#;", "v=${v%a};", "v=${v//a/b};", "v=${v:-#};",
	"|echo |{a,b} |", "|ls |* |", "|ls |a*b# |", "|node -e '|[[|'", "|node -e '|f();|'", "|python3 -c '|print(#);|'", "|python3 -c '|x=[x,|'", "|awk '|a#=1;|'", "|sed '|s/a/b/;|' f", "|jq '|.a|,|.b|'", "|perl -e '|$x=#;|'", "|ruby -e '|x=#;|'", "|sqlite3 a.db '|select #;|'",
	"|sed '|s/a#/b/wf#\n|' x", "|awk '|/a#/ {print > \"o#\"}\n|' x", "|sqlite3 a.db \"|.output f#\n|\"", "|sqlite3 a.db |'.read f#' |", "|jq '|def f#: .a;|.' x", "|python3 -c '|open(\"f#\",\"w\")\n|'", "|python3 -c '|def f#(a): return a\nf#(1)\n|'",
	"|python3 -c '|with open(\"f#\") as f#: x=f#.read()\n|'", "|python3 -c 'import shutil\n|shutil.move(\"a#\",\"b#\")\n|'", "|python3 -c '|x#=[1,2]\nfor y in x#: print(y)\n|'", "|node -e '|let i#=0; a[i#];|'", "|node -e '|const l#=[\"a\"]; for (const x# of l#) f(x#);|'",
	"cp -r a/. .;", "rsync -a a/ .;", "if ls; then cp -r a/. .; else cp -r b/. c; fi;", "|mv |f# |d", "|git mv |f# |d", "|cp |f# |d", "|wget |https://a.example/# |", "|type |a# |", "sudo sh -c 'ls >f#';", "sed -i s/a/b/ f#;", "chmod a-w f#; echo a >g#;", "ln -s a b; exec 3>f#;", "h() ( f() { v#=a; }; h; echo $v );", "h() { f() { v#=a; }; h; echo $v; };",
	"# comment #\n", "\\\n", ";;", "\n", "|[[ |a == b && |a ]]", "|(( |1+|1 ))", "|echo $((|1+|1))", "|git |-c a.b=# |status", "|env |A#=b |ls", "|sudo |-u a |ls", "|xargs |-n 1 |ls",
	"|echo |~/a# |", "|echo |$'a\\n'|", "|echo \"|$v|\"", "|echo \"|\\\\|\"", "|echo \"|`ls`|\"", "|grep |-e a# |f", "|tar cf x.tar |a# |", "|find . |-name a# -o |-print", "|curl |https://a#.example |",
	`python3 -c "open('a#.py','w').write('x'); import a#";`, "cat a#.tgz | tar xz -C o#;", "grep -rl k# config | xargs cat;", "cp -r src /tmp/a#; cat /tmp/a#/*;", "grep -rh = */a#* src/*;",
	"find p -type d | while read -r f; do cat \"$f\"/a#*; done;", "for f in */; do env -C \"$f\" touch m#; done;",
	"|case $x in |a#) y=#;; | esac", "|if ls; then y=0; |elif ls; then y=#; |fi", "|for f in build/*; do |mv \"$f\" \"$f.b\"; f=$f.b; |done", "|for f in *; do |git mv \"$f\" \"a$f\"; f=a$f; |done", "cp -r build/* build/c#; mv build/c#/* build;",
	"for f in src/*.py; do git show HEAD:$f >/tmp/t# && mv /tmp/t# $f; done;",
	"|cat |*/|x", "|rm -f build/|**/|x", "|<<<'a b c d e f g h i j k l m n o p' |xargs -n1 |cat", "|x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; echo ${x//|*a|b/c}", "x=a$x; y=${x##*b*a};",
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

// What twice the script may take, times what it takes: of bytes more, because slices grow
// in steps.
const (
	moreBytes, morePieces, moreTime = 2.6, 2.3, 2.3
	floorTime                       = 20 * time.Millisecond
	longest, longestScript          = time.Second, 100_000
)

// Below these nothing is lost, and one more page of memory decides.
var few = cost{bytes: 4 << 20, pieces: 20_000}

// grown says what is wrong with the costs of scripts of which each is twice the one
// before. Below the floor nothing is.
func grown(sizes []int, costs []cost, floor cost) string {
	for i := 1; i < len(sizes); i++ {
		n, c, half := sizes[i], costs[i], costs[i-1]
		switch {
		case c.bytes > floor.bytes && float64(c.bytes) > moreBytes*float64(half.bytes):
			return fmt.Sprintf("%d repetitions allocate %d bytes, half of them %d", n, c.bytes, half.bytes)
		case c.pieces > floor.pieces && float64(c.pieces) > morePieces*float64(half.pieces):
			return fmt.Sprintf("%d repetitions allocate %d pieces, half of them %d", n, c.pieces, half.pieces)
		}
	}
	return ""
}

// TestGrowth repeats small shapes: twice the script takes at most 2.6 times the bytes and
// 2.3 times the pieces of memory, which do not depend on what else the machine does.
// LONGLINE_GROWTH=all goes up to 16,000 repetitions.
func TestGrowth(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	m := newMeter(t)
	sizes, floor := []int{250, 500, 1000}, few
	if os.Getenv("LONGLINE_GROWTH") == "all" { // where a bound is reached on the way, a shape may take a step
		sizes, floor.bytes = []int{1000, 2000, 4000, 8000, 16000}, 20<<20
	}
	for i, shape := range shapes {
		if i%4 > 0 && len(sizes) == 3 {
			continue
		}
		var costs []cost
		for _, n := range sizes {
			costs = append(costs, m.cost(script(shape, n)))
		}
		said := grown(sizes, costs, floor)
		if said == "" && len(sizes) > 3 {
			said = m.slower(shape, sizes, costs)
		}
		if said != "" {
			t.Errorf("%q: %s", shape, said)
		}
	}
}

// slower says what is wrong with the time that a shape takes: twice the script takes at most
// 2.3 times as long. What once seemed to is measured again, each size as often as it takes
// to be as long as the largest, so that what else the machine does meets all of them alike;
// and until the shortest times are as they should be, because other work makes them
// longer, never shorter.
func (m meter) slower(shape string, sizes []int, once []cost) string {
	var least []time.Duration
	for _, c := range once {
		least = append(least, c.time)
	}
	said := late(shape, sizes, least)
	for round := 0; said != "" && round < 15; round++ {
		for i, n := range sizes {
			took := m.time(script(shape, n), sizes[len(sizes)-1]/n)
			if least[i] = min(least[i], took); round == 0 {
				least[i] = took
			}
		}
		said = late(shape, sizes, least)
	}
	return said
}

// late says which time is longer than it should be.
func late(shape string, sizes []int, took []time.Duration) string {
	for i, n := range sizes {
		size := len(script(shape, n))
		switch {
		case size < longestScript && took[i] > longest:
			return fmt.Sprintf("%d repetitions, %d bytes take %v", n, size, took[i])
		case i > 0 && took[i] > floorTime && float64(took[i]) > moreTime*float64(took[i-1]):
			return fmt.Sprintf("%d repetitions take %v, half of them %v", n, took[i], took[i-1])
		}
	}
	return ""
}

// TestGrowthOfAnything repeats random statements with numbers in their names. A bound that
// is reached on the way, as that on the number of variables, makes a step here: what the
// steps of a script pay for then is the floor.
func TestGrowthOfAnything(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	random, err := grammar.New()
	if err != nil {
		t.Fatal(err)
	}
	aims, err := grammar.NewAims()
	if err != nil {
		t.Fatal(err)
	}
	m := newMeter(t)
	rounds, floor := 12, cost{bytes: 32 << 20, pieces: 300_000}
	if os.Getenv("LONGLINE_GROWTH") == "all" {
		rounds, floor = 400, cost{bytes: 96 << 20, pieces: 1_000_000}
	}
	r := rand.New(rand.NewPCG(1+seed(), 7))
	sizes := []int{100, 200, 400, 800, 1600}
	for range rounds {
		list := aims.Statements(r)
		if r.IntN(2) == 0 {
			list = random.Statements(r)
		}
		if r.IntN(3) == 0 {
			list = append(list, shapes[r.IntN(20)])
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		shape := strings.Join(list[:min(len(list), 1+r.IntN(2))], "\n") + "\n"
		if strings.ContainsAny(shape, "#") || strings.HasPrefix(shape, "|") {
			continue // it has a meaning of its own
		}
		if r.IntN(4) > 0 {
			some := 1 + r.IntN(3)
			shape = usualNames.ReplaceAllStringFunc(shape, func(name string) string {
				if r.IntN(some) == 0 {
					name += "#"
				}
				return name
			})
		}
		var costs []cost
		for _, n := range sizes {
			costs = append(costs, m.cost(script(shape, n)))
		}
		if said := grown(sizes, costs, floor); said != "" {
			t.Errorf("%s:\n%s", said, shape)
		}
	}
}

var usualNames = regexp.MustCompile(`\b(x|y|z|v1|v2|a|b|f|g|h|i|n|arr|m|p|q|build|src|docs|list|out)\b`)

// outer are statements that others, in place of @, stand in, and inner such others.
var outer = []string{
	"while ls; do @ done", "for i in a b c d e; do @ done", "if ls; then @ fi;", "f() { @ }; f; f;", "( @ )", "{ @ };", "v=$(@);", "case $x in a) @;; b) @;; esac;",
	"until ls; do @ done;", "@ @ @", "ls && { @ };", "bash -c '@'", "eval \"@\"", "trap '@' DEBUG;", "cat <(@);", "ls | { @ };", "@ & wait;", "set -- a b c; for x; do @ done;", "while read x; do @ done <f;",
}

var inner = []string{"exec 3>&1;", "v=$v$v;", "a+=(\"${a[@]}\");", "cd a;", "v#=a;", "x=$(ls);", "set -- \"$@\" \"$@\";", "ls >f;", "f;", "test -f a && v=b;", "n=$((n*n));", "read v;", "ln -s a b;", "cp -r a/. .;", "pushd a;", "printf -v v '%s%s' $v $v;", "unset v;", "local v=a;", "trap ls EXIT;", "eval \"$v\";", "x=(a b c {1..50});"}

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
				if n++; n%41 != 0 && !all {
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
