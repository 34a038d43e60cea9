package guard_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestNamesAreNoCode has what programs say about the project, names of files and messages, become the content of a file that an interpreter
// is given: that asks, as if it were piped there.
func TestNamesAreNoCode(t *testing.T) {
	says := []string{
		"ls", "ls src", "find . -name '*.txt'", "git log --format=%s", "git branch", "git diff --name-only", "git ls-files", "grep -rl x src", "ls | sort", "find . | sed s/x/y/",
	}
	ways := []string{"%s > x; run x", "%s >> x; run x", "%s | tee x; run x", "%s | tee -a x >/dev/null; run x", "%s > y; cp y x; run x", "%s > y; mv y x; run x", "{ %s; } > x && run x", "%s > x\nrun ./x", "f() { %s; }; f > x; run x"}
	for _, way := range ways {
		for _, say := range says {
			for _, lang := range [][2]string{{"python3", ".py"}, {"node", ".js"}, {"ruby", ".rb"}, {"perl", ".pl"}, {"bash", ".sh"}} {
				script := strings.NewReplacer("run", lang[0], " x;", " x"+lang[1]+";", " x\n", " x"+lang[1]+"\n", " x &&", " x"+lang[1]+" &&", " x >", " x"+lang[1]+" >").Replace(fmt.Sprintf(way, say)) + lang[1]
				asked(t, script, true)
			}
		}
	}
	for _, script := range []string{"ls > list.txt; python3 other.py list.txt", "find . -name '*.c' > cscope.files; make", "git ls-files > MANIFEST; pytest", "git log > CHANGES.md; npm test"} {
		asked(t, script, false)
	}
}
