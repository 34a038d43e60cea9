package guard_test

import (
	"fmt"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// classes are what agents run, from the usual to the long.
func classes() [][2]string {
	var script strings.Builder
	script.WriteString("set -e\n")
	for i := range 45 {
		fmt.Fprintf(&script, "if grep -q TODO src/file%d.go; then\n  sed -n '1,%dp' src/file%d.go | head -5\n  echo \"file %d\" >> report.txt\nfi\n", i, i+5, i, i)
	}
	return [][2]string{
		{"simple", "ls -la"},
		{"pipeline", "git log --oneline | grep -v wip | sort | uniq -c | head -20"},
		{"compound", "cd src && git add -A && git commit -m 'fix the parser' && npm test 2>&1 | tail -20 && echo done"},
		{"heredoc", "git commit -F - <<'EOF'\nParser: read heredocs\n\n" + strings.Repeat("The body of a commit message goes on for some lines.\n", 6) + "EOF\n"},
		{"script", script.String()},
		{"denied", "T=~; bash -c \"rm -rf $T\""},
	}
}

// BenchmarkJudge measures judging alone, with models and rules read before: what
// a batch pays for each command.
func BenchmarkJudge(b *testing.B) {
	for _, class := range classes() {
		b.Run(class[0], func(b *testing.B) {
			set, err := shipped()
			if err != nil {
				b.Fatal(err)
			}
			g := guard.Guard{Library: command.Builtin(), Policy: set}
			w := world()
			b.ReportAllocs()
			for b.Loop() {
				g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: class[1], Shell: true}, w)
			}
		})
	}
}

// BenchmarkJudgeOnce builds everything anew each time, as a process does that
// judges one call.
func BenchmarkJudgeOnce(b *testing.B) {
	for _, class := range classes() {
		b.Run(class[0], func(b *testing.B) {
			w := world()
			b.ReportAllocs()
			for b.Loop() {
				set, err := shipped()
				if err != nil {
					b.Fatal(err)
				}
				g := guard.Guard{Library: command.Builtin(), Policy: set}
				g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: class[1], Shell: true}, w)
			}
		})
	}
}

// Time depends on the machine and on what else it does; allocations do not. The
// bounds are a tenth above what is needed.
func TestJudgingAllocatesLittle(t *testing.T) {
	bounds := map[string]float64{"simple": 26, "pipeline": 91, "compound": 171, "heredoc": 46, "script": 7700, "denied": 197}
	for _, class := range classes() {
		set, err := shipped()
		if err != nil {
			t.Fatal(err)
		}
		g := guard.Guard{Library: command.Builtin(), Policy: set}
		w := world()
		judge := func() { g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: class[1], Shell: true}, w) }
		for range 5 {
			judge() // until what is read of a model when it is often asked about has been read
		}
		got := testing.AllocsPerRun(5, judge)
		if got > bounds[class[0]] {
			t.Errorf("%s: %.0f allocations, at most %.0f are accepted", class[0], got, bounds[class[0]])
		}
	}
}
