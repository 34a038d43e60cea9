// Package usual lists the commands that benchmarks use.
package usual

import (
	"fmt"
	"strings"
)

// Commands are typical commands of agents, each with a name, from short to long.
func Commands() [][2]string {
	var script strings.Builder
	script.WriteString("set -e\n")
	for i := range 45 {
		fmt.Fprintf(&script, "if grep -q TODO src/file%d.go; then\n  sed -n '1,%dp' src/file%d.go | head -5\n  echo \"file %d\" >> report.txt\nfi\n", i, i+5, i, i)
	}
	return [][2]string{
		{"ls -la", "ls -la"},
		{"pipeline", "git log --oneline | grep -v wip | sort | uniq -c | head -20"},
		{"5-part compound", "cd src && git add -A && git commit -m 'fix the parser' && npm test 2>&1 | tail -20 && echo done"},
		{"heredoc commit", "git commit -F - <<'EOF'\nParser: read heredocs\n\n" + strings.Repeat("The body of a commit message goes on for some lines.\n", 6) + "EOF\n"},
		{"5 kB script", script.String()},
		{"denied", "T=~; bash -c \"rm -rf $T\""},
	}
}
