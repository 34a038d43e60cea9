package guard_test

import (
	"testing"

	"longline/internal/tool"
)

// What a trap writes to a file is there whenever it comes, and a subshell that a trap ends leaves files as they were.
func TestFilesBehindTraps(t *testing.T) {
	g := builtin(t)
	for _, c := range []struct {
		script string
		asks   bool
	}{
		{"echo 'rm -rf docs' > x.sh; (trap exit ERR; false; echo 'rm -rf build' > x.sh); bash x.sh", true},
		{"echo docs > d.txt; (trap exit ERR; false; echo build > d.txt); xargs rm -rf < d.txt", true},
		{"echo docs > d.txt; (trap 'exit 0' ERR; set +e; false; echo build > d.txt); xargs rm -rf < d.txt", true},
		{"echo docs > d.txt; (trap 'echo x >&2; exit' ERR; grep -q a b; echo build > d.txt) | cat; xargs rm -rf < d.txt", true},
		{"echo docs > d.txt; set -E; trap 'exit 0' ERR; (false; echo build > d.txt); xargs rm -rf < d.txt", true},
		{"echo docs > d.txt; set -E; trap 'exit 0' ERR; echo $(false; echo build > d.txt); xargs rm -rf < d.txt", true},
		{"echo docs > d.txt; bash -c \"trap exit ERR; false; echo build > d.txt\"; xargs rm -rf < d.txt", true},
		{"echo docs > d.txt; (trap exit DEBUG; echo build > d.txt); xargs rm -rf < d.txt", true},

		{"trap 'echo docs > d.txt' ERR; echo build > d.txt; false; xargs rm -rf < d.txt", true},
		{"trap 'echo docs > d.txt' DEBUG; echo build > d.txt; xargs rm -rf < d.txt", true},
		{"trap 'echo docs > d.txt' USR1; echo build > d.txt; xargs rm -rf < d.txt", true},
		{"(trap 'echo docs > d.txt' EXIT; echo build > d.txt); xargs rm -rf < d.txt", true},
		{"(trap 'echo docs > d.txt; exit' ERR; echo build > d.txt; false); xargs rm -rf < d.txt", true},
		{"bash -c \"trap 'echo docs > d.txt' EXIT; echo build > d.txt\"; xargs rm -rf < d.txt", true},
		{"trap 'rm -f /tmp/d.txt' EXIT INT TERM; echo build > /tmp/d.txt; xargs rm -rf < /tmp/d.txt", false},
	} {
		call := attended(c.script)
		call.Edits = true
		w := world()
		if v, _ := g.Judge(call, w); (v.Decision >= tool.Ask) != c.asks {
			t.Errorf("%s: %s (%s)", c.script, v.Decision, v.Reason)
		}
		w.Zsh = true
		if v, _ := g.Judge(call, w); v.Decision < tool.Ask && c.asks {
			t.Errorf("%s in zsh: %s", c.script, v.Decision)
		}
	}
}
