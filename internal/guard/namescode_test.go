package guard_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestNamesAreNoCode has what programs say about the project, names of files and messages, become the content of a file that an interpreter
// is given: that asks, as if it were piped there. What the files of the project say is its own.
func TestNamesAreNoCode(t *testing.T) {
	says := map[string]bool{
		"ls": true, "ls src": true, "find . -name '*.txt'": true, "git log --format=%s": true, "git branch": true, "git diff --name-only": true, "git ls-files": true, "grep -rl x src": true, "ls | sort": true, "find . | sed s/x/y/": true,
		"sort src/part.py": false, "grep -v q src/part.js": false, "git show HEAD:a.py": false,
	}
	ways := []string{"%s > x; run x", "%s >> x; run x", "%s | tee x; run x", "%s | tee -a x >/dev/null; run x", "%s > y; cp y x; run x", "%s > y; mv y x; run x", "{ %s; } > x && run x", "%s > x\nrun ./x", "f() { %s; }; f > x; run x"}
	for _, way := range ways {
		for say, want := range says {
			for _, lang := range [][2]string{{"python3", ".py"}, {"node", ".js"}, {"ruby", ".rb"}, {"perl", ".pl"}, {"bash", ".sh"}} {
				if !want && lang[1] == ".sh" { // the shell's commands are judged one by one
					continue
				}
				script := strings.NewReplacer("run", lang[0], " x;", " x"+lang[1]+";", " x\n", " x"+lang[1]+"\n", " x &&", " x"+lang[1]+" &&", " x >", " x"+lang[1]+" >").Replace(fmt.Sprintf(way, say)) + lang[1]
				asked(t, script, want)
			}
		}
	}
	for _, script := range []string{"ls > list.txt; python3 other.py list.txt", "find . -name '*.c' > cscope.files; make", "git ls-files > MANIFEST; pytest", "git log > CHANGES.md; npm test"} {
		asked(t, script, false)
	}
}
