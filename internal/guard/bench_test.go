package guard_test

import (
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// BenchmarkJudge measures what a hook does beside starting: the policy is
// built anew each time, as it is in a process that judges one call.
func BenchmarkJudge(b *testing.B) {
	for name, script := range map[string]string{
		"simple":   "git status --short",
		"pipeline": "git log --oneline | grep -v wip | sort | uniq -c | head -20",
		"script":   "set -e\ncd src\nfor f in *.go; do\n  if grep -q TODO \"$f\"; then sed -n '1,20p' \"$f\" | head -5; fi\ndone\ngo test ./... 2>&1 | tail -20\n",
		"denied":   "T=~; bash -c \"rm -rf $T\"",
	} {
		b.Run(name, func(b *testing.B) {
			w := world()
			b.ReportAllocs()
			for b.Loop() {
				set, err := shipped()
				if err != nil {
					b.Fatal(err)
				}
				g := guard.Guard{Library: command.Builtin(), Policy: set}
				g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true}, w)
			}
		})
	}
}
