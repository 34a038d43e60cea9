package guard_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// Scripts made to be expensive: none may take long, and none is allowed that
// ends in something denied.
func TestBounds(t *testing.T) {
	nested := "rm -rf /"
	for range 12 {
		nested = "bash -c '" + strings.ReplaceAll(nested, "'", `'\''`) + "'"
	}
	numbers := make([]string, 5000)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	list := strings.Join(numbers, " ")
	g := builtin(t)
	for name, script := range map[string]string{
		"statements":           strings.Repeat("ls\n", 100_000) + "rm -rf /",
		"long word":            "rm -rf / " + strings.Repeat("a", 4_000_000),
		"parentheses":          strings.Repeat("(", 50_000) + "rm -rf /" + strings.Repeat(")", 50_000),
		"substitutions":        "echo " + strings.Repeat("$(", 5000) + "rm -rf /" + strings.Repeat(")", 5000),
		"quoted substitutions": strings.Repeat(`echo "$(`, 2000) + "rm -rf /" + strings.Repeat(`)"`, 2000),
		"braces":               "rm -rf / " + strings.Repeat("{a,b}", 60),
		"ranges":               "rm -rf / {1..1000000000}",
		"loops":                "for i in " + list + "; do for j in " + list + "; do rm -rf /$i; done; done; rm -rf /",
		"recursion":            "f() { f; f; rm -rf /; }; f",
		"doubling":             "a=x;" + strings.Repeat("a=$a$a;", 80) + "rm -rf / $a",
		"doubling array":       "a=(x);" + strings.Repeat(`a=("${a[@]}" "${a[@]}");`, 60) + `rm -rf / "${a[@]}"`,
		"arithmetic":           "a=2;" + strings.Repeat("a=$((a*a));", 5000) + "rm -rf /",
		"eval":                 strings.Repeat("eval ", 2000) + "rm -rf /",
		"env":                  strings.Repeat("env ", 5000) + "rm -rf /",
		"xargs":                strings.Repeat("xargs ", 3000) + "rm -rf /",
		"nested shells":        nested,
		"here-document":        "bash <<E\n" + strings.Repeat("ls\n", 100_000) + "rm -rf /\nE\n",
		"pipes":                "rm -rf /" + strings.Repeat(" | cat", 20_000),
		"branches":             strings.Repeat("if x; then a=$RANDOM; fi; ", 500) + "rm -rf /",
		"cases":                "case $x in " + strings.Repeat("a) b=$c;; ", 5000) + "esac; rm -rf /",
		"redirects":            "rm -rf /" + strings.Repeat(" >/tmp/x", 20_000),
		"arguments":            "rm -rf / " + strings.Repeat("/tmp/*/x ", 20_000),
	} {
		start := time.Now()
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true}, world())
		// A second at most on an idle machine; the race detector on a busy one
		// takes tenfold. Without bounds each of these takes hours.
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: took %v", name, took)
		}
		if v.Decision < tool.Ask {
			t.Errorf("%s: got %v", name, v.Decision)
		}
	}
}
