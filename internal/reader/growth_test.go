package reader

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"longline/internal/command"
)

// parts are constructs of the language, # standing for a number and @ for the place of another part. Every one of them is chained, nested in
// itself, and nested in every other; without LONGLINE_GROWTH=all, some of them.
var parts = []string{
	"@; ls a#", "{ @; }", "(@)", "if @; then @; else @; fi", "if ls; then @; elif ls; then @; fi", "while @; do @; done", "until ls; do @; done",
	"for v in a b$v c#; do @; done", "for ((i=0; i<#; i++)); do @; done", "case $v in a#) @;; b) @;& *) @;; esac", "f# () { @; }; f#", "f () { @; }; f a$1 #", "select x in a; do @; done",
	"@ && @", "@ || @", "@ | @", "@ &", "! @", "time @", "coproc @",
	"v=$(@)", "v#=$v$v; @", "echo \"$(@)\" $v", "cat <(@)", "[[ -n $(@) ]]", "(( $(@) + n++ ))", "a+=($(@) $v)", "a[n]=$(@)", "export v#=$(@)", "echo ${v:-$(@)}", "echo ${v:=$v#}; @",
	"eval '@'", "bash -c '@'", "bash <<E\n@\nE\n", "sh -c \"$v\"; @", "eval \"$v\"; @", "trap '@' EXIT", "trap '@' ERR", "echo '@' >s#; bash s#; @", "source s#; @", ". ./s; @",
	"cd a#; @", "cd ..; @", "pushd a#; @; popd", "cd \"$v\" && @", "read x# <f; @", "find . -name a# | while read -r f; do @; done", "set -- \"$@\" a#; @", "shift; @", "local v=#; @",
	"x=a || x=b#; @", "x=$x/a; ls $x $y$z; @", "ls $x && y=$x$y; @", "echo a >f#; @", "cat f# >>g; @", "ln -s a# b#; @", "cp -r a# b#; @", "mv a# b#; rm -r *#*; @", "echo a >$x; @", "exec 3<f#; @",
	"sudo @", "find . -exec bash -c '@' \\;", "ls | xargs sh -c '@'", "env A#=b @", "ssh host# '@'", "docker exec c sh -c '@'", "make t#; @", "npm run t#; @", "python3 -c 'x=#'; @", "git commit -m \"$(@)\"",
	"{ @; } >o#", "while read x; do @; done <f#", "alias a#='@'", "declare -A m; m[$v]=#; @", "printf -v v %s a#; @", "unset v#; @", "return; @", "exit; @", "x={a,b}{c,d}#; @", "echo {a,b}{c,d}{e,f}; @", "echo \"a\\b\"'#'\"$v\"; @",
}

// made is a part in which others stand, so deep.
func made(outer, inner string, depth, n int) string {
	text := fmt.Sprint("ls ", n)
	for i := range depth {
		part := outer
		if i%2 == 1 {
			part = inner
		}
		first := strings.Index(part, "@")
		if first < 0 {
			first = len(part)
		}
		at := fmt.Sprint(n + i)
		rest := strings.ReplaceAll(strings.ReplaceAll(part[first:], "@", "\x00"), "#", at)
		rest = strings.ReplaceAll(strings.Replace(rest, "\x00", "\x01", 1), "\x00", "ls")
		text = strings.ReplaceAll(part[:first], "#", at) + strings.ReplaceAll(rest, "\x01", text)
	}
	return text
}

// toil is what reading a script takes: the pieces of memory, which do not depend on what else the machine does, and the time.
func toil(script string, read func(string) Result) (pieces float64, took time.Duration) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	read(script)
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) + float64(after.TotalAlloc-before.TotalAlloc)/256, took
}

// A script below 4 kB may take so many pieces of memory, which is 20 milliseconds on a slow machine; one below 64 kB ten times that.
const maxToil = 60_000

// TestGrowth: what a script costs grows with its length, whatever it is made of; and none is so dear that anybody waits for it.
func TestGrowth(t *testing.T) {
	lib := command.Builtin()
	read := func(script string) Result { return Read(script, "/home/dev/proj", testWorld(), lib) }
	all := os.Getenv("LONGLINE_GROWTH") == "all"
	check := func(name string, shape func(size int) string) {
		small, large := shape(1500), shape(6000)
		first, took := toil(small, read)
		if first > maxToil {
			t.Errorf("%s: %d bytes take %.0f pieces, %v\n%.120s", name, len(small), first, took, small)
		}
		factor := float64(len(large)) / float64(len(small))
		if second, took := toil(large, read); second > 30_000 && second > 2.8*factor*first || second > 4*maxToil {
			t.Errorf("%s: %d bytes take %.0f pieces, %d bytes %.0f, %v\n%.120s", name, len(small), first, len(large), second, took, small)
		}
	}
	for i, part := range parts {
		if i%4 != 0 && !all {
			continue
		}
		check("chained "+part, func(size int) string {
			var b strings.Builder
			for n := 0; b.Len() < size; n++ {
				b.WriteString(made(part, part, 1, n) + "\n")
			}
			return b.String()
		})
		for k := range parts {
			if k != i && (i*7+k*3)%211 != 0 && !all {
				continue
			}
			check("nested "+part+" in "+parts[k], func(size int) string {
				text := ""
				for depth := 4; len(text) < size && depth < 400; depth += 4 {
					text = made(part, parts[k], depth, 0)
				}
				return text
			})
		}
	}
}
