package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/modelfile"
	"longline/internal/tool"
)

// TestArgumentLines gives a client of a database its commands as arguments, and as lines of its standard input, from a
// pipe and from a file of the project: the answer is the same.
func TestArgumentLines(t *testing.T) {
	g, w := builtin(t), world()
	file := project + "/seed.txt"
	content := ""
	w.ReadFile = func(path string) ([]byte, error) {
		if path == file {
			return []byte(content), nil
		}
		return nil, fs.ErrNotExist
	}
	w.Exists = func(path string) bool { return path == file }
	judge := func(script string) (tool.Decision, string) {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v.Decision, v.Rule
	}
	tried := 0
	for _, e := range examples(t, "../command/models/databases.yaml") {
		words := modelfile.Split(e.Run)
		if len(words) < 2 || words[0].Text != "redis-cli" || strings.HasPrefix(words[1].Text, "-") || strings.ContainsAny(e.Run, `$"'`) {
			continue
		}
		line := strings.TrimPrefix(e.Run, "redis-cli ")
		want, rule := judge(e.Run)
		for _, lines := range []string{line + "\n", line, "ping\n" + line + "\n\n", "\n " + line + "\nping"} {
			content = lines
			for _, script := range []string{"redis-cli < seed.txt", "redis-cli -n 3 < seed.txt", "redis-cli <<'E'\n" + lines + "\nE\n", "printf '%s\\n' '" + line + "' | redis-cli"} {
				tried++
				if got, by := judge(script); got != want {
					t.Errorf("%q with %q is %s %s, as arguments %s %s", script, lines, got, by, want, rule)
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d", tried)
	}
	content = strings.Repeat("get a\n", 5000)
	if got, _ := judge("redis-cli < seed.txt"); got != tool.Ask {
		t.Errorf("too many lines: %s", got)
	}
}
