package config

import (
	"os"
	"testing"

	"longline/internal/tool"
)

// TestMarks: which commands may reach other machines from behind a wall is what was judged of them last.
func TestMarks(t *testing.T) {
	if !WallSystem {
		t.Skip("there are no walls")
	}
	root := tree(t, "home/p/.git/", "home/p/go.mod=module m\n", "home/.config/longline/rules.yaml=version: 1\nwalls: on\n")
	judge := func(script string) {
		c, err := load(t, root, "home/p", "")
		if err != nil {
			t.Fatal(err)
		}
		call := tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: script, Shell: true}
		_, invs := c.Judge(call)
		c.MarkAll(&call, invs)
	}
	may := func(words ...string) bool {
		c, err := load(t, root, "home/p", "")
		if err != nil {
			t.Fatal(err)
		}
		return c.MayFetch(words)
	}
	judge("cd sub && go test ./... | tail; make all; go build $FLAGS x")
	for _, test := range []struct {
		words []string
		want  bool
	}{
		{[]string{"go", "test", "./..."}, true},
		{[]string{"go", "test", "./...", "x"}, false},
		{[]string{"go", "test"}, false},
		{[]string{"make", "all"}, false},
		{nil, false},
	} {
		if got := may(test.words...); got != test.want {
			t.Errorf("%q: %t, want %t", test.words, got, test.want)
		}
	}
	rules := "version: 1\nwalls: on\nrules:\n- {id: no, level: critical, match: {command: go test}, decision: ask, reason: no}\n"
	if err := os.WriteFile(root+"/home/.config/longline/rules.yaml", []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	judge("go test ./...")
	if may("go", "test", "./...") {
		t.Error("a command that asks keeps its mark")
	}
}
